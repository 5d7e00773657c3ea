// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.platform.http.PageBytes;
import rookery.platform.sql.BoundStatement;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;

/**
 * The tables {@code shard}, {@code batch} and {@code log_entry} of one service's log, and the view {@code log} of all
 * its entries.
 */
public final class LogEntries {
    private static final String LOCK = """
            SELECT s.shard, s.epoch, s.pos, s.number, SAME_ORIGIN AS same, NUMBER_SEEN AS number_seen
              FROM unnest(:shards::int[], :seen::bigint[]) AS k (shard, seen)
              JOIN SCHEMA.shard s ON s.shard = k.shard
             ORDER BY s.shard
               FOR UPDATE OF s""";

    private static final String APPEND = """
            WITH moved AS (UPDATE SCHEMA.shard s SET pos = h.last, number = :batch
                             FROM unnest(:ended::int[], :lasts::bigint[]) AS h (shard, last) WHERE s.shard = h.shard),
                 numbered AS (INSERT INTO SCHEMA.batch (shard, last_pos, number, created_ms)
                              SELECT h.shard, h.last, :batch, :now
                                FROM unnest(:ended::int[], :lasts::bigint[]) AS h (shard, last)),
                 entry AS (SELECT e.shard, e.pos, e.kind, e.unit_end, e.tenant,
                                  e.room_id, e.subject, e.body
                             FROM unnest(:shards::int[], :positions::bigint[], :kinds::text[], :unitEnds::boolean[],
                                         :tenants::int[], :rooms::text[], :subjects::text[], :bodies::text[])
                                  AS e (shard, pos, kind, unit_end, tenant, room_id, subject, body)) SUPERSEDED
            INSERT INTO SCHEMA.log_entry (shard, pos, kind, unit_end, tenant, room_id, subject, created_ms, body)
            SELECT shard, pos, kind, unit_end, tenant, room_id, subject, :now, body FROM entry WHERE kind <> 'SUPERSEDED_KIND'
            """;

    private static final String SUPERSEDED = """
            , superseded AS (
                 INSERT INTO SCHEMA.SUPERSEDED_KIND_entry
                        (shard, pos, kind, unit_end, tenant, room_id, subject, created_ms, body)
                 SELECT shard, pos, kind, unit_end, tenant, room_id, subject, :now, body
                   FROM entry WHERE kind = 'SUPERSEDED_KIND')""";

    private static final String LANDED = """
            SELECT 1 AS landed FROM SCHEMA.batch
             WHERE shard = :shard AND last_pos > :after AND number = :batch LIMIT 1
            """;

    /** The batch number of a position; null if it is deleted. */
    private static final String NUMBER_AT = """
            (SELECT b.number FROM SCHEMA.batch b
              WHERE b.shard = s.shard AND b.last_pos >= POS ORDER BY b.last_pos LIMIT 1)""";

    /** Beyond the end may be entries of a tenant that is being imported. */
    private static final String RANGE = """
            SELECT s.epoch, s.pos AS head, s.number AS head_number, NUMBER_AFTER AS number_after,
                   e.matches, e.pos, e.kind, e.unit_end, e.tenant, e.room_id, e.subject, e.body, NUMBER_HERE AS number
              FROM SCHEMA.shard s
              LEFT JOIN LATERAL (SELECT l.*, count(*) OVER () AS matches,
                                        sum(octet_length(l.body)) OVER (ORDER BY l.pos) - octet_length(l.body) AS before
                                   FROM (SELECT * FROM SCHEMA.log
                                          WHERE shard = s.shard AND pos > :after AND pos <= s.pos
                                          ORDER BY pos LIMIT :limit) l) e
                   ON e.before < :bytes
             WHERE s.shard = :shard
             ORDER BY e.pos
            """;

