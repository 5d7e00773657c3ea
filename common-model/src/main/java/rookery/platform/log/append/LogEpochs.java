// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.token.Positions;
import rookery.platform.log.append.EarlierEpochs.EpochStart;
import rookery.platform.sql.RequiredColumn;

/**
 * The epochs and ends of one service's log: the tables {@code shard}, {@code epoch} and {@code origin}.
 *
 * <p>A database may lose acknowledged commits: a promoted standby had not received them, a backup is restored, a disk has lost
 * writes. The lost positions would then be assigned again, and a follower beyond them would take the new entries for entries that
 * it has. Therefore the epoch is raised before the next append when the database or its timeline has changed, and as soon as a
 * follower or appender proves that it has a batch which the database lacks (design.md 12, Lost commits).
 */
final class LogEpochs {
    private static final Logger log = LoggerFactory.getLogger(LogEpochs.class);

    private static final int EPOCHS_MAX = 50;
    private static final int NO_SHARD = -1;

    /** Whether the database and its timeline are the same as at the beginning of the epoch; always true on a standby. */
    static final String SAME_ORIGIN = """
            (SELECT CASE WHEN pg_is_in_recovery() THEN true
                         ELSE o.system = c.system_identifier
                              AND o.timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END
               FROM SCHEMA.origin o CROSS JOIN pg_control_system() c)""";

    private static final String HEADS = """
            SELECT s.shard, s.epoch, s.pos, s.number, o.same
              FROM SCHEMA.shard s CROSS JOIN (SELECT SAME_ORIGIN AS same) o ORDER BY s.shard
            """;

    /** One row instead of 64, for the question of each second; see {@link Heads#stamp}. */
    private static final String STAMP = """
            SELECT max(s.epoch) || '.' || sum(s.pos) || '.' || bit_xor(s.number) AS stamp, SAME_ORIGIN AS same
              FROM SCHEMA.shard s
            """;

    private static final String BEGINNINGS = """
            SELECT epoch, shard, began_at, previous FROM SCHEMA.epoch
             WHERE epoch IN (SELECT DISTINCT epoch FROM SCHEMA.epoch WHERE epoch <= :last ORDER BY epoch DESC LIMIT :limit)
            """;

    /**
     * The new epoch is the time in whole seconds. Without floor, the cast would round up half of the times to the epoch of the
     * next second. An increment by one is not enough: a restored database has lost its latest epochs and must not assign their
     * numbers again.
     */
    private static final String RAISE = """
            WITH locked AS (SELECT shard FROM SCHEMA.shard
                             WHERE epoch = :epoch AND CONDITION
                             ORDER BY shard FOR UPDATE),
                 raised AS (UPDATE SCHEMA.shard s SET epoch = greatest(s.epoch + 1, floor(extract(epoch FROM now()))::bigint)
                              FROM locked l WHERE s.shard = l.shard
                            RETURNING s.shard, s.epoch, s.pos),
                 begun AS (INSERT INTO SCHEMA.epoch (epoch, shard, began_at, previous)
                           SELECT epoch, shard, CASE WHEN shard = :diverged THEN 0 ELSE pos END, :epoch FROM raised),
                 seen AS (UPDATE SCHEMA.origin SET system = c.system_identifier, timeline = TIMELINE
                            FROM pg_control_system() c WHERE EXISTS (SELECT 1 FROM raised))
            SELECT coalesce(max(epoch), 0) AS raised FROM raised
            """;

    private static final String TRUST = """
            UPDATE SCHEMA.origin SET system = c.system_identifier, timeline = TIMELINE
              FROM pg_control_system() c WHERE NOT SAME_ORIGIN
            """;

    private static final String TIMELINE = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";

    private final DatabaseClient db;
    private final String schema;
    private final OnNewTimeline onNewTimeline;
    private final String heads;
    private final String stamp;
    private final String beginnings;
    private final String trust;
    private final Counter raised;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Snapshot> cached = new AtomicReference<>(new Snapshot(1, EarlierEpochs.NONE));

