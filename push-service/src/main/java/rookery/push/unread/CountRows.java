package rookery.push.unread;

import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantUser;
import rookery.model.topic.Topics;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.count.ReadPositions;

/**
 * Counts a user's unread events by thread: for each of the user's cohorts, the difference of two running counts, minus events
 * that were redacted or come from ignored users, plus the user's exceptions.
 */
@Component
class CountRows {
    private static final String POSITIONS = """
            SELECT epoch, pos FROM push.follow WHERE log = :log ORDER BY shard
            """;

    private static final String USER_LOG_POSITION = """
            SELECT epoch, pos FROM push.follow WHERE log = :log AND shard = :shard
            """;

    /** Lateral joins with OFFSET or LIMIT stay index look-ups, whatever sizes the planner assumes. */
    private static final String COUNT = """
            WITH position AS MATERIALIZED (
                SELECT (ix - 1)::int AS shard, pos FROM unnest(:upto::bigint[]) WITH ORDINALITY AS u (pos, ix)),
            ignored AS MATERIALIZED (
                SELECT ignored FROM push.ignored WHERE tenant = :tenant AND user_id = :user),
            redacted AS MATERIALIZED (
                SELECT * FROM unnest(:redactedRooms::text[], :redacted::bigint[]) AS r (room_id, pos)),
            reads AS MATERIALIZED (
                SELECT room_id, thread, max(pos) AS pos
                  FROM (SELECT room_id, thread, pos FROM push.read_position m
                         WHERE tenant = :tenant AND user_id = :user AND ROOMS
                         UNION ALL
                        SELECT * FROM unnest(:readRooms::text[], :readThreads::text[], :reads::bigint[])) r
                 GROUP BY room_id, thread),
            segment AS MATERIALIZED (
                SELECT m.room_id, m.cohort, m.cohort_from AS from_pos, p.pos AS upto_pos
                  FROM push.member m JOIN position p ON p.shard = m.shard
                 WHERE m.tenant = :tenant AND m.user_id = :user AND ROOMS
                 UNION ALL
                SELECT m.room_id, s.cohort, s.from_pos, least(s.upto_pos, p.pos)
                  FROM push.member_past s
                  JOIN push.member m ON m.tenant = s.tenant AND m.user_id = s.user_id AND m.room_id = s.room_id
                  JOIN position p ON p.shard = m.shard
                 WHERE s.tenant = :tenant AND s.user_id = :user AND ROOMS),
            stretch AS MATERIALIZED (
                SELECT s.room_id, s.cohort, h.thread, s.upto_pos, greatest(s.from_pos, w.pos, t.pos) AS base
                  FROM segment s
                  LEFT JOIN reads w ON w.room_id = s.room_id AND w.thread = ''
                 CROSS JOIN LATERAL (
                       SELECT h.thread, h.pos FROM push.thread_head h
                        WHERE h.tenant = :tenant AND h.room_id = s.room_id AND h.cohort = s.cohort
                          AND h.pos > greatest(s.from_pos, w.pos) OFFSET 0) h
                  LEFT JOIN reads t ON t.room_id = s.room_id AND t.thread = h.thread
                 WHERE h.pos > greatest(s.from_pos, w.pos, t.pos)
                   AND s.upto_pos > greatest(s.from_pos, w.pos, t.pos)),
            counted AS (
                SELECT s.room_id, s.thread, top.n - coalesce(low.n, 0) - gone.n AS n, top.h - coalesce(low.h, 0) - gone.h AS h
                  FROM stretch s
                 CROSS JOIN LATERAL (
                       SELECT n, h FROM push.noted x
                        WHERE x.tenant = :tenant AND x.room_id = s.room_id AND x.cohort = s.cohort AND x.thread = s.thread
                          AND x.pos > s.base AND x.pos <= s.upto_pos
                        ORDER BY x.pos DESC LIMIT 1) top
                  LEFT JOIN LATERAL (
                       SELECT n, h FROM push.noted x
                        WHERE x.tenant = :tenant AND x.room_id = s.room_id AND x.cohort = s.cohort AND x.thread = s.thread
                          AND x.pos <= s.base
                        ORDER BY x.pos DESC LIMIT 1) low ON true
                 CROSS JOIN LATERAL (
                       SELECT count(*) AS n, count(*) FILTER (WHERE highlight) AS h
                         FROM (SELECT x.pos, x.highlight FROM push.noted x
                                WHERE x.tenant = :tenant AND x.room_id = s.room_id AND x.cohort = s.cohort
                                  AND x.thread = s.thread AND x.pos > s.base AND x.pos <= s.upto_pos AND x.withdrawn
                                UNION
                               SELECT x.pos, x.highlight FROM ignored i
                                CROSS JOIN LATERAL (
                                      SELECT * FROM push.noted x
                                       WHERE x.tenant = :tenant AND x.room_id = s.room_id AND x.sender = i.ignored
                                         AND x.pos > s.base AND x.pos <= s.upto_pos OFFSET 0) x
                                WHERE x.cohort = s.cohort AND x.thread = s.thread
                                UNION
                               SELECT x.pos, x.highlight FROM redacted r
                                CROSS JOIN LATERAL (
                                      SELECT * FROM push.noted x
                                       WHERE x.tenant = :tenant AND x.room_id = s.room_id AND x.cohort = s.cohort
                                         AND x.thread = s.thread AND x.pos = r.pos OFFSET 0) x
                                WHERE r.room_id = s.room_id AND x.pos > s.base AND x.pos <= s.upto_pos) x) gone),
            extra AS (
                SELECT m.room_id, m.thread, m.n_delta AS n, m.h_delta AS h
                  FROM push.exception m
                  JOIN position p ON p.shard = m.shard
                  LEFT JOIN reads w ON w.room_id = m.room_id AND w.thread = ''
                  LEFT JOIN reads t ON t.room_id = m.room_id AND t.thread = m.thread
                 WHERE m.tenant = :tenant AND m.user_id = :user AND ROOMS
                   AND m.pos <= p.pos AND m.pos > greatest(w.pos, t.pos, 0)
                   AND m.sender NOT IN (SELECT ignored FROM ignored)
                   AND (m.room_id, m.pos) NOT IN (SELECT room_id, pos FROM redacted))
            SELECT room_id, thread, sum(n)::bigint AS n, greatest(sum(h), 0)::bigint AS h
              FROM (SELECT * FROM counted UNION ALL SELECT * FROM extra) c
             GROUP BY room_id, thread
            HAVING sum(n) > 0
            """;

