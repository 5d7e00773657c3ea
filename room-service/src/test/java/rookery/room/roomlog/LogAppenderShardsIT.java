// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.model.error.ApiException;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.topic.LogRecord;

/**
 * What appending to many shards at once promises (design.md 12, Append), on a real database, with drafts that are plain texts.
 */
class LogAppenderShardsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TenantId TENANT = TextLog.TENANT;

    private final Database database = TestServers.database("room-service");
    private final DatabaseClient db = TextLog.client(database);
    private final TextLog texts = new TextLog(db);

    @Test
    void shardsThatWaitTogetherShareATransaction() {
        var batches = new AtomicInteger();
        var appender = texts.appender(batch -> {
            batches.incrementAndGet();
            return texts.judge(batch);
        });

        var answers = Flux.range(0, 3_200)
                .flatMap(i -> appender.append(i % Shards.COUNT, TENANT, "room " + i % 50, "m" + i), 3_200)
                .collectList()
                .blockOptional(PATIENCE)
                .orElseThrow();

        assertThat(answers).hasSize(3_200);
        assertThat(batches.get()).as("of 200 drafts, but for the first ones").isLessThan(40);
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            int number = shard;
            assertThat(texts.published.stream()
                            .filter(record -> record.shard() == number)
                            .map(LogRecord::pos))
                    .as("shard %d", shard)
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 3_200 / Shards.COUNT)
                            .boxed()
                            .toList());
        }
    }

    @Test
    void aDraftThatBreaksItsStatementFailsAloneAmongShards() {
        var appender = texts.appender();

        var answers = Flux.range(0, 2 * Shards.COUNT)
                .flatMapSequential(
                        i -> appender.append(i % Shards.COUNT, TENANT, "x", i == 5 ? "broken" : "m" + i)
                                .onErrorReturn("failure"),
                        2 * Shards.COUNT)
                .collectList()
                .blockOptional(PATIENCE)
                .orElseThrow();

        assertThat(answers).filteredOn("failure"::equals).hasSize(1);
        assertThat(answers.get(5)).isEqualTo("failure");
        assertThat(texts.published).hasSize(2 * Shards.COUNT - 1);
    }

    @Test
    void twoInstancesWithRandomShardsNeverWaitForEachOtherInACircle() {
        var instances = List.of(texts.appender(), texts.appender());
        var random = new SplittableRandom(7);
        var drafts = random.ints(4_000, 0, Shards.COUNT).boxed().toList();
        long before = deadlocks();

        var answers = Flux.range(0, drafts.size())
                .flatMap(i -> instances.get(i % 2).append(drafts.get(i), TENANT, "x", "m" + i), 400)
                .collectList()
                .blockOptional(Duration.ofMinutes(2))
                .orElseThrow();

        assertThat(answers).hasSize(drafts.size()).doesNotHaveDuplicates();
        assertThat(texts.published.stream().map(LogRecord::body))
                .hasSize(drafts.size())
                .doesNotHaveDuplicates();
        assertThat(deadlocks()).isEqualTo(before);
    }

    private long deadlocks() {
        return db.sql("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
                .mapValue(Long.class)
                .one()
                .blockOptional(PATIENCE)
                .orElseThrow();
    }

    /** As an instance does whose process stands still in the middle of a batch of several shards. */
    @Test
    void shardsThatAreHeldElsewhereHoldUpNoOthers() throws SQLException {
        var appender = texts.appender();
        try (var holder = database.connect();
                var statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT 1 FROM room.shard WHERE shard < 8 ORDER BY shard FOR UPDATE");
            var held = Flux.range(0, 8)
                    .flatMap(
                            shard -> appender.append(shard, TENANT, "x", "held").onErrorReturn("failure"), 8)
                    .collectList()
                    .toFuture();
            int rounds = 0;
            while (!held.isDone()
                    && rounds < 20) { // as long as those wait, which on a busy machine is not for twenty rounds
                assertThat(Flux.range(8, 8)
                                .flatMap(shard -> appender.append(shard, TENANT, "x", "free"), 8)
                                .collectList()
                                .block(PATIENCE))
                        .hasSize(8);
                rounds++;
            }
            assertThat(rounds).as("the free ones have not waited for those").isGreaterThan(1);
            assertThat(held.join()).containsOnly("failure");
            holder.rollback();
        }
        assertThat(Deadline.in(PATIENCE)
                        .until(() -> appender.append(0, TENANT, "x", "third")
                                .onErrorResume(ApiException.class, _ -> Mono.empty())
                                .blockOptional(PATIENCE)
                                .isPresent()))
                .isTrue();
    }
}