    LogEpochs(DatabaseClient db, String schema, MeterRegistry meters, OnNewTimeline onNewTimeline) {
        this.db = db;
        this.schema = schema;
        this.onNewTimeline = onNewTimeline;
        this.heads = sql(HEADS);
        this.stamp = sql(STAMP);
        this.beginnings = sql(BEGINNINGS);
        this.trust = sql(TRUST);
        this.raised = Counter.builder("log_epochs_raised")
                .description("new epochs because the database had lost commits, or was promoted or restored")
                .tag("schema", schema)
                .register(meters);
        Gauge.builder("log_stopped", stopped, flag -> flag.get() ? 1 : 0)
                .description(
                        "1 while nothing is appended because the database was promoted or restored and an operator must decide")
                .tag("schema", schema)
                .register(meters);
    }

    private String sql(String text) {
        return text.replace("SAME_ORIGIN", SAME_ORIGIN)
                .replace("TIMELINE", TIMELINE)
                .replace("SCHEMA", schema);
    }

    /** The earlier epochs of an epoch, which never change. */
    private record Snapshot(long epoch, EarlierEpochs earlier) {}

    /** A head, and whether the database and timeline are unchanged. */
    private record SeenHead(Head head, boolean same) {}

    /** The ends of all shards, read in one statement, in the current epoch. */
    Mono<Heads> heads() {
        return readHeads()
                .flatMap(all -> all.getFirst().same || onNewTimeline == OnNewTimeline.STOP
                        ? Mono.just(heads(all))
                        : newTimeline(all.getFirst().head.epoch()).then(Mono.defer(this::heads)));
    }

    /** Whether the heads have this stamp, and the database is the same as at the beginning of the epoch. */
    Mono<Boolean> isAt(String seen) {
        return db.sql(stamp)
                .map(row ->
                        seen.equals(row.get("stamp", String.class)) && RequiredColumn.of(row, "same", Boolean.class))
                .one()
                .map(same -> same && !stopped.get());
    }

    private Mono<List<SeenHead>> readHeads() {
        return db.sql(heads)
                .map(row -> new SeenHead(Head.of(row), RequiredColumn.of(row, "same", Boolean.class)))
                .all()
                .collectList()
                .doOnNext(all -> noteStop(!all.getFirst().same && onNewTimeline == OnNewTimeline.STOP));
    }

    /** Completes if entries may be appended; an error while an operator must decide. */
    Mono<Void> checkOpen() {
        return readHeads().then(Mono.defer(() -> stopped.get() ? Mono.error(stop()) : Mono.empty()));
    }

    /** The heads, and the valid parts of earlier epochs. */
    Mono<LogState> state() {
        // in this order: an epoch raised in between is not in the heads yet
        return heads().flatMap(now -> earlier(now.epoch()).map(earlier -> new LogState(now, earlier)));
    }

    /** The valid parts of the epochs before this epoch. */
    Mono<EarlierEpochs> earlier(long epoch) {
        var last = cached.get();
        if (last.epoch == epoch) {
            return Mono.just(last.earlier);
        }
        return db.sql(beginnings)
                .bind("last", epoch)
                .bind("limit", EPOCHS_MAX)
                .map(row -> new EpochStart(
                        RequiredColumn.of(row, "epoch", Long.class),
                        RequiredColumn.of(row, "shard", Integer.class),
                        RequiredColumn.of(row, "began_at", Long.class),
                        RequiredColumn.of(row, "previous", Long.class)))
                .all()
                .collectList()
                .map(starts -> EarlierEpochs.of(epoch, starts))
                .doOnNext(earlier -> cached.set(new Snapshot(epoch, earlier)));
    }

    /** Begins a new epoch where that is required before the next append; an error if an operator must decide. */
    Mono<Void> settle(BranchedLogException branch) {
        return branch.shard == null ? newTimeline(branch.epoch) : diverged(branch.epoch, branch.shard);
    }

