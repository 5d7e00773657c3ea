// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.POST;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.topic.LogRecord;
import rookery.platform.http.ServiceAccess;
import rookery.platform.http.ServiceName;
import rookery.platform.log.append.BatchJudge.ShardDrafts;
import rookery.platform.log.append.Decision;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.LogApi;
import rookery.platform.log.append.LogAppender;
import rookery.platform.log.append.LogEntries;
import rookery.platform.log.append.OnNewTimeline;
import rookery.platform.log.append.Outcome;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the owner of a log does when the database no longer has what it had committed (design.md 12, Lost commits). */
class LostCommitsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TenantId TENANT = new TenantId(1);
    private static final int SHARD = 3;
    private static final int OTHER = 5;

    private final Database database = TestServers.database("room-service");
    private final DatabaseClient db = TextLog.client(database);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final LogEntries entries = entries(OnNewTimeline.RAISE);
    private final List<LogRecord> published = new CopyOnWriteArrayList<>();
    private final LogAppender<String, String> appender = appender(1);

    private LogEntries entries(OnNewTimeline onNewTimeline) {
        return new LogEntries(db, "room", meters, onNewTimeline);
    }

    private LogAppender<String, String> appender(long seed) {
        return appender(entries, seed);
    }

    private LogAppender<String, String> appender(LogEntries entries, long seed) {
        return new LogAppender<>(
                entries,
                LostCommitsIT::judge,
                TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory())),
                published::addAll,
                Clock.systemUTC(),
                new SplittableRandom(seed),
                TextLog.WIDTH);
    }

    private static Mono<Decision<String>> judge(List<ShardDrafts<String>> batch) {
        var outcomes = batch.stream()
                .flatMap(shard -> shard.drafts().stream())
                .<Outcome<String>>map(draft ->
                        new Outcome.Accepted<>(List.of(new EntryDraft("test", TENANT, null, null, draft)), draft))
                .toList();
        return Mono.just(new Decision<>(outcomes, Mono.empty(), () -> {}));
    }

    @BeforeEach
    void begin() {
        append(appender, SHARD, "a", "b", "c", "d");
        append(appender, OTHER, "x");
    }

    private static void append(LogAppender<String, String> appender, int shard, String... drafts) {
        Flux.just(drafts)
                .concatMap(draft -> appender.append(shard, TENANT, draft, draft))
                .blockLast(PATIENCE);
    }

    @Test
    void recordsNameTheirBatchAndTheOneBefore() {
        var ofShard = published.stream().filter(entry -> entry.shard() == SHARD).toList();
        assertThat(ofShard.getFirst().previous()).isZero();
        for (int i = 1; i < ofShard.size(); i++) {
            assertThat(ofShard.get(i).previous())
                    .isEqualTo(ofShard.get(i - 1).batch())
                    .isPositive();
        }
    }

    @Test
    void whoAppendsNoticesThatItsOwnCommitsAreGone() {
        lose(SHARD, 2);

        append(appender, SHARD, "e");

        assertThat(published.getLast().epoch()).isGreaterThan(1);
        assertThat(published.getLast().pos()).isEqualTo(3);
        assertThat(beganAt(SHARD)).as("nobody knows from where on it was lost").isZero();
        assertThat(beganAt(OTHER)).isEqualTo(1);
        assertThat(raised()).isEqualTo(1);
    }

    @Test
    void whoAppendsNoticesThatOthersHaveTakenTheirPlace() {
        lose(SHARD, 1);
        append(appender(2), SHARD, "of another instance", "and more");

        append(appender, SHARD, "e");

        assertThat(published.getLast().epoch()).isGreaterThan(1);
        assertThat(published.getLast().pos()).isEqualTo(6);
    }

    @Test
    void followerThatKnowsAnotherBatchProvesTheLoss() {
        long lost = published.stream()
                .filter(entry -> entry.shard() == SHARD)
                .toList()
                .getLast()
                .batch();
        lose(SHARD, 1);
        append(appender(2), SHARD, "instead", "and more");

        assertThat(epochOfRange(SHARD, 4, 0))
                .as("who knows no batch is believed")
                .isEqualTo(1);
        assertThat(epochOfRange(SHARD, 4, lost)).isGreaterThan(1);
        assertThat(beganAt(SHARD)).isZero();
    }

    @Test
    void followerBeyondTheEndProvesTheLoss() {
        lose(SHARD, 2);

        assertThat(epochOfRange(SHARD, 4, 0)).isGreaterThan(1);
        assertThat(raised()).isEqualTo(1);
    }

    @Test
    void promotedDatabaseGoesOnInAnEpochThatBeginsWhereItEnds() {
        lose(SHARD, 2);
        db.sql("UPDATE room.origin SET timeline = '00000000'").then().block(PATIENCE);

        append(appender, SHARD, "e");

        assertThat(published.getLast().epoch()).isGreaterThan(1);
        assertThat(beganAt(SHARD)).isEqualTo(2);
        assertThat(beganAt(OTHER)).isEqualTo(1);
        append(appender, OTHER, "y");
        assertThat(raised()).isEqualTo(1);
    }

    @Test
    void promotionIsNoticedWithoutAnAppend() {
        db.sql("UPDATE room.origin SET system = 1").then().block(PATIENCE);

        long raised = Objects.requireNonNull(entries.heads().block(PATIENCE)).epoch();
        assertThat(raised).isGreaterThan(1);
        assertThat(epoch()).isEqualTo(raised);
        assertThat(beganAt(SHARD)).isEqualTo(4);
    }

    @Test
    void manyNoticeItAtOnceAndTheEpochIsRaisedOnce() {
        db.sql("UPDATE room.origin SET timeline = '00000000'").then().block(PATIENCE);

        Flux.range(0, Shards.COUNT)
                .flatMap(shard -> appender.append(shard, TENANT, "turn", "at once"), Shards.COUNT)
                .blockLast(PATIENCE);

        assertThat(published)
                .filteredOn(entry -> entry.body().equals("at once"))
                .hasSize(Shards.COUNT)
                .allMatch(entry -> entry.epoch() == epoch());
        assertThat(raised()).isEqualTo(1);
    }

    @Test
    void twoInstancesNoticeItAtOnceAndTheEpochIsRaisedOnce() {
        promote();
        var other = appender(entries(OnNewTimeline.RAISE), 2);

        Flux.range(0, Shards.COUNT)
                .flatMap(
                        shard -> (shard % 2 == 0 ? appender : other).append(shard, TENANT, "turn", "at once"),
                        Shards.COUNT)
                .blockLast(PATIENCE);

        assertThat(raised()).isEqualTo(1);
        assertThat(countOfEpochs()).isEqualTo(1);
    }

    @Test
    void noEpochGetsANumberThatADatabaseOfBeforeTheRestoreHasGiven() {
        promote();
        long undone = epoch();
        db.sql("UPDATE room.shard SET epoch = 1")
                .then()
                .then(db.sql("DELETE FROM room.epoch").then())
                .block(PATIENCE);
        long second = System.currentTimeMillis() / 1000;
        assertThat(Deadline.in(PATIENCE).until(() -> System.currentTimeMillis() / 1000 > second))
                .isTrue();

        promote(); // restored from a backup of before

        assertThat(epoch()).isGreaterThan(undone);
    }

    @Test
    void whoIsToStopAppendsNothingUntilAnOperatorHasRaisedTheEpoch() {
        var ofThis = new SimpleMeterRegistry();
        var stopping = new LogEntries(db, "room", ofThis, OnNewTimeline.STOP);
        var careful = appender(stopping, 2);
        lose(SHARD, 2);
        promote();

        assertThatThrownBy(() -> append(careful, SHARD, "e")).hasMessageContaining("operator");
        assertThatThrownBy(() -> stopping.checkOpen().block(PATIENCE)).hasMessageContaining("operator");
        assertThat(ofThis.get("log_stopped").gauge().value()).isEqualTo(1);
        assertThat(Objects.requireNonNull(stopping.heads().block(PATIENCE)).epoch())
                .as("what is there is read on")
                .isEqualTo(1);
        assertThat(status(stopping, GET, "/internal/log/%d?after=4".formatted(SHARD)))
                .as("that somebody knows more decides nothing")
                .matches(HttpStatusCode::is5xxServerError);
        assertThat(countOfEpochs()).isZero();

        assertThat(status(stopping, POST, "/internal/admin/raise-epoch")).isEqualTo(HttpStatus.OK);

        append(careful, SHARD, "e");
        stopping.checkOpen().block(PATIENCE);
        assertThat(published.getLast().epoch()).isGreaterThan(1);
        assertThat(published.getLast().pos()).isEqualTo(3);
        assertThat(beganAt(SHARD)).isEqualTo(2);
    }

    @Test
    void whoIsToStopGoesOnInTheSameEpochWhenAnOperatorTrustsTheTimeline() {
        var stopping = entries(OnNewTimeline.STOP);
        var careful = appender(stopping, 2);
        promote();
        assertThatThrownBy(() -> append(careful, SHARD, "e")).hasMessageContaining("operator");

        assertThat(status(stopping, POST, "/internal/admin/trust-timeline")).isEqualTo(HttpStatus.OK);

        append(careful, SHARD, "e");
        assertThat(published.getLast().epoch()).isEqualTo(1);
        assertThat(countOfEpochs()).isZero();
    }

    @Test
    void whoIsToTrustNotesTheTimelineAndRaisesNothing() {
        promote();
        append(appender(entries(OnNewTimeline.TRUST), 2), SHARD, "e");

        assertThat(published.getLast().epoch()).isEqualTo(1);
        assertThat(published.getLast().pos()).isEqualTo(5);
        assertThat(epoch()).as("noted for those who would raise").isEqualTo(1);
    }

    @Test
    void anOperatorRaisesTheEpochOnceHoweverManyAskAtOnce() {
        Flux.range(0, 4)
                .flatMap(_ -> Mono.fromCallable(() -> status(entries, POST, "/internal/admin/raise-epoch"))
                        .subscribeOn(Schedulers.boundedElastic()))
                .doOnNext(status -> assertThat(status).isEqualTo(HttpStatus.OK))
                .blockLast(PATIENCE);

        assertThat(beganAt(SHARD)).isEqualTo(4);
        assertThat(beganAt(OTHER)).isEqualTo(1);
        append(appender, SHARD, "e");
        assertThat(published.getLast().epoch()).isEqualTo(epoch()).isGreaterThan(1);
    }

    private void promote() {
        db.sql("UPDATE room.origin SET timeline = '00000000'").then().block(PATIENCE);
    }

    private long countOfEpochs() {
        return Objects.requireNonNull(db.sql("SELECT count(DISTINCT epoch) FROM room.epoch")
                .mapValue(Long.class)
                .one()
                .block(PATIENCE));
    }

    private static HttpStatusCode status(LogEntries entries, HttpMethod method, String path) {
        return as(ServiceName.OPERATOR, entries)
                .method(method)
                .uri(path)
                .exchange()
                .returnResult(Void.class)
                .getStatus();
    }

    private static WebTestClient as(ServiceName caller, LogEntries entries) {
        return WebTestClient.bindToRouterFunction(new LogApi(entries, Set.of(ServiceName.SYNC)))
                .webFilter((exchange, chain) -> {
                    exchange.getAttributes().put(ServiceAccess.class.getName(), caller);
                    return chain.filter(exchange);
                })
                .configureClient()
                .responseTimeout(PATIENCE)
                .build();
    }

    @Test
    void headsAreRepeatedUnlessTheFollowerHasThem() {
        String stamp = heads("").path("stamp").asString();

        assertThat(heads("?seen=" + stamp).path("positions").isNull()).isTrue();
        append(appender, SHARD, "e");
        var next = heads("?seen=" + stamp);
        assertThat(next.path("positions").path(SHARD).longValue()).isEqualTo(5);
        lose(SHARD, 1);
        append(appender(2), SHARD, "instead");
        assertThat(heads("?seen=" + next.path("stamp").asString())
                        .path("numbers")
                        .isArray())
                .as("the same position of another batch")
                .isTrue();
        assertThat(heads("?seen=nonsense").path("positions").isArray()).isTrue();
    }

    private JsonNode heads(String query) {
        return read("/internal/log/heads" + query);
    }

    private JsonNode read(String path) {
        byte[] body = as(ServiceName.SYNC, entries)
                .get()
                .uri(path)
                .exchange()
                .expectBody()
                .returnResult()
                .getResponseBodyContent();
        return JsonMapper.shared().readTree(Objects.requireNonNull(body));
    }

    private long epochOfRange(int shard, long after, long number) {
        return read("/internal/log/%d?after=%d&number=%d".formatted(shard, after, number))
                .path("epoch")
                .longValue();
    }

    private long beganAt(int shard) {
        return db.sql(
                        "SELECT began_at FROM room.epoch WHERE epoch = (SELECT max(epoch) FROM room.epoch) AND shard = :shard")
                .bind("shard", shard)
                .mapValue(Long.class)
                .one()
                .blockOptional(PATIENCE)
                .orElseThrow();
    }

    private long epoch() {
        return Objects.requireNonNull(entries.heads().block(PATIENCE)).epoch();
    }

    private double raised() {
        return meters.get("log_epochs_raised").counter().count();
    }

    /** As if the last batches, of one entry each, had never been committed. */
    private void lose(int shard, int batches) {
        for (String sql : List.of(
                "UPDATE room.shard SET pos = pos - :n WHERE shard = :shard",
                "DELETE FROM room.batch b USING room.shard s WHERE s.shard = :shard AND b.shard = s.shard AND last_pos > pos"
                        + " AND :n > 0",
                "DELETE FROM room.log_entry e USING room.shard s WHERE s.shard = :shard AND e.shard = s.shard AND e.pos > s.pos"
                        + " AND :n > 0",
                "UPDATE room.shard s SET number = (SELECT number FROM room.batch b WHERE b.shard = s.shard AND last_pos = s.pos)"
                        + " WHERE s.shard = :shard AND :n > 0")) {
            db.sql(sql).bind("shard", shard).bind("n", batches).then().block(PATIENCE);
        }
    }
}
