// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.embedded.Database;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.BatchJudge;
import rookery.platform.log.append.BatchJudge.ShardDrafts;
import rookery.platform.log.append.Decision;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.LogAppender;
import rookery.platform.log.append.LogEntries;
import rookery.platform.log.append.OnNewTimeline;
import rookery.platform.log.append.Outcome;

/** Appends plain texts to the room log, and remembers what was published. */
final class TextLog {
    static final LogAppender.Width WIDTH = new LogAppender.Width(2, 16);
    static final TenantId TENANT = new TenantId(1);

    final List<LogRecord> published = new CopyOnWriteArrayList<>();
    private final DatabaseClient db;

    TextLog(DatabaseClient db) {
        this.db = db;
    }

    static DatabaseClient client(Database database) {
        var options = ConnectionFactoryOptions.parse(database.r2dbcUrl())
                .mutate()
                .option(ConnectionFactoryOptions.USER, database.username())
                .option(ConnectionFactoryOptions.PASSWORD, database.password())
                .option(
                        PostgresqlConnectionFactoryProvider.OPTIONS,
                        Map.of("lock_timeout", "2s", "statement_timeout", "3s"))
                .build();
        return DatabaseClient.create(ConnectionFactories.get(options));
    }

    /** As room-service appends. */
    LogAppender<String, String> appender() {
        return appender(this::judge);
    }

    LogAppender<String, String> appender(BatchJudge<String, String> judge) {
        return appender(judge, db);
    }

    /** @param entriesDb executes the statements of the log, except BEGIN and COMMIT */
    LogAppender<String, String> appender(BatchJudge<String, String> judge, DatabaseClient entriesDb) {
        var tx = TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory()));
        return new LogAppender<>(
                new LogEntries(entriesDb, "room", new SimpleMeterRegistry(), OnNewTimeline.RAISE),
                judge,
                tx,
                published::addAll,
                Clock.systemUTC(),
                new SplittableRandom(1),
                WIDTH);
    }

    /**
     * A draft "refused" is refused, "broken" breaks its statement, "slow" takes longer than it may, "two" makes two entries; all
     * others one.
     */
    Mono<Decision<String>> judge(List<ShardDrafts<String>> batch) {
        var drafts = batch.stream().flatMap(shard -> shard.drafts().stream()).toList();
        var outcomes = new ArrayList<Outcome<String>>();
        for (String draft : drafts) {
            outcomes.add(
                    switch (draft) {
                        case "refused" -> new Outcome.Refused<>(new ApiException(ErrorCode.M_FORBIDDEN, "no"));
                        case "two" -> new Outcome.Accepted<>(List.of(entry("two-1"), entry("two-2")), draft);
                        default -> new Outcome.Accepted<>(List.of(entry(draft)), draft);
                    });
        }
        Mono<Void> derived = drafts.contains("broken")
                ? db.sql("SELECT 1 / 0").then()
                : drafts.contains("slow") ? db.sql("SELECT pg_sleep(5)").then() : Mono.empty();
        return Mono.just(new Decision<>(outcomes, derived, () -> {}));
    }

    private static EntryDraft entry(String body) {
        return new EntryDraft("test", TENANT, null, null, body);
    }
}
