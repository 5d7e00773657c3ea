// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.Topics;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.count.ReadPositions;

/**
 * Counts a user's unread events by thread: for each of the user's cohorts, the difference of two running counts, minus events
 * that were redacted or come from ignored users, plus the differences of the user's own verdicts. In the statements, n counts
 * notifications and h highlights.
 */
@Component
class CountRows {
    private static final String POSITIONS = """
            SELECT epoch, pos FROM push.follow WHERE log = :log ORDER BY shard
            """;

    private static final String USER_LOG_POSITION = """
            SELECT epoch, pos FROM push.follow WHERE log = :log AND shard = :shard
            """;

    /** In all parts of the statement, {@code own} is a row of the user; {@code ROOMS} restricts it to the requested rooms. */
    private static final String INPUTS = """
            WITH shard_end AS MATERIALIZED (
                -- by shard, the position up to which to count
                SELECT (number - 1)::int AS shard, pos
                  FROM unnest(:upto::bigint[]) WITH ORDINALITY AS upto (pos, number)),
            ignored AS MATERIALIZED (
                SELECT ignored AS sender FROM push.ignored WHERE tenant = :tenant AND user_id = :user),
            redacted AS MATERIALIZED (
                -- redacted events from the request, whose redactions may not have arrived here
                SELECT * FROM unnest(:redactedRooms::text[], :redacted::bigint[]) AS redacted (room_id, pos)),
            read AS MATERIALIZED (
                -- by thread, the furthest read position, where an empty thread is the whole room
                SELECT room_id, thread, max(pos) AS pos
                  FROM (SELECT room_id, thread, pos FROM push.read_position own
                         WHERE tenant = :tenant AND user_id = :user AND ROOMS
                         UNION ALL
                        SELECT * FROM unnest(:readRooms::text[], :readThreads::text[], :reads::bigint[])) AS known
                 GROUP BY room_id, thread),
            """;

    private static final String STRETCHES = """
            segment AS MATERIALIZED (
                -- the positions during which the user was in one cohort: the present cohort and past cohorts
                SELECT own.room_id, own.cohort, own.cohort_from AS from_pos, shard_end.pos AS upto_pos
                  FROM push.member own JOIN shard_end ON shard_end.shard = own.shard
                 WHERE own.tenant = :tenant AND own.user_id = :user AND ROOMS
                 UNION ALL
                SELECT own.room_id, past.cohort, past.from_pos, least(past.upto_pos, shard_end.pos)
                  FROM push.member_past past
                  JOIN push.member own
                    ON own.tenant = past.tenant AND own.user_id = past.user_id AND own.room_id = past.room_id
                  JOIN shard_end ON shard_end.shard = own.shard
                 WHERE past.tenant = :tenant AND past.user_id = :user AND ROOMS),
            stretch AS MATERIALIZED (
                -- the unread part of a segment in one thread: after base, up to and including upto_pos
                SELECT segment.room_id, segment.cohort, head.thread, segment.upto_pos,
                       greatest(segment.from_pos, room_read.pos, thread_read.pos) AS base
                  FROM segment
                  LEFT JOIN read AS room_read ON room_read.room_id = segment.room_id AND room_read.thread = ''
                 CROSS JOIN LATERAL (
                       SELECT head.thread, head.pos FROM push.thread_head head
                        WHERE head.tenant = :tenant AND head.room_id = segment.room_id AND head.cohort = segment.cohort
                          AND head.pos > greatest(segment.from_pos, room_read.pos) OFFSET 0) AS head
                  LEFT JOIN read AS thread_read
                    ON thread_read.room_id = segment.room_id AND thread_read.thread = head.thread
                 WHERE head.pos > greatest(segment.from_pos, room_read.pos, thread_read.pos)
                   AND segment.upto_pos > greatest(segment.from_pos, room_read.pos, thread_read.pos)),
            """;