    /** The number of the batch is random, as that of each batch. */
    private static final String MOVE_ENDS = """
            WITH target AS (SELECT shard, last, hashtextextended(CAST(gen_random_uuid() AS text), 0) AS number
                              FROM unnest(:ended::int[], :lasts::bigint[]) AS e (shard, last)),
                 moved AS (UPDATE SCHEMA.shard s SET pos = t.last, number = t.number
                             FROM target t WHERE s.shard = t.shard AND s.pos < t.last
                           RETURNING s.shard, s.pos, s.number)
            INSERT INTO SCHEMA.batch (shard, last_pos, number, created_ms) SELECT shard, pos, number, :now FROM moved
            """;

    private static final String FORGET = """
            DELETE FROM SCHEMA.batch WHERE created_ms < :before
            """;

    /**
     * The most bytes of bodies in one range, except the last body: an entry can have 64 kB, and a starting follower reads a
     * thousand entries of each shard.
     */
    private static final int RANGE_BYTES_MAX = PageBytes.PAGE_MAX;

    private final DatabaseClient db;
    private final LogEpochs epochs;
    private final GuardedAppend guarded;
    private final String lock;
    private final String append;
    private final String landed;
    private final String range;
    private final String forget;
    private final String moveEnds;

    /** @param schema the service's own schema, such as {@code room}; never user input */
    public LogEntries(DatabaseClient db, String schema, MeterRegistry meters, OnNewTimeline onNewTimeline) {
        this(db, schema, meters, onNewTimeline, null);
    }

    /**
     * Creates a log in which newer entries of one kind supersede and delete older entries. These entries have a separate table,
     * {@code KIND_entry}, so that the large table has no dead rows.
     */
    public LogEntries(
            DatabaseClient db,
            String schema,
            MeterRegistry meters,
            OnNewTimeline onNewTimeline,
            @Nullable String supersededKind) {
        this.db = db;
        this.epochs = new LogEpochs(db, schema, meters, onNewTimeline);
        this.guarded = new GuardedAppend(db, schema, supersededKind);
        this.lock = LOCK.replace("SAME_ORIGIN", LogEpochs.SAME_ORIGIN)
                .replace("NUMBER_SEEN", NUMBER_AT.replace("POS", "k.seen"))
                .replace("SCHEMA", schema);
        this.append = APPEND.replace(" SUPERSEDED\n", supersededKind == null ? "\n" : SUPERSEDED + "\n")
                .replace("SUPERSEDED_KIND", supersededKind == null ? "" : supersededKind)
                .replace("SCHEMA", schema);
        this.landed = LANDED.replace("SCHEMA", schema);
        this.range = RANGE.replace("NUMBER_AFTER", NUMBER_AT.replace("POS", ":after"))
                .replace("NUMBER_HERE", NUMBER_AT.replace("POS", "e.pos"))
                .replace("SCHEMA", schema);
        this.forget = FORGET.replace("SCHEMA", schema);
        this.moveEnds = MOVE_ENDS.replace("SCHEMA", schema);
    }

    /**
     * Locks shards until the end of the transaction and returns their ends. A {@link BranchedLogException} if the database may
     * have lost commits.
     *
     * @param seen the last ends that the caller knows; with position and number 0 if unknown
     * @param waiting whether to wait for shards that another transaction has locked; otherwise these are left out
     */
    Mono<List<Head>> lock(List<Head> seen, boolean waiting) {
        var byShard = seen.stream().collect(Collectors.toMap(Head::shard, Function.identity()));
        return db.sql(waiting ? lock : lock + " SKIP LOCKED")
                .bind("shards", seen.stream().map(Head::shard).toArray(Integer[]::new))
                .bind("seen", seen.stream().map(Head::pos).toArray(Long[]::new))
                .map(row -> new LockedShard(
                        Head.of(row), RequiredColumn.of(row, "same", Boolean.class), orZero(row, "number_seen")))
                .all()
                .concatMap(locked -> locked.checked(Objects.requireNonNull(byShard.get(locked.head.shard()))))
                .collectList();
    }

