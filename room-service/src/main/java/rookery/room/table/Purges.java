// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.log.append.Head;
import rookery.platform.sql.RequiredColumn;

/**
 * Makes a room invisible in the transaction of its last entry (contract.md 5.4). Every access joins the room's row, so
 * without the row the room has no members, no readers and no senders. The other rows are deleted later, in portions
 * ({@code rookery.room.purge}): requests that began before the purge still read the whole room.
 */
@Component
public class Purges {
    private static final String NOTE = """
            INSERT INTO room.purged (tenant, room_id, shard, epoch, pos, purged_by, purged_ms, due_ms)
            VALUES (:tenant, :room, :shard, :epoch, :pos, :by, :now, :now)
            """;

    private static final String KEEP_MEMBERS = """
            INSERT INTO room.purged_member (tenant, user_id, room_id)
            SELECT tenant, user_id, room_id FROM room.current_member
             WHERE tenant = :tenant AND room_id = :room AND membership IN ('join', 'invite', 'knock')
            """;

    private static final List<String> HIDE =
            List.of(KEEP_MEMBERS, "DELETE FROM room.room WHERE tenant = :tenant AND room_id = :room");

    private static final String FIND = """
            SELECT purged_by, due_ms IS NULL AS done FROM room.purged WHERE tenant = :tenant AND room_id = :room
            """;

    private static final String EXISTS = """
            SELECT 1 AS found FROM room.purged WHERE tenant = :tenant AND room_id = :room
            """;

    private final DatabaseClient db;

    Purges(DatabaseClient db) {
        this.db = db;
    }

    /** A purged room; {@code pos} is the position of the purge's entry. */
    public record Row(TenantRoom room, UserId by, long pos) {}

    /**
     * A purge as administrators see it.
     *
     * @param done whether all rows of the room are deleted
     */
    public record PurgeState(UserId by, boolean done) {}

    /** Empty for a room that was not purged. */
    public Mono<PurgeState> find(TenantRoom room) {
        return bound(FIND, room)
                .map(row -> new PurgeState(
                        RequiredColumn.of(row, "purged_by", UserId.class),
                        RequiredColumn.of(row, "done", Boolean.class)))
                .one();
    }

    public Mono<Boolean> contains(TenantRoom room) {
        return bound(EXISTS, room).mapValue(Integer.class).one().hasElement();
    }

    /** Runs last in a batch, so that rows of the same batch are hidden as well. */
    public Mono<Void> hide(Head head, List<Row> rows, long nowMillis) {
        return Flux.fromIterable(rows)
                .concatMap(row -> noted(head, row, nowMillis)
                        .thenMany(Flux.fromIterable(HIDE)
                                .concatMap(sql -> bound(sql, row.room).then())))
                .then();
    }

    private Mono<Void> noted(Head head, Row row, long nowMillis) {
        return bound(NOTE, row.room)
                .bind("shard", head.shard())
                .bind("epoch", head.epoch())
                .bind("pos", row.pos)
                .bind("by", row.by)
                .bind("now", nowMillis)
                .then();
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, TenantRoom room) {
        return db.sql(sql).bind("tenant", room.tenant()).bind("room", room.room());
    }
}