    private static final String COUNTED = """
            counted AS (
                -- running counts at the end of a stretch, minus those before it, minus events that do not count
                SELECT stretch.room_id, stretch.thread,
                       last.n - coalesce(before.n, 0) - uncounted.n AS n, last.h - coalesce(before.h, 0) - uncounted.h AS h
                  FROM stretch
                 CROSS JOIN LATERAL (
                       SELECT n, h FROM push.noted event
                        WHERE event.tenant = :tenant AND event.room_id = stretch.room_id
                          AND event.cohort = stretch.cohort AND event.thread = stretch.thread
                          AND event.pos > stretch.base AND event.pos <= stretch.upto_pos
                        ORDER BY event.pos DESC LIMIT 1) AS last
                  LEFT JOIN LATERAL (
                       SELECT n, h FROM push.noted event
                        WHERE event.tenant = :tenant AND event.room_id = stretch.room_id
                          AND event.cohort = stretch.cohort AND event.thread = stretch.thread
                          AND event.pos <= stretch.base
                        ORDER BY event.pos DESC LIMIT 1) AS before ON true
                 CROSS JOIN LATERAL (
                       SELECT count(*) AS n, count(*) FILTER (WHERE highlight) AS h
                         FROM (SELECT event.pos, event.highlight FROM push.noted event
                                WHERE event.tenant = :tenant AND event.room_id = stretch.room_id
                                  AND event.cohort = stretch.cohort AND event.thread = stretch.thread
                                  AND event.pos > stretch.base AND event.pos <= stretch.upto_pos AND event.withdrawn
                                UNION
                               SELECT event.pos, event.highlight FROM ignored
                                CROSS JOIN LATERAL (
                                      SELECT * FROM push.noted event
                                       WHERE event.tenant = :tenant AND event.room_id = stretch.room_id
                                         AND event.sender = ignored.sender
                                         AND event.pos > stretch.base AND event.pos <= stretch.upto_pos OFFSET 0) AS event
                                WHERE event.cohort = stretch.cohort AND event.thread = stretch.thread
                                UNION
                               SELECT event.pos, event.highlight FROM redacted
                                CROSS JOIN LATERAL (
                                      SELECT * FROM push.noted event
                                       WHERE event.tenant = :tenant AND event.room_id = stretch.room_id
                                         AND event.cohort = stretch.cohort AND event.thread = stretch.thread
                                         AND event.pos = redacted.pos OFFSET 0) AS event
                                WHERE redacted.room_id = stretch.room_id
                                  AND event.pos > stretch.base AND event.pos <= stretch.upto_pos) AS event) AS uncounted),
            """;

    private static final String SUMS = """
            correction AS (
                -- verdicts for this user alone that differ from the verdict for the cohort
                SELECT own.room_id, own.thread, own.n_delta AS n, own.h_delta AS h
                  FROM push.exception own
                  JOIN shard_end ON shard_end.shard = own.shard
                  LEFT JOIN read AS room_read ON room_read.room_id = own.room_id AND room_read.thread = ''
                  LEFT JOIN read AS thread_read ON thread_read.room_id = own.room_id AND thread_read.thread = own.thread
                 WHERE own.tenant = :tenant AND own.user_id = :user AND ROOMS
                   AND own.pos <= shard_end.pos AND own.pos > greatest(room_read.pos, thread_read.pos, 0)
                   AND own.sender NOT IN (SELECT ignored.sender FROM ignored)
                   AND (own.room_id, own.pos) NOT IN (SELECT room_id, pos FROM redacted))
            SELECT room_id, thread, sum(n)::bigint AS n, greatest(sum(h), 0)::bigint AS h
              FROM (SELECT * FROM counted UNION ALL SELECT * FROM correction) AS part
             GROUP BY room_id, thread
            HAVING sum(n) > 0
            """;

    /** Lateral joins with OFFSET or LIMIT stay index look-ups, whatever sizes the planner assumes. */
    private static final String COUNT = INPUTS + STRETCHES + COUNTED + SUMS;

    private static final String COUNT_ALL = COUNT.replace("ROOMS", "true");
    private static final String COUNT_ROOMS = COUNT.replace("ROOMS", "own.room_id = ANY (:rooms)");

    /** The counts of several users in one statement, because a push for each member of a room needs them all. */
    private static final String TOTALS = """
            SELECT counted_user.user_id, coalesce(sum(thread.n), 0)::bigint AS n, count(DISTINCT thread.room_id) AS rooms
              FROM unnest(:users::text[]) AS counted_user (user_id)
              LEFT JOIN LATERAL (
            """ + COUNT_ALL.replace(":user", "counted_user.user_id") + """
                   ) AS thread ON true
             GROUP BY counted_user.user_id
            """;

