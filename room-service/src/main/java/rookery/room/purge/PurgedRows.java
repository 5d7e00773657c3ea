// SPDX-License-Identifier: Apache-2.0
package rookery.room.purge;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.sql.RoomRemoval;
import rookery.room.purge.PurgeQueue.PurgedRoom;

/**
 * The rows of purged rooms in the tables of room-service, and their entries in the log except the purge's. Followers
 * skip the holes, because the owner of the log states the end of each range.
 */
@Component
class PurgedRows {
    private static final List<String> TABLES = List.of(
            "room.search",
            "room.thread",
            "room.thread_sender",
            "room.forgotten",
            "room.upgrade",
            "room.carry_over",
            "room.device_list",
            "room.media_reference",
            "room.delayed_event",
            "room.report",
            "room.redaction_job",
            "room.state");

    private static final String COUNT = """
            UPDATE room.purged p
               SET events_left = (SELECT count(*) FROM room.event e WHERE e.tenant = p.tenant AND e.room_id = p.room_id)
             WHERE p.tenant = :tenant AND p.room_id = :room AND p.events_left IS NULL
            """;

    private static final String UNCOUNTED =
            "UPDATE room.purged SET events_left = -1 WHERE tenant = :tenant AND room_id = :room AND events_left IS NULL";

    /** Counts down in the statement that deletes, so that the number is exact after a crash too. */
    private static final String EVENTS = """
            WITH gone AS (
                 DELETE FROM room.event WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM room.event WHERE tenant = :tenant AND room_id = :room LIMIT :most))
                 RETURNING shard, pos, event_id),
                 originals AS (
                 DELETE FROM room.original o USING gone g WHERE o.tenant = :tenant AND o.event_id = g.event_id),
                 entries AS (
                 DELETE FROM room.log_entry l USING gone g WHERE l.shard = g.shard AND l.pos = g.pos),
                 counted AS (
                 UPDATE room.purged SET events_left = events_left - (SELECT count(*) FROM gone)
                  WHERE tenant = :tenant AND room_id = :room AND EXISTS (SELECT FROM gone))
            SELECT count(*) AS rows FROM gone
            """;

    /** An entry may contain several receipts and is deleted with the first. */
    private static final String RECEIPTS = """
            WITH gone AS (
                 DELETE FROM room.receipt WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM room.receipt WHERE tenant = :tenant AND room_id = :room LIMIT :most))
                 RETURNING pos),
                 entries AS (
                 DELETE FROM room.receipt_entry l USING (SELECT DISTINCT pos FROM gone) g
                  WHERE l.shard = :shard AND l.pos = g.pos)
            SELECT count(*) AS rows FROM gone
            """;

    private static final List<String> OTHERS = List.of(
            "DELETE FROM room.log_entry WHERE tenant = :tenant AND room_id = :room AND kind = 'listing'",
            "DELETE FROM room.upgrade WHERE tenant = :tenant AND predecessor = :room",
            "DELETE FROM room.carry_over WHERE tenant = :tenant AND predecessor = :room");

    private final DatabaseClient db;
    private final RoomRemoval removal;

    PurgedRows(DatabaseClient db) {
        this.db = db;
        this.removal = new RoomRemoval(db, TABLES);
    }

    /** Counts the events once, for the progress that administrators see. */
    Mono<Void> count(PurgedRoom room) {
        return bound(COUNT, room).then();
    }

    /** Negative numbers stand for an unknown one, so that later portions do not try to count. */
    Mono<Void> setUncounted(PurgedRoom room) {
        return bound(UNCOUNTED, room).then();
    }

    /** Deletes a portion, and returns the number of its rows; 0 if none are left. */
    Mono<Long> portion(PurgedRoom room) {
        return Flux.concat(
                        counted(bound(EVENTS, room).bind("most", RoomRemoval.PORTION)),
                        counted(bound(RECEIPTS, room)
                                .bind("most", RoomRemoval.PORTION)
                                .bind("shard", room.shard())),
                        Flux.fromIterable(OTHERS)
                                .concatMap(sql -> bound(sql, room).fetch().rowsUpdated()),
                        removal.portion(room.tenant(), room.room()))
                .reduce(0L, Long::sum);
    }

    private static Mono<Long> counted(DatabaseClient.GenericExecuteSpec statement) {
        return statement.mapValue(Long.class).one();
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, PurgedRoom room) {
        return db.sql(sql).bind("tenant", room.tenant()).bind("room", room.room());
    }
}
