// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.directory.listing.RoomPage.PagePosition;
import rookery.directory.listing.RoomPage.RoomQuery;
import rookery.directory.listing.RoomPage.Types;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import tools.jackson.databind.JsonNode;

/** Pages of the room directory: the rooms with the most members first (contract.md 6). */
@RestController
class PublicRoomsApi {
    private static final int LIMIT = 50;
    private static final int LIMIT_MAX = 500;
    private static final int TERM_MAX = 256;

    private final ListedRooms rooms;
    private final ListingProperties properties;
    private final Tenants tenants;

    PublicRoomsApi(ListedRooms rooms, ListingProperties properties, Tenants tenants) {
        this.rooms = rooms;
        this.properties = properties;
        this.tenants = tenants;
    }

    /** M_INVALID_PARAM for malformed limits and tokens; M_NOT_FOUND for another server's directory. */
    @GetMapping("/_api/client/v3/publicRooms")
    @Access(Level.OPTIONAL)
    Mono<RoomPage> list(
            Caller caller,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(required = false) @Nullable String since,
            @RequestParam(required = false) @Nullable String server) {
        if (caller.known() == null
                && tenants.setting(
                        caller.tenant(), TenantSettings.ROOM_DIRECTORY_NEEDS_TOKEN, properties.requiresToken())) {
            throw new ApiException(ErrorCode.M_MISSING_TOKEN, "log in to see the rooms of this server");
        }
        requireOwn(caller, server);
        return page(new RoomQuery(caller.tenant(), "", null), limit(limit), since);
    }

    /** The same list with a filter; M_BAD_JSON for a filter of another shape. */
    @PostMapping("/_api/client/v3/publicRooms")
    Mono<RoomPage> search(Caller caller, @RequestParam(required = false) @Nullable String server, JsonBody body) {
        requireOwn(caller, server);
        var filter = body.optionalObject("filter");
        var term = filter == null ? null : filter.optionalString("generic_search_term");
        var query = new RoomQuery(caller.tenant(), term == null ? "" : term, types(filter));
        if (query.term().length() > TERM_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "search for at most " + TERM_MAX + " characters");
        }
        var limit = body.optionalInteger("limit");
        return page(query, limit == null ? LIMIT : most(limit), body.optionalString("since"));
    }

    private Mono<RoomPage> page(RoomQuery query, int limit, @Nullable String since) {
        var place = since == null || since.isEmpty() ? null : PagePosition.of(since);
        return rooms.page(query, place, limit)
                .zipWhen(_ -> rooms.count(query))
                .map(page -> RoomPage.of(page.getT1(), place, page.getT2()));
    }

    private static void requireOwn(Caller caller, @Nullable String server) {
        if (server != null
                && !server.isEmpty()
                && !server.equals(caller.server().value())) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "this server knows no rooms of others");
        }
    }

    private static @Nullable Types types(@Nullable JsonBody filter) {
        if (filter == null || !filter.has("room_types")) {
            return null;
        }
        var types = filter.json().path("room_types");
        if (!types.isArray() || !types.valueStream().allMatch(type -> type.isString() || type.isNull())) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "room_types is a list of strings and nulls");
        }
        var named = types.valueStream()
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .toList();
        return new Types(named, named.size() < types.size());
    }

    /** M_INVALID_PARAM for a text that is no integer, or an integer below 1; larger integers of any size are clamped. */
    static int limit(@Nullable String text) {
        try {
            return text == null ? LIMIT : most(clamped(new BigInteger(text)));
        } catch (NumberFormatException _) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "limit is a number");
        }
    }

    private static long clamped(BigInteger requested) {
        return requested.max(BigInteger.ZERO).min(BigInteger.valueOf(LIMIT_MAX)).longValueExact();
    }

    private static int most(long requested) {
        if (requested < 1) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "limit is at least 1");
        }
        return (int) Math.min(requested, LIMIT_MAX);
    }
}