    private final DatabaseClient db;

    CountRows(DatabaseClient db) {
        this.db = db;
    }

    /** The position up to which a shard has been followed. */
    record ShardProgress(long epoch, long pos) {}

    /** The unread counts of a thread: n notifications, of which h are highlights. */
    record Count(RoomId room, String thread, long n, long h) {}

    /** The notifying events of a user in all rooms, and the number of rooms with such events. */
    record Total(UserId user, long n, long rooms) {}

    /** A requested room, with reads and redactions that the caller knows of and that may not have arrived here. */
    record RequestedRoom(RoomId room, List<ReadRow> reads, Set<Long> redacted) {}

    /** @param thread as in {@link ReadPositions} */
    record ReadRow(String thread, long pos) {}

    private record RequestedRead(RoomId room, ReadRow read) {}

    private record RedactedEvent(RoomId room, long pos) {}

    /** The positions of all shards of the room log, by shard. */
    Mono<List<ShardProgress>> counted() {
        return db.sql(POSITIONS)
                .bind("log", Topics.ROOM_LOG)
                .map(CountRows::followed)
                .all()
                .collectList();
    }

    /** The position of the user log's shard with the user's rules and ignored users. */
    Mono<ShardProgress> userLogProgress(TenantUser user) {
        return db.sql(USER_LOG_POSITION)
                .bind("log", Topics.USER_LOG)
                .bind("shard", Shards.of(user.user()))
                .map(CountRows::followed)
                .one();
    }

    private static ShardProgress followed(Readable row) {
        return new ShardProgress(
                RequiredColumn.of(row, "epoch", Long.class), RequiredColumn.of(row, "pos", Long.class));
    }

    /** The threads with unread events up to these positions by shard; null for all rooms. */
    Flux<Count> count(TenantUser user, Long[] upto, @Nullable List<RequestedRoom> rooms) {
        var requestedRooms = rooms == null ? List.<RequestedRoom>of() : rooms;
        var statement = db.sql(rooms == null ? COUNT_ALL : COUNT_ROOMS)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("upto", upto);
        if (rooms != null) {
            statement = statement.bind(
                    "rooms", rooms.stream().map(room -> room.room.value()).toArray(String[]::new));
        }
        return withRooms(statement, requestedRooms)
                .map(row -> new Count(
                        RequiredColumn.of(row, "room_id", RoomId.class),
                        RequiredColumn.of(row, "thread", String.class),
                        RequiredColumn.of(row, "n", Long.class),
                        RequiredColumn.of(row, "h", Long.class)))
                .all();
    }

    /** The totals of these users up to these positions by shard, also of users without unread events. */
    Flux<Total> totals(TenantId tenant, Collection<UserId> users, Long[] upto) {
        var ofUsers =
                Columns.of(db.sql(TOTALS), users).texts("users", UserId::value).statement();
        return withRooms(ofUsers.bind("tenant", tenant).bind("upto", upto), List.of())
                .map(row -> new Total(
                        RequiredColumn.of(row, "user_id", UserId.class),
                        RequiredColumn.of(row, "n", Long.class),
                        RequiredColumn.of(row, "rooms", Long.class)))
                .all();
    }

    private static GenericExecuteSpec withRooms(GenericExecuteSpec statement, List<RequestedRoom> rooms) {
        var withReads = Columns.of(
                        statement, rooms.stream().flatMap(CountRows::reads).toList())
                .texts("readRooms", read -> read.room.value())
                .texts("readThreads", read -> read.read.thread)
                .longs("reads", read -> read.read.pos)
                .statement();
        return Columns.of(withReads, rooms.stream().flatMap(CountRows::redacted).toList())
                .texts("redactedRooms", redacted -> redacted.room.value())
                .longs("redacted", RedactedEvent::pos)
                .statement();
    }

    private static Stream<RequestedRead> reads(RequestedRoom room) {
        return room.reads.stream().map(read -> new RequestedRead(room.room, read));
    }

    private static Stream<RedactedEvent> redacted(RequestedRoom room) {
        return room.redacted.stream().map(pos -> new RedactedEvent(room.room, pos));
    }
}
