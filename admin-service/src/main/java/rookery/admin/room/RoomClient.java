// SPDX-License-Identifier: Apache-2.0
package rookery.admin.room;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListQuery;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ListOrder;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client of room-service, the owner of the rooms, and of directory-service, which searches rooms by name. */
@Component
public class RoomClient {
    private static final String ROOM = "room-service";
    private static final String DIRECTORY = "directory-service";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ServiceClient services;

    RoomClient(ServiceClient services) {
        this.services = services;
    }

    /** The matching rooms as lines ({@code ListLines}). */
    Flux<String> list(TenantId tenant, ListQuery query, @Nullable Boolean published) {
        return lines(
                new RoomSelection(tenant, query.search(), published, null),
                rooms -> new Question(
                        new RoomQuery(tenant, published, rooms, null),
                        query.from(),
                        query.limit(),
                        null,
                        query.order()));
    }

    /** The matching rooms behind the first {@code skip}, as lines ({@code ListLines}). */
    public Flux<String> page(RoomSelection selection, int skip, int limit, @Nullable ListOrder order) {
        return lines(
                selection,
                rooms -> new Question(
                        new RoomQuery(selection.tenant, selection.published, rooms, selection.empty),
                        "",
                        limit,
                        skip,
                        order));
    }

    private Flux<String> lines(RoomSelection selection, Function<@Nullable List<RoomId>, Question> question) {
        if (selection.search == null) {
            return lines(question.apply(null));
        }
        var search = new Search(selection.tenant, selection.search);
        return services.post(DIRECTORY, "rooms", "/internal/admin/rooms/search", search, MatchingRooms.class)
                .flatMapMany(matching -> lines(question.apply(matching.rooms)));
    }

    private Flux<String> lines(Question question) {
        return services.lines(ROOM, "rooms", "/internal/admin/rooms", question);
    }

    /**
     * Conditions on rooms; null matches every room.
     *
     * @param search a part of the name, topic, alias or id
     * @param empty whether nobody is joined
     */
    public record RoomSelection(
            TenantId tenant,
            @Nullable String search,
            @Nullable Boolean published,
            @Nullable Boolean empty) {}

    /** The room as in the list; M_NOT_FOUND. */
    public Mono<JsonNode> find(TenantId tenant, RoomId room) {
        return lines(new Question(new RoomQuery(tenant, null, List.of(room), null), "", null, null, null))
                .map(JSON::readTree)
                .filter(line -> line.has("room_id"))
                .next()
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room")));
    }

    /** M_NOT_FOUND for an unknown room; M_FORBIDDEN for kicking a user who is not joined, invited or knocking. */
    Mono<JsonNode> expel(TenantId tenant, RoomId room, UserId by, UserId user, boolean ban, @Nullable String reason) {
        var expulsion = new Expulsion(tenant, room, by, user, ban, reason);
        return services.post(ROOM, room.value(), "/internal/admin/rooms/expel", expulsion, JsonNode.class);
    }

    /** M_NOT_FOUND for an unknown room. */
    public Mono<JsonNode> purge(TenantId tenant, RoomId room, UserId by) {
        return services.post(
                ROOM, room.value(), "/internal/admin/rooms/purge", new Purge(tenant, room, by), JsonNode.class);
    }

    private record Purge(TenantId tenant, RoomId room, UserId by) {}

    private record RoomQuery(
            TenantId tenant,
            @Nullable Boolean published,
            @Nullable List<RoomId> rooms,
            @Nullable Boolean empty) {}

    private record Question(
            RoomQuery asked,
            String after,
            @Nullable Integer limit,
            @Nullable Integer skip,
            @Nullable ListOrder order) {}

    private record Search(TenantId tenant, String term) {}

    private record MatchingRooms(List<RoomId> rooms) {}

    private record Expulsion(
            TenantId tenant,
            RoomId room,
            UserId by,
            UserId user,
            boolean ban,
            @Nullable String reason) {}
}
