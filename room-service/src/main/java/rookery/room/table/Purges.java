// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.log.append.Head;
import rookery.platform.runtime.DueWork;
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

    private static final String STATES = """
            SELECT room_id, purged_by, due_ms IS NULL AS done, purged_ms, ended_ms,
                   CASE WHEN events_left >= 0 THEN events_left END AS events_left
              FROM room.purged
             WHERE tenant = :tenant
            """;

    private static final RowOrder NEWEST_FIRST = new RowOrder("purged_ms", "room_id", true);

    private static final String COUNT = "SELECT count(*) FROM room.purged WHERE tenant = :tenant";

    private static final String EXISTS = """
            SELECT 1 AS found FROM room.purged WHERE tenant = :tenant AND room_id = :room
            """;

    private final DatabaseClient db;
    private final Duration grace;
    private final DueWork due;

    public Purges(DatabaseClient db, Clock clock, PurgeProperties properties) {
        this.db = db;
        this.grace = properties.grace();
        this.due = new DueWork(clock);
    }

    /** Notes of the rooms that this process has purged. */
    public DueWork due() {
        return due;
    }

    /** A purged room; {@code pos} is the position of the purge's entry. */
    public record Row(TenantRoom room, UserId by, long pos) {}

    /**
     * A purge as administrators see it.
     *
     * @param done whether all rows of the room are deleted
     * @param endedMillis when the last row was deleted; null before, and for rooms deleted before this time was recorded
     * @param eventsLeft the number of events that are not deleted yet; null before they are counted at the begin of the removal,
     *     and in rooms too large to be counted in time
     */
    public record PurgeState(
            @JsonProperty("room_id") RoomId room,
            UserId by,
            boolean done,
            @JsonProperty("started_ts") long startedMillis,
            @JsonProperty("ended_ts") @Nullable Long endedMillis,
            @JsonProperty("events_left") @Nullable Long eventsLeft) {
        /** The next page of {@link Purges#after} begins after this key. */
        public String key() {
            return NEWEST_FIRST.key(startedMillis, room.value());
        }
    }

    /** Empty for a room that was not purged. */
    public Mono<PurgeState> find(TenantRoom room) {
        return bound(STATES + " AND room_id = :room", room).map(Purges::state).one();
    }

    public Mono<Long> count(TenantId tenant) {
        return db.sql(COUNT).bind("tenant", tenant).mapValue(Long.class).one();
    }

    /** The tenant's purges after a key, the newest first. M_INVALID_PARAM for a malformed key. */
    public Mono<List<PurgeState>> after(TenantId tenant, String key, int limit) {
        var page =
                db.sql(STATES + NEWEST_FIRST.condition(key) + " ORDER BY " + NEWEST_FIRST.columns() + " LIMIT :limit");
        return NEWEST_FIRST
                .bound(page, key)
                .bind("tenant", tenant)
                .bind("limit", limit)
                .map(Purges::state)
                .all()
                .collectList();
    }

    private static PurgeState state(Readable row) {
        return new PurgeState(
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "purged_by", UserId.class),
                RequiredColumn.of(row, "done", Boolean.class),
                RequiredColumn.of(row, "purged_ms", Long.class),
                row.get("ended_ms", Long.class),
                row.get("events_left", Long.class));
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
                .then(rows.isEmpty() ? Mono.empty() : due.noteAtCommit(grace));
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
