// SPDX-License-Identifier: Apache-2.0
package rookery.admin.room;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.room.RoomInspectionClient.RedactionTerms;
import rookery.admin.user.AccountClient;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/**
 * Redacts the messages of a user, for administrators of the tenant (contract.md 5.3). Errors: M_FORBIDDEN for other users before any
 * lookup, M_INVALID_PARAM, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_api/client/v3/admin")
public class UserRedactionApi {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final long LIMIT_MAX = 1_000_000;

    private final RoomInspectionClient rooms;
    private final AccountClient accounts;
    private final Audit audit;

    UserRedactionApi(RoomInspectionClient rooms, AccountClient accounts, Audit audit) {
        this.rooms = rooms;
        this.accounts = accounts;
        this.audit = audit;
    }

    /** Body {@code {"rooms"?, "reason"?, "limit"?}}; without rooms all rooms of the user. The work goes on after the answer. */
    @PostMapping("/users/{userId}/redact")
    public Mono<ObjectNode> redact(Caller caller, @PathVariable String userId, JsonBody body) {
        var user = Local.user(caller, userId);
        var terms = new RedactionTerms(rooms(caller, body), reason(body), limit(body));
        var act = accounts.find(caller.tenant(), user)
                .then(Mono.defer(() -> rooms.redact(caller.tenant(), user, caller.user(), terms)));
        return audit.recorded(caller, "redact messages", userId, act);
    }

    private static @Nullable String reason(JsonBody body) {
        var reason = body.optionalString("reason");
        return reason == null ? null : reason.replace('\0', '\uFFFD'); // the database has no U+0000
    }

    private static @Nullable Long limit(JsonBody body) {
        var limit = body.optionalInteger("limit");
        if (limit != null && (limit < 1 || limit > LIMIT_MAX)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "limit is from 1 to " + LIMIT_MAX);
        }
        return limit;
    }

    /** Null for all rooms, which an empty list stands for as well. */
    private static @Nullable List<RoomId> rooms(Caller caller, JsonBody body) {
        var named = body.has("rooms") ? body.strings("rooms") : List.<String>of();
        return named.isEmpty()
                ? null
                : named.stream().map(room -> Local.room(caller, room)).toList();
    }

    /** How far the redaction is. */
    @GetMapping("/redactions/{redactId}")
    public Mono<ObjectNode> find(Caller caller, @PathVariable String redactId) {
        var found = ID.matcher(redactId).matches()
                ? rooms.redactions(caller.tenant(), redactId)
                : Mono.<ObjectNode>error(new ApiException(ErrorCode.M_NOT_FOUND, "there is no redaction with this id"));
        return audit.recorded(caller, "see redaction", redactId, found);
    }
}