    private static final String COUNT_ALL = COUNT.replace("ROOMS", "true");
    private static final String COUNT_ROOMS = COUNT.replace("ROOMS", "m.room_id = ANY (:rooms)");

    private final DatabaseClient db;

    CountRows(DatabaseClient db) {
        this.db = db;
    }

    /** The position up to which a shard has been followed. */
    record ShardProgress(long epoch, long pos) {}

    /** The unread counts of a thread. */
    record Count(RoomId room, String thread, long n, long h) {}

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
        var withReads = Columns.of(
                        statement,
                        requestedRooms.stream().flatMap(CountRows::reads).toList())
                .texts("readRooms", read -> read.room.value())
                .texts("readThreads", read -> read.read.thread)
                .longs("reads", read -> read.read.pos)
                .statement();
        return Columns.of(
                        withReads,
                        requestedRooms.stream().flatMap(CountRows::redacted).toList())
                .texts("redactedRooms", redacted -> redacted.room.value())
                .longs("redacted", RedactedEvent::pos)
                .statement()
                .map(row -> new Count(
                        RequiredColumn.of(row, "room_id", RoomId.class),
                        RequiredColumn.of(row, "thread", String.class),
                        RequiredColumn.of(row, "n", Long.class),
                        RequiredColumn.of(row, "h", Long.class)))
                .all();
    }

    private static Stream<RequestedRead> reads(RequestedRoom room) {
        return room.reads.stream().map(read -> new RequestedRead(room.room, read));
    }

    private static Stream<RedactedEvent> redacted(RequestedRoom room) {
        return room.redacted.stream().map(pos -> new RedactedEvent(room.room, pos));
    }
}
