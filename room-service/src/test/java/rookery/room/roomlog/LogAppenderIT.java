// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.model.topic.LogRecord;
import rookery.platform.log.append.BatchJudge;
import rookery.platform.log.append.Decision;
import rookery.platform.log.append.LogAppender;
import rookery.platform.log.append.LogEntries;
import rookery.platform.log.append.OnNewTimeline;

/** What appending promises, on a real database, with drafts that are plain texts. */
class LogAppenderIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TenantId TENANT = new TenantId(1);
    private static final int SHARD = 3;

    private final Database database = TestServers.database("room-service");
    private final DatabaseClient db = TextLog.client(database);
    private final TextLog texts = new TextLog(db);
    private final List<LogRecord> published = texts.published;

    private Mono<String> append(LogAppender<String, String> appender, String draft) {
        return appender.append(SHARD, TENANT, draft, draft);
    }

    private List<String> bodies() {
        return db.sql("SELECT body FROM room.log_entry WHERE shard = 3 ORDER BY pos")
                .mapValue(String.class)
                .all()
                .collectList()
                .blockOptional(PATIENCE)
                .orElseThrow();
    }

    private void assertGapless() {
        var positions = db.sql("SELECT pos FROM room.log_entry WHERE shard = 3 ORDER BY pos")
                .mapValue(Long.class)
                .all()
                .collectList()
                .blockOptional(PATIENCE)
                .orElseThrow();
        assertThat(positions)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, positions.size()).boxed().toList());
        assertThat(db.sql("SELECT pos FROM room.shard WHERE shard = 3")
                        .mapValue(Long.class)
                        .one()
                        .block(PATIENCE))
                .isEqualTo(positions.size());
    }

    @BeforeEach
    void empty() {
        published.clear();
    }

    @Test
    void manyAtOnceLeaveNoGapAndArePublishedInOrder() {
        var appender = texts.appender();

        Flux.range(0, 500).flatMap(i -> append(appender, "m" + i), 500).then().block(PATIENCE);

        assertGapless();
        assertThat(bodies()).hasSize(500).doesNotHaveDuplicates();
        assertThat(published.stream().map(LogRecord::pos))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 500).boxed().toList());
    }

    @Test
    void twoInstancesShareAShardWithoutAGap() {
        var one = texts.appender();
        var other = texts.appender();

        Flux.range(0, 300)
                .flatMap(i -> append(i % 2 == 0 ? one : other, "m" + i), 300)
                .then()
                .block(PATIENCE);

        assertGapless();
        assertThat(bodies()).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void aRefusedDraftFailsAlone() {
        var appender = texts.appender();

        var answers = Flux.just("a", "refused", "b")
                .flatMapSequential(draft -> append(appender, draft).onErrorReturn("refusal"))
                .collectList()
                .block(PATIENCE);

        assertThat(answers).containsExactly("a", "refusal", "b");
        assertThat(bodies()).containsExactlyInAnyOrder("a", "b");
        assertGapless();
    }

    @Test
    void aDraftThatBreaksItsStatementFailsAlone() {
        var appender = texts.appender();

        var answers = Flux.just("a", "broken", "b", "c")
                .flatMapSequential(draft -> append(appender, draft).onErrorReturn("failure"))
                .collectList()
                .block(PATIENCE);

        assertThat(answers).containsExactly("a", "failure", "b", "c");
        assertThat(bodies()).containsExactlyInAnyOrder("a", "b", "c");
        assertGapless();
    }

    @Test
    void aDraftThatTakesTooLongFailsAlone() {
        var appender = texts.appender();
        var failed = new CopyOnWriteArrayList<String>();
        Flux.concat(Flux.just("first"), Flux.range(0, 9).map(i -> "m" + i), Flux.just("slow"))
                .flatMap(draft -> append(appender, draft).onErrorResume(_ -> {
                    failed.add(draft);
                    return Mono.empty();
                }))
                .then()
                .block(Duration.ofMinutes(1));
        assertThat(failed).containsExactly("slow");
        assertThat(bodies()).hasSize(10).contains("first", "m0", "m8");
        assertGapless();
    }

    @Test
    void aUnitEndsWithItsLastEntry() {
        append(texts.appender(), "two").block(PATIENCE);

        assertThat(published).extracting(LogRecord::body).containsExactly("two-1", "two-2");
        assertThat(published).extracting(LogRecord::unitEnd).containsExactly(false, true);
    }

    @Test
    void whateverBreaksAfterTheCommitAppendsNothingTwice() {
        BatchJudge<String, String> careless = batch -> texts.judge(batch)
                .map(decision -> new Decision<>(decision.outcomes(), decision.derived(), () -> {
                    throw new IllegalStateException("planted");
                }));

        assertThat(append(texts.appender(careless), "a").block(PATIENCE)).isEqualTo("a");
        assertThat(bodies()).containsExactly("a");
    }

    @Test
    void aLostAnswerOfACommitIsLookedUpAndNotAppendedAgain() {
        var commits = new AtomicInteger();
        var real = new R2dbcTransactionManager(db.getConnectionFactory());
        // commits and then reports an unknown outcome
        TransactionalOperator losing = new TransactionalOperator() {
            private final TransactionalOperator tx = TransactionalOperator.create(real);

            @Override
            public <T> Mono<T> transactional(Mono<T> mono) {
                return commits.getAndIncrement() == 0
                        ? tx.transactional(mono).flatMap(_ -> Mono.error(new java.io.IOException("connection reset")))
                        : tx.transactional(mono);
            }

            @Override
            public <T> Flux<T> execute(org.springframework.transaction.reactive.TransactionCallback<T> action) {
                return tx.execute(action);
            }
        };
        var appender = new LogAppender<String, String>(
                new LogEntries(db, "room", new SimpleMeterRegistry(), OnNewTimeline.RAISE),
                texts::judge,
                losing,
                published::addAll,
                Clock.systemUTC(),
                new SplittableRandom(1),
                TextLog.WIDTH);

        assertThat(append(appender, "a").block(PATIENCE)).isEqualTo("a");

        assertThat(bodies()).containsExactly("a");
        assertThat(published).hasSize(1);
        assertThat(commits).hasValue(2);
    }

    @Test
    void killedSessionsLoseNothingThatWasAcknowledgedAndDoubleNothing() {
        var appender = texts.appender();
        var superuser = TestServers.superuserOf(database);
        var acknowledged = new CopyOnWriteArrayList<String>();
        var sending = Flux.range(0, 400)
                .flatMap(
                        i -> append(appender, "m" + i)
                                .doOnNext(acknowledged::add)
                                .onErrorResume(_ -> Mono.empty()),
                        8)
                .then()
                .toFuture();

        int kills = 0;
        while (!sending.isDone()) {
            superuser.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'room' AND datname = '"
                            + database.name() + "'");
            kills++;
            int before = acknowledged.size();
            assertThat(Deadline.in(PATIENCE).until(() -> sending.isDone() || acknowledged.size() > before))
                    .as("goes on after %s kills", kills)
                    .isTrue();
        }

        assertThat(kills).isGreaterThan(2);
        assertThat(bodies()).doesNotHaveDuplicates().containsAll(acknowledged);
        assertGapless();
    }

    /** As a process does whose connection stands still in the middle of a batch. */
    @Test
    void aShardThatIsHeldElsewhereIsRefusedAtOnceAndGoesOnOnceItIsFree() throws SQLException {
        var appender = texts.appender();
        try (var holder = database.connect();
                var statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT 1 FROM room.shard WHERE shard = 3 FOR UPDATE");
            assertThatExceptionOfType(DataAccessException.class)
                    .isThrownBy(() -> append(appender, "first").block(PATIENCE));
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> append(appender, "second").block(PATIENCE))
                    .satisfies(refusal -> assertThat(refusal.status).isEqualTo(503));
            assertThat(appender.append(SHARD + 1, TENANT, "x", "elsewhere").block(PATIENCE))
                    .isEqualTo("elsewhere");
            holder.rollback();
        }
        assertThat(Deadline.in(PATIENCE).until(() -> isAppended(appender, "third")))
                .isTrue();
        assertThat(bodies()).containsExactly("third");
    }

    private boolean isAppended(LogAppender<String, String> appender, String draft) {
        return append(appender, draft)
                .onErrorResume(ApiException.class, _ -> Mono.empty())
                .blockOptional(PATIENCE)
                .isPresent();
    }

    @Test
    void aFullQueueIsShedAndSaysToComeBack() {
        BatchJudge<String, String> never = _ -> Mono.never();
        var appender = texts.appender(never);
        var refused = new CopyOnWriteArrayList<Throwable>();

        var waiting = Flux.range(0, 6_000)
                .flatMap(i -> append(appender, "m" + i).doOnError(refused::add).onErrorResume(_ -> Mono.empty()), 6_000)
                .then()
                .toFuture();

        assertThat(refused)
                .hasSizeGreaterThan(500)
                .allSatisfy(
                        failure -> assertThat(((ApiException) failure).status).isEqualTo(503));
        waiting.cancel(true);
    }
}
