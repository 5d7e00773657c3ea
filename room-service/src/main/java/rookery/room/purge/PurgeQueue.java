package rookery.room.purge;

import io.r2dbc.spi.Readable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;

/** The queue of purged rooms with rows left to delete. A row exists since the commit that made the room invisible. */
@Component
class PurgeQueue {
    private static final String CLAIM = """
            UPDATE room.purged p SET due_ms = :until
              FROM (SELECT tenant, room_id FROM room.purged
                     WHERE due_ms <= :now AND purged_ms <= :before ORDER BY due_ms LIMIT 1 FOR UPDATE SKIP LOCKED) k
             WHERE p.tenant = k.tenant AND p.room_id = k.room_id
            RETURNING p.tenant, p.room_id, p.shard, p.epoch, p.pos
            """;

    private static final String SET_DUE = """
            UPDATE room.purged SET due_ms = :due WHERE tenant = :tenant AND room_id = :room
            """;

    private static final String DONE = """
            UPDATE room.purged SET due_ms = NULL WHERE tenant = :tenant AND room_id = :room
            """;

    private final DatabaseClient db;

    PurgeQueue(DatabaseClient db) {
        this.db = db;
    }

    /** @param pos the position of the purge's entry */
    record PurgedRoom(TenantId tenant, RoomId room, int shard, long epoch, long pos) {}

    /**
     * Claims a due room: a claim is a lease until {@code untilMillis}.
     *
     * @param beforeMillis only rooms purged before
     */
    Mono<PurgedRoom> claim(long nowMillis, long beforeMillis, long untilMillis) {
        return db.sql(CLAIM)
                .bind("now", nowMillis)
                .bind("before", beforeMillis)
                .bind("until", untilMillis)
                .map(PurgeQueue::room)
                .one();
    }

    Mono<Void> setDue(PurgedRoom room, long dueMillis) {
        return bound(SET_DUE, room).bind("due", dueMillis).then();
    }

    Mono<Void> done(PurgedRoom room) {
        return bound(DONE, room).then();
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, PurgedRoom room) {
        return db.sql(sql).bind("tenant", room.tenant.value()).bind("room", room.room.value());
    }

    private static PurgedRoom room(Readable row) {
        return new PurgedRoom(
                new TenantId(RequiredColumn.of(row, "tenant", Integer.class)),
                new RoomId(RequiredColumn.of(row, "room_id", String.class)),
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class));
    }
}
