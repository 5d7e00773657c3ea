package rookery.platform.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.spi.Readable;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;
import rookery.platform.log.EarlierEpochs.Beginning;
import rookery.platform.sql.RequiredColumn;

/**
 * Where one service's log ends, and in which epoch: the tables {@code shard}, {@code epoch} and {@code origin}.
 *
 * <p>A database may lose commits that were acknowledged: a standby is promoted that had not got them, a backup is restored, a disk
 * forgets. Positions would then be given a second time, and whoever stood above them would take the new entries for those that they
 * have. So the epoch is raised before anything is appended when the database runs on another timeline, or is another one, than when it
 * was last seen, and as soon as anybody proves that they stand on a batch that it does not have (DESIGN.md 12, Lost commits).
 */
final class LogEpochs {
    private static final Logger log = LoggerFactory.getLogger(LogEpochs.class);

    private static final int EPOCHS_MAX = 50;

    /** Whether the database is the one, on the timeline, that it was when the epoch began; a standby is not asked. */
    static final String SAME_ORIGIN = """
            (SELECT CASE WHEN pg_is_in_recovery() THEN true
                         ELSE o.system = c.system_identifier
                              AND o.timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END
               FROM SCHEMA.origin o CROSS JOIN pg_control_system() c)""";

    private static final String HEADS = """
            SELECT s.shard, s.epoch, s.pos, s.number, o.same
              FROM SCHEMA.shard s CROSS JOIN (SELECT SAME_ORIGIN AS same) o ORDER BY s.shard
            """;

    private static final String BEGINNINGS = """
            SELECT epoch, shard, began_at FROM SCHEMA.epoch WHERE epoch > :after AND epoch <= :last
            """;

    private static final String RAISE = """
            WITH locked AS (SELECT shard FROM SCHEMA.shard
                             WHERE epoch = :epoch AND (:diverged >= 0 OR NOT SAME_ORIGIN)
                             ORDER BY shard FOR UPDATE),
                 raised AS (UPDATE SCHEMA.shard s SET epoch = s.epoch + 1 FROM locked l WHERE s.shard = l.shard
                            RETURNING s.shard, s.epoch, s.pos),
                 begun AS (INSERT INTO SCHEMA.epoch (epoch, shard, began_at)
                           SELECT epoch, shard, CASE WHEN shard = :diverged THEN 0 ELSE pos END FROM raised),
                 seen AS (UPDATE SCHEMA.origin o
                             SET system = c.system_identifier,
                                 timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
                            FROM pg_control_system() c WHERE EXISTS (SELECT 1 FROM raised))
            SELECT count(*) AS shards FROM raised
            """;

    private final DatabaseClient db;
    private final String schema;
    private final String heads;
    private final String beginnings;
    private final String raise;
    private final Counter raised;

    LogEpochs(DatabaseClient db, String schema, MeterRegistry meters) {
        this.db = db;
        this.schema = schema;
        this.heads = HEADS.replace("SAME_ORIGIN", SAME_ORIGIN).replace("SCHEMA", schema);
        this.beginnings = BEGINNINGS.replace("SCHEMA", schema);
        this.raise = RAISE.replace("SAME_ORIGIN", SAME_ORIGIN).replace("SCHEMA", schema);
        this.raised = Counter.builder("log_epochs_raised")
                .description(
                        "times that the database was found to have lost commits, or to have been promoted or restored")
                .tag("schema", schema)
                .register(meters);
    }

    /** A head, and whether the database is the one that it was. */
    private record Seen(Head head, boolean same) {}

    /** The ends of all shards as of one moment, in the epoch that holds now. */
    Mono<Heads> heads() {
        return db.sql(heads)
                .map(row -> new Seen(head(row), RequiredColumn.of(row, "same", Boolean.class)))
                .all()
                .collectList()
                .flatMap(all -> all.getFirst().same
                        ? Mono.just(heads(all))
                        : raise(new BranchedLogException(all.getFirst().head.epoch(), null))
                                .then(Mono.defer(this::heads)));
    }

    /** The heads, and how far what was said in earlier epochs holds. */
    Mono<LogState> state() {
        // in this order: of what is raised in between, the heads say nothing yet
        return heads().flatMap(now -> earlier(now.epoch()).map(earlier -> new LogState(now, earlier)));
    }

    /** How far what was said in the epochs before this one holds. */
    private Mono<EarlierEpochs> earlier(long epoch) {
        if (epoch == 1) {
            return Mono.just(EarlierEpochs.NONE);
        }
        return db.sql(beginnings)
                .bind("after", epoch - EPOCHS_MAX)
                .bind("last", epoch)
                .map(row -> new Beginning(
                        RequiredColumn.of(row, "epoch", Long.class),
                        RequiredColumn.of(row, "shard", Integer.class),
                        RequiredColumn.of(row, "began_at", Long.class)))
                .all()
                .collectList()
                .map(EarlierEpochs::of);
    }

    /**
     * Begins the next epoch, unless somebody else has. It waits for who is appending. Whether the database is another one is looked at
     * again: whoever waited for a row has seen its new version, but what else they read is as old as their statement.
     */
    Mono<Void> raise(BranchedLogException branch) {
        return db.sql(raise)
                .bind("epoch", branch.epoch)
                .bind("diverged", branch.shard == null ? -1 : branch.shard)
                .mapValue(Long.class)
                .one()
                .doOnNext(shards -> {
                    if (shards > 0) {
                        complain(branch);
                    }
                })
                .then();
    }

    private void complain(BranchedLogException branch) {
        raised.increment();
        var line = log.atError().addKeyValue("schema", schema).addKeyValue("epoch", branch.epoch + 1);
        if (branch.shard == null) {
            line.log(
                    "the database was promoted or restored: its log goes on in a new epoch, and whoever knows more than it has"
                            + " begins anew");
        } else {
            line.addKeyValue("shard", branch.shard)
                    .log(
                            "the database has lost commits that it had acknowledged: its log goes on in a new epoch; look after its disks"
                                    + " and its settings fsync and synchronous_commit");
        }
    }

    private static Heads heads(List<Seen> all) {
        long[] positions = new long[all.size()];
        Long[] numbers = new Long[all.size()];
        for (var each : all) {
            positions[each.head.shard()] = each.head.pos();
            numbers[each.head.shard()] = each.head.number();
        }
        return new Heads(all.getFirst().head.epoch(), Positions.of(positions), List.of(numbers));
    }

    static Head head(Readable row) {
        return new Head(
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class),
                RequiredColumn.of(row, "number", Long.class));
    }
}
