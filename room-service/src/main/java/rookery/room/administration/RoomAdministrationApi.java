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

/** Rooms for admin-service, which has checked who asks. Internal. */
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

    /** Lines as {@link ListLines} has them. */
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
     * Kicks or bans, whatever the power of the administrator in whose name it is done. M_NOT_FOUND for an unknown room; M_FORBIDDEN for
     * kicking who is not there.
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

    /** Makes the room invisible at once, and has everything in it removed. M_NOT_FOUND for an unknown room; once more is the same. */
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
     * A list to write.
     *
     * @param after goes on after this room; empty for the beginning
     * @param limit null for all
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