    private record LockedShard(Head head, boolean same, long numberSeen) {
        Mono<Head> checked(Head seen) {
            if (!same) {
                return Mono.error(new BranchedLogException(head.epoch(), null));
            }
            boolean isLost = seen.epoch() == head.epoch()
                    && (head.pos() < seen.pos()
                            || (numberSeen != 0 && seen.number() != 0 && numberSeen != seen.number()));
            return isLost ? Mono.error(new BranchedLogException(head.epoch(), head.shard())) : Mono.just(head);
        }
    }

    /** Begins a new epoch where that is required before the next append; an error if an operator must decide. */
    Mono<Void> settle(BranchedLogException branch) {
        return epochs.settle(branch);
    }

    /** Operations for operators. */
    LogEpochs epochs() {
        return epochs;
    }

    /** Completes if entries may be appended; an error while an operator must decide whether to trust the database. */
    public Mono<Void> checkOpen() {
        return epochs.checkOpen();
    }

    /**
     * Inserts entries and moves the ends of their shards, in the transaction that locked the shards.
     *
     * @param entries in order, shard after shard
     */
    Mono<Void> append(long batch, List<LogRecord> entries, long nowMillis) {
        var lasts = new LinkedHashMap<Integer, Long>();
        entries.forEach(entry -> lasts.put(entry.shard(), entry.pos()));
        return Portions.each(
                entries,
                portion -> appendPortion(
                        batch, portion, portion.getFirst().equals(entries.getFirst()) ? lasts : Map.of(), nowMillis));
    }

    private Mono<Void> appendPortion(long batch, List<LogRecord> entries, Map<Integer, Long> lasts, long nowMillis) {
        var statement = ends(append, lasts, batch);
        return bindEntries(statement, entries, nowMillis).execute(db);
    }

    static BoundStatement ends(String sql, Map<Integer, Long> lasts, long batch) {
        return new BoundStatement(sql)
                .bind("ended", lasts.keySet().toArray(Integer[]::new))
                .bind("lasts", lasts.values().toArray(Long[]::new))
                .bind("batch", batch);
    }

    static BoundStatement bindEntries(BoundStatement statement, List<LogRecord> entries, long nowMillis) {
        return statement
                .bind("now", nowMillis)
                .bind("shards", entries.stream().map(LogRecord::shard).toArray(Integer[]::new))
                .bind("positions", entries.stream().map(LogRecord::pos).toArray(Long[]::new))
                .bind("kinds", entries.stream().map(LogRecord::kind).toArray(String[]::new))
                .bind("unitEnds", entries.stream().map(LogRecord::unitEnd).toArray(Boolean[]::new))
                .bind("tenants", entries.stream().map(LogRecord::tenant).toArray(TenantId[]::new))
                .bind("rooms", entries.stream().map(LogRecord::room).toArray(RoomId[]::new))
                .bind("subjects", entries.stream().map(LogRecord::subject).toArray(UserId[]::new))
                .bind("bodies", entries.stream().map(LogRecord::body).toArray(String[]::new));
    }

    /**
     * Moves the ends of shards behind entries that were inserted beyond them; an end never moves back. Call it in a transaction.
     *
     * @param lasts the last position of each shard
     */
    public Mono<Void> moveEnds(Map<Integer, Long> lasts, long nowMillis) {
        var unknown =
                lasts.keySet().stream().map(shard -> new Head(shard, 0, 0, 0)).toList();
        return lock(unknown, true)
                .then(Mono.defer(() -> db.sql(moveEnds)
                        .bind("ended", lasts.keySet().toArray(Integer[]::new))
                        .bind("lasts", lasts.values().toArray(Long[]::new))
                        .bind("now", nowMillis)
                        .then()));
    }

    /** Appends with one statement, without a lock before. */
    GuardedAppend guarded() {
        return guarded;
    }

    /** Whether the log has the batch after that position; the shard must be locked. */
    Mono<Boolean> landed(int shard, long after, long batch) {
        return db.sql(landed)
                .bind("shard", shard)
                .bind("after", after)
                .bind("batch", batch)
                .mapValue(Integer.class)
                .one()
                .hasElement();
    }

