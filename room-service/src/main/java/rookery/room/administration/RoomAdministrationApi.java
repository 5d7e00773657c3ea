package rookery.room.administration;

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
import rookery.platform.http.ServiceName;
import rookery.room.administration.RoomList.RoomQuery;
import rookery.room.administration.RoomList.Row;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfExpulsion;
import rookery.room.draft.RoomDraft.OfPurge;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.Purges;

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

    /** Lines in the format of {@link ListLines}. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms")
    Flux<byte[]> list(@RequestBody Question question) {
        return ListLines.write(
                rooms.count(question.asked),
                question.after,
                question.limit,
                (key, most) -> rooms.after(question.asked, key, most),
                Row::roomId);
    }

    /**
     * Kicks or bans a user on the server's authority; the administrator's power level in the room does not count. M_NOT_FOUND for
     * an unknown room; M_FORBIDDEN for kicking a user who is not in the room.
     */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/expel")
    Mono<Map<String, Object>> expel(@RequestBody Expulsion asked) {
        var room = new TenantRoom(asked.tenant, asked.room);
        var draft = new OfExpulsion(room, asked.by, asked.user, EventLine.newId(random), asked.ban, asked.reason);
        return roomLog.require(room)
                .then(Mono.defer(() -> roomLog.append(draft)))
                .thenReturn(Map.of());
    }

    /**
     * Hides the room at once and starts the removal of all its rows. M_NOT_FOUND for an unknown room; a repeated purge succeeds.
     */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/rooms/purge")
    Mono<Map<String, Object>> purge(@RequestBody Purge asked) {
        var room = new TenantRoom(asked.tenant, asked.room);
        return roomLog.require(room)
                .then(Mono.defer(() -> roomLog.append(new OfPurge(room, asked.by))))
                .then()
                .onErrorResume(
                        failure -> failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND,
                        refusal -> purges.contains(room).flatMap(done -> done ? Mono.empty() : Mono.error(refusal)))
                .thenReturn(Map.of());
    }

    /** @param by the administrator */
    record Purge(TenantId tenant, RoomId room, UserId by) {}

    /**
     * A page to write.
     *
     * @param after the last room of the page before; empty for the first page
     * @param limit null for all rooms
     */
    record Question(RoomQuery asked, String after, @Nullable Integer limit) {}

    /** @param by the administrator */
    record Expulsion(
            TenantId tenant,
            RoomId room,
            UserId by,
            UserId user,
            boolean ban,
            @Nullable String reason) {}
}
