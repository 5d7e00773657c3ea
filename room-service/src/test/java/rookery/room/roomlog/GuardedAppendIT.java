// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.dao.DataAccessException;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.model.id.TenantId;
import rookery.platform.log.append.BatchJudge;
import rookery.platform.log.append.Decision;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.LogAppender;
import rookery.platform.log.append.Outcome;
import rookery.platform.log.append.RememberedDecision;
import rookery.platform.sql.BoundStatement;

/** Appends with one statement, judged from memory: what it stores, what it must not, and how its failures end. */
class GuardedAppendIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TenantId TENANT = new TenantId(1);
    private static final int SHARD = 3;

    private static Database database;
    private static DatabaseClient db;

    private TextLog texts;

    @BeforeAll
    static void start() {
        database = TestServers.database("room-service");
        db = TextLog.client(database);
    }

    @BeforeEach
    void empty() {
        execute("TRUNCATE room.log_entry, room.batch");
        execute("UPDATE room.shard SET pos = 0, number = 0");
        texts = new TextLog(db);
    }

    private static void execute(String sql) {
        db.sql(sql).then().block(PATIENCE);
    }

    /** Remembers each shard, and marks the entries that were judged from memory. */
    private class Remembering implements BatchJudge<String, String> {
        final List<String> fromMemory = new CopyOnWriteArrayList<>();
        volatile List<BoundStatement> derived = List.of();
        volatile @Nullable BoundStatement unless;

        @Override
        public Mono<Decision<String>> judge(List<ShardDrafts<String>> batch) {
            return texts.judge(batch);
        }

        @Override
        public RememberedDecision<String> remembered(List<ShardDrafts<String>> batch) {
            var drafts =
                    batch.stream().flatMap(shard -> shard.drafts().stream()).toList();
            var outcomes = drafts.stream()
                    .<Outcome<String>>map(draft -> new Outcome.Accepted<>(
                            List.of(new EntryDraft("test", TENANT, null, null, draft + " from memory")), draft))
                    .toList();
            return new RememberedDecision<>(outcomes, unless, derived, () -> fromMemory.addAll(drafts));
        }
    }

    private static Mono<String> append(LogAppender<String, String> appender, String draft) {
        return appender.append(SHARD, TENANT, "room", draft);
    }

    private static String answer(LogAppender<String, String> appender, String draft) {
        return append(appender, draft).blockOptional(PATIENCE).orElseThrow();
    }

    private static List<String> stored() {
        return db.sql("SELECT body FROM room.log_entry WHERE shard = 3 ORDER BY pos")
                .mapValue(String.class)
                .all()
                .collectList()
                .blockOptional(PATIENCE)
                .orElseThrow();
    }

    private static void assertGapless() {
        var positions = db.sql("SELECT pos FROM room.log_entry WHERE shard = 3 ORDER BY pos")
                .mapValue(Long.class)
                .all()
                .collectList()
                .blockOptional(PATIENCE)
                .orElseThrow();
        assertThat(positions)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, positions.size()).boxed().toList());
    }

    @Test
    void theFirstBatchOfAProcessLocksAndReadsAndTheNextOnesDoNot() {
        var judge = new Remembering();
        var appender = texts.appender(judge);

        assertThat(Flux.just("a", "b", "c")
                        .concatMap(draft -> append(appender, draft))
                        .collectList()
                        .block(PATIENCE))
                .containsExactly("a", "b", "c");

        assertThat(stored()).containsExactly("a", "b from memory", "c from memory");
        assertThat(texts.published).hasSize(3).extracting(entry -> entry.pos()).containsExactly(1L, 2L, 3L);
        assertThat(texts.published.get(2).previous())
                .isEqualTo(texts.published.get(1).batch());
    }

    @Test
    void nothingJudgedFromMemoryIsStoredAfterABatchOfAnotherInstance() {
        var judge = new Remembering();
        var appender = texts.appender(judge);
        answer(appender, "a");
        answer(texts.appender(), "of another instance");

        assertThat(answer(appender, "b")).isEqualTo("b");
        assertThat(stored()).containsExactly("a", "of another instance", "b");
        assertThat(judge.fromMemory).isEmpty();

        answer(appender, "c");
        assertThat(judge.fromMemory).containsExactly("c");
        assertGapless();
    }

    @Test
    void aRowOfTheConditionSendsTheBatchToItsLocks() {
        var judge = new Remembering();
        var appender = texts.appender(judge);
        answer(appender, "a");
        judge.unless = new BoundStatement("SELECT 1 FROM room.shard WHERE shard = :own").bind("own", SHARD);

        answer(appender, "b");

        assertThat(stored()).containsExactly("a", "b");
        assertThat(judge.fromMemory).isEmpty();
    }

    /** Two instances: the holder of the lock appends, while the other one, who remembers the shard from before, waits. */
    @Test
    void anAppendThatWaitedIsJudgedOnTheEntriesOfTheHolderOfTheLock() {
        var released = Sinks.<Void>empty();
        var isHeld = new AtomicBoolean();
        BatchJudge<String, String> holding = batch -> texts.judge(batch)
                .map(decision -> new Decision<>(
                        decision.outcomes(),
                        Mono.<Void>fromRunnable(() -> isHeld.set(true)).then(released.asMono()),
                        decision.committed()));
        var seen = new CopyOnWriteArrayList<List<String>>();
        var judge = new Remembering() {
            @Override
            public Mono<Decision<String>> judge(List<ShardDrafts<String>> batch) {
                return db.sql("SELECT body FROM room.log_entry WHERE shard = 3 ORDER BY pos")
                        .mapValue(String.class)
                        .all()
                        .collectList()
                        .doOnNext(seen::add)
                        .then(super.judge(batch));
            }
        };
        var waiter = texts.appender(judge);
        answer(waiter, "a");
        seen.clear();

        var ban = append(texts.appender(holding), "ban").toFuture();
        assertThat(Deadline.in(PATIENCE).until(isHeld::get)).isTrue();
        var message = append(waiter, "message").toFuture();
        assertThat(Deadline.in(PATIENCE).until(GuardedAppendIT::isLockAwaited)).isTrue();
        released.tryEmitEmpty();

        assertThat(ban.join()).isEqualTo("ban");
        assertThat(message.join()).isEqualTo("message");
        assertThat(seen).containsExactly(List.of("a", "ban"));
        assertThat(judge.fromMemory).isEmpty();
        assertThat(stored()).containsExactly("a", "ban", "message");
    }

    private static boolean isLockAwaited() {
        return Boolean.TRUE.equals(
                db.sql("SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock')")
                        .mapValue(Boolean.class)
                        .one()
                        .block(PATIENCE));
    }

    @Test
    void aStatementThatFailsStoresNothing() {
        var judge = new Remembering();
        var appender = texts.appender(judge);
        answer(appender, "a");
        judge.derived = List.of(
                new BoundStatement("UPDATE room.batch SET created_ms = 1 / :zero WHERE (SELECT holds FROM guard)")
                        .bind("zero", 0));
        assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> answer(appender, "broken"));

        judge.derived = List.of();
        assertThat(answer(appender, "b")).isEqualTo("b");

        assertThat(stored()).containsExactly("a", "b from memory");
        assertGapless();
    }

    /** A statement without BEGIN commits after its last row is sent, and the commit can fail. */
    @Test
    void aCommitThatFailsIsNotAcknowledged() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("""
                    CREATE FUNCTION room.refuse() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'refused at the commit'; END $$""");
            statement.execute("""
                    CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON room.log_entry DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW WHEN (NEW.body LIKE 'doomed%') EXECUTE FUNCTION room.refuse()""");
        }
        var judge = new Remembering();
        var appender = texts.appender(judge);
        answer(appender, "a");

        assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> answer(appender, "doomed"));

        assertThat(answer(appender, "b")).isEqualTo("b");
        assertThat(stored()).doesNotContain("doomed", "doomed from memory").hasSize(2);
        assertThat(texts.published).hasSize(2);
        assertGapless();
        execute("DROP FUNCTION room.refuse CASCADE");
    }

    @Test
    void aLostAnswerIsLookedUpAndNotAppendedAgain() {
        var judge = new Remembering();
        var loses = new AtomicBoolean();
        var losing = DatabaseClient.builder()
                .connectionFactory(db.getConnectionFactory())
                .bindMarkers(org.springframework.r2dbc.core.binding.BindMarkersFactory.indexed("$", 1))
                .executeFunction(statement -> loses.getAndSet(false) ? lost(statement) : statement.execute())
                .build();
        var appender = texts.appender(judge, losing);
        answer(appender, "a");
        loses.set(true);

        assertThat(answer(appender, "b")).isEqualTo("b");

        assertThat(stored()).containsExactly("a", "b from memory");
        assertThat(texts.published).hasSize(2);
        answer(appender, "c");
        assertGapless();
    }

    private static Publisher<? extends Result> lost(Statement statement) {
        Function<Result, Publisher<Long>> drained = Result::getRowsUpdated;
        return Flux.from(statement.execute())
                .concatMap(drained)
                .thenMany(Mono.error(new IOException("connection reset")));
    }

    @Test
    void killedSessionsLoseNothingThatWasAcknowledgedAndDoubleNothing() {
        var judge = new Remembering();
        var appender = texts.appender(judge);
        var superuser = TestServers.superuserOf(database);
        var acknowledged = new CopyOnWriteArrayList<String>();
        var sending = Flux.range(0, 600)
                .flatMap(
                        i -> append(appender, "m" + i)
                                .doOnNext(acknowledged::add)
                                .onErrorResume(_ -> Mono.empty()),
                        8)
                .then()
                .toFuture();
        while (!sending.isDone()) {
            superuser.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'room' AND datname = '"
                            + database.name() + "'");
            int before = acknowledged.size();
            assertThat(Deadline.in(PATIENCE).until(() -> sending.isDone() || acknowledged.size() > before))
                    .isTrue();
        }

        assertThat(stored().stream().map(body -> body.replace(" from memory", "")))
                .doesNotHaveDuplicates()
                .containsAll(acknowledged);
        assertThat(judge.fromMemory).isNotEmpty();
        assertGapless();
    }
}
