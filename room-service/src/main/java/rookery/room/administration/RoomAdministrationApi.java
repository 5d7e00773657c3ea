// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ListLines;
import rookery.platform.http.ListOrder;
import rookery.platform.http.ServiceName;
import rookery.room.administration.RoomList.RoomFilter;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfExpulsion;
import rookery.room.draft.RoomDraft.OfPromotion;
import rookery.room.draft.RoomDraft.OfPurge;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.Purges;
import rookery.room.table.RowOrder;

/** Rooms, for administrators. Internal: admin-service has already checked the administrator's rights. */
@RestController
class RoomAdministrationApi {
    private final RoomList rooms;
    private final RoomLog roomLog;
    private final Purges purges;
    private final RandomGenerator random;

    RoomAdministrationApi(RoomList rooms, RoomLog roomLog, Purges purges, RandomGenerator random) {
        this.rooms = rooms;
        this.roomLog = roomLog;
        this.purges = purges;
        this.random = random;
    }

    /** Lines in the format of {@link ListLines}. M_INVALID_PARAM for an order that the list does not have. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms")
    Flux<byte[]> list(@RequestBody RoomListRequest request) {
        var order = RoomList.order(request.order);
        return ListLines.write(
                rooms.count(request.filter),
                request.place(rooms, order),
                request.limit,
                (key, most) -> rooms.after(request.filter, order, key, most),
                room -> room.key(order));
    }

    /**
     * Kicks or bans a user on the server's authority; the administrator's power level in the room does not count. M_NOT_FOUND for
     * an unknown room; M_FORBIDDEN for kicking a user who is not in the room.
     */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/expel")
    Mono<Map<String, Object>> expel(@RequestBody Expulsion expulsion) {
        var room = new TenantRoom(expulsion.tenant, expulsion.room);
        var draft = new OfExpulsion(
                room, expulsion.by, expulsion.user, EventLine.newId(random), expulsion.ban, expulsion.reason);
        return roomLog.require(room)
                .then(Mono.defer(() -> roomLog.append(draft)))
                .thenReturn(Map.of());
    }

    /**
     * Gives a member the highest power of a user in the room, on the server's authority. M_NOT_FOUND for an unknown room; M_FORBIDDEN
     * for a user who is not a member.
     */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/promote")
    Mono<Map<String, Object>> promote(@RequestBody Promotion promotion) {
        var room = new TenantRoom(promotion.tenant, promotion.room);
        var draft = new OfPromotion(room, promotion.by, promotion.user, EventLine.newId(random));
        return roomLog.require(room)
                .then(Mono.defer(() -> roomLog.append(draft)))
                .thenReturn(Map.of());
    }

    /**
     * Hides the room at once and starts the removal of all its rows. M_NOT_FOUND for an unknown room; a repeated purge succeeds.
     */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/purge")
    Mono<Map<String, Object>> purge(@RequestBody Purge purge) {
        var room = new TenantRoom(purge.tenant, purge.room);
        return roomLog.require(room)
                .then(Mono.defer(() -> roomLog.append(new OfPurge(room, purge.by))))
                .then()
                .onErrorResume(
                        failure -> failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND,
                        refusal -> purges.contains(room).flatMap(done -> done ? Mono.empty() : Mono.error(refusal)))
                .thenReturn(Map.of());
    }

    /** @param by the administrator */
    record Promotion(TenantId tenant, RoomId room, UserId by, UserId user) {}

    /** @param by the administrator */
    record Purge(TenantId tenant, RoomId room, UserId by) {}

    /**
     * A page that begins after the key {@code after}, empty for the first page; null {@code limit} for all rooms.
     *
     * @param skip the number of rooms to skip, instead of {@code after}
     * @param order by {@code room_id}, {@code created_at} or {@code joined_members}; null for {@code room_id}, whose keys are
     *     room ids
     */
    record RoomListRequest(
            @JsonProperty("asked") RoomFilter filter,
            String after,
            @Nullable Integer limit,
            @Nullable Integer skip,
            @Nullable ListOrder order) {
        Mono<String> place(RoomList rooms, RowOrder rowOrder) {
            return skip == null || skip < 1 ? Mono.just(after) : rooms.place(filter, rowOrder, skip);
        }
    }

    /** @param by the administrator */
    record Expulsion(
            TenantId tenant,
            RoomId room,
            UserId by,
            UserId user,
            boolean ban,
            @Nullable String reason) {}
}