    /**
     * Raises the epoch for a shard with lost commits, unless the database was promoted: a promotion is the reason then, and its
     * position is known.
     */
    private Mono<Void> diverged(long epoch, int shard) {
        return raise(epoch, shard, "SAME_ORIGIN")
                .doOnNext(_ -> complainOfLoss(epoch, shard))
                .then();
    }

    private Mono<Void> newTimeline(long epoch) {
        return switch (onNewTimeline) {
            case RAISE ->
                raise(epoch, NO_SHARD, "NOT SAME_ORIGIN")
                        .doOnNext(this::complainOfTimeline)
                        .then();
            case TRUST -> trustTimeline().then();
            case STOP ->
                Mono.defer(() -> {
                    noteStop(true);
                    return Mono.error(stop());
                });
        };
    }

    /**
     * Begins the next epoch, unless another process has. The update waits for running appends. PostgreSQL re-evaluates the
     * condition after the wait, with the new version of the row; the other tables are read as of the start of the statement.
     *
     * @return the new epoch; empty if another process was first
     */
    private Mono<Long> raise(long epoch, int diverged, String condition) {
        return db.sql(sql(RAISE.replace("CONDITION", condition)))
                .bind("epoch", epoch)
                .bind("diverged", diverged)
                .mapValue(Long.class)
                .one()
                .filter(now -> now > 0)
                .doOnNext(_ -> raised.increment());
    }

    /** Begins a new epoch for an operator: all entries up to the present heads stay valid. */
    Mono<LogState> raiseNow() {
        return readHeads()
                .flatMap(all -> raise(all.getFirst().head.epoch(), NO_SHARD, "true"))
                .doOnNext(epoch -> log.atWarn()
                        .addKeyValue("schema", schema)
                        .addKeyValue("epoch", epoch)
                        .log("an operator has raised the epoch: followers beyond the end of the log begin anew"))
                .then(Mono.defer(this::state));
    }

    /** Accepts the present database and timeline for an operator. Returns whether they had changed. */
    Mono<Boolean> trustTimeline() {
        return db.sql(trust).fetch().rowsUpdated().map(rows -> rows > 0).doOnNext(changed -> {
            if (changed) {
                log.atWarn()
                        .addKeyValue("schema", schema)
                        .log("the database was promoted or restored and is trusted: the epoch stays as it is");
            }
        });
    }

    private static ApiException stop() {
        return ApiException.unavailable("nothing can be stored until an operator has looked at the database");
    }

    private void noteStop(boolean isStopped) {
        if (stopped.getAndSet(isStopped) != isStopped) {
            log.atError()
                    .addKeyValue("schema", schema)
                    .log(
                            isStopped
                                    ? "the database was promoted or restored: nothing is appended until an operator decides, with"
                                            + " deploy/admin raise-epoch or deploy/admin trust-timeline"
                                    : "an operator has decided: entries are appended again");
        }
    }

    private void complainOfTimeline(long epoch) {
        log.atError()
                .addKeyValue("schema", schema)
                .addKeyValue("epoch", epoch)
                .log(
                        "the database was promoted or restored: its log continues in a new epoch, and followers beyond its end"
                                + " begin anew");
    }

    private void complainOfLoss(long before, int shard) {
        log.atError()
                .addKeyValue("schema", schema)
                .addKeyValue("epochBefore", before)
                .addKeyValue("shard", shard)
                .log(
                        "the database has lost commits that it had acknowledged: its log continues in a new epoch; check its disks"
                                + " and its settings fsync and synchronous_commit");
    }

    private static Heads heads(List<SeenHead> all) {
        long[] positions = new long[all.size()];
        Long[] numbers = new Long[all.size()];
        for (var each : all) {
            positions[each.head.shard()] = each.head.pos();
            numbers[each.head.shard()] = each.head.number();
        }
        return new Heads(all.getFirst().head.epoch(), Positions.of(positions), List.of(numbers));
    }
}