    /** The ends of all shards, read in one statement. */
    public Mono<Heads> heads() {
        return epochs.heads();
    }

    /** The valid parts of the epochs before this epoch; read once for each epoch. */
    public Mono<EarlierEpochs> earlier(long epoch) {
        return epochs.earlier(epoch);
    }

    /** The ends of all shards, and the valid parts of earlier epochs. */
    Mono<LogState> state() {
        return epochs.state();
    }

    /**
     * Returns the entries after a position, and the position that they cover: missing positions up to there are deleted for good.
     *
     * @param number the batch number of the follower's position, 0 if unknown. If the log has another batch there, or ends
     *     before, the database has lost commits: the answer belongs to a new epoch.
     */
    Mono<Range> range(int shard, long after, long number, int limit) {
        return db.sql(range)
                .bind("shard", shard)
                .bind("after", after)
                .bind("limit", limit)
                .bind("bytes", RANGE_BYTES_MAX)
                .map(row -> row(shard, row))
                .all()
                .collectList()
                .flatMap(rows -> {
                    var first = rows.getFirst();
                    return first.isBehind(after, number)
                            ? diverged(first.epoch, shard).then(Mono.defer(() -> range(shard, 0, 0, 1)))
                            : Mono.just(range(rows, limit));
                });
    }

    /** Checks the heads first: if the database was promoted, the promotion is the reason. */
    private Mono<Void> diverged(long epoch, int shard) {
        return heads().then(epochs.checkOpen()).then(settle(new BranchedLogException(epoch, shard)));
    }

    /** Deletes the batch numbers before that time; a follower that is further behind is no longer verified. */
    public Mono<Long> forgetBatches(long beforeMillis) {
        return db.sql(forget).bind("before", beforeMillis).fetch().rowsUpdated();
    }

    private static Range range(List<RangeRow> rows, int limit) {
        var entries = new ArrayList<LogRecord>();
        for (var row : rows) {
            if (row.entry != null) {
                entries.add(row.entry);
            }
        }
        var first = rows.getFirst();
        boolean cut = entries.size() == limit || entries.size() < first.matches;
        return cut
                ? new Range(
                        first.epoch,
                        entries,
                        entries.getLast().pos(),
                        entries.getLast().batch(),
                        first.head)
                : new Range(first.epoch, entries, first.head, first.headNumber, first.head);
    }

    /**
     * A row of a range.
     *
     * @param numberAfter the batch number of the requested position, 0 if deleted
     * @param matches the number of entries within the limit; entries beyond the byte limit are left out
     */
    private record RangeRow(
            long epoch,
            long head,
            long headNumber,
            long numberAfter,
            long matches,
            @Nullable LogRecord entry) {
        /** Whether the log lacks entries that the follower has. */
        boolean isBehind(long after, long number) {
            return head < after || (number != 0 && numberAfter != 0 && number != numberAfter);
        }
    }

    private static RangeRow row(int shard, Readable row) {
        long epoch = RequiredColumn.of(row, "epoch", Long.class);
        boolean isEmpty = row.get("pos", Long.class) == null;
        return new RangeRow(
                epoch,
                RequiredColumn.of(row, "head", Long.class),
                RequiredColumn.of(row, "head_number", Long.class),
                orZero(row, "number_after"),
                orZero(row, "matches"),
                isEmpty ? null : entry(shard, epoch, row));
    }

    private static LogRecord entry(int shard, long epoch, Readable row) {
        return new LogRecord(
                shard,
                epoch,
                RequiredColumn.of(row, "pos", Long.class),
                RequiredColumn.of(row, "kind", String.class),
                RequiredColumn.of(row, "unit_end", Boolean.class),
                RequiredColumn.of(row, "tenant", TenantId.class),
                row.get("room_id", RoomId.class),
                row.get("subject", UserId.class),
                RequiredColumn.of(row, "body", String.class),
                orZero(row, "number"),
                0);
    }

    private static long orZero(Readable row, String column) {
        return Objects.requireNonNullElse(row.get(column, Long.class), 0L);
    }
}
