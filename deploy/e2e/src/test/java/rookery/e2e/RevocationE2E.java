// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.e2e.running.FrozenProcesses;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/**
 * After the response of a revocation every gateway refuses the token, whatever the state of Redis; and no fault of Redis logs a
 * user out (design.md 6).
 */
@BreaksCluster("freezes and kills Redis")
class RevocationE2E {
    private static final String UNKNOWN = "M_UNKNOWN_TOKEN";
    private static final String LOCKED = "M_USER_LOCKED";
    private static final int ATTEMPTS = 3;
    private static final int WARM = 3;
    private static final int AFTERWARDS = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration POLL = Duration.ofSeconds(30);
    /** Polls end within a moment; it is long because the machine may be busy, and short because they wait for thirty seconds. */
    private static final Duration MOMENT = Duration.ofSeconds(5);

    private final Rookery rookery;
    private final RedisFaults redis;
    private Http first;
    private Http second;
    private Session root;

    RevocationE2E(Rookery rookery) {
        this.rookery = rookery;
        this.redis = new RedisFaults(rookery);
    }

    /** A fault of Redis. */
    private interface Fault {
        void happen() throws Exception;
    }

    private interface EndAction {
        void run(Session own, Session gone) throws IOException;
    }

    /**
     * A way to end a session.
     *
     * @param errcode with which the dead token is refused
     * @param ownStays whether the token of the user's other device lives on
     */
    private record EndCase(String name, String errcode, boolean ownStays, EndAction deed) {}

    /** A session to end, and another session of the same user. */
    private record Pair(EndCase way, Session own, Session gone) {}

    /** The times at which a session's end was requested and answered; an unanswered request promises nothing. */
    private record SessionEnd(long begunNanos, long answeredNanos, boolean isAnswered) {}

    /** A pair, and who looks on. */
    private record Case(Pair pair, List<Watch> gone, List<Watch> staying, Future<Answer> poll) {}

    @BeforeEach
    void connect() throws IOException {
        first = rookery.http();
        second = Http.to(rookery.site("localhost", 2));
        root = Steps.administrator(rookery, first);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    @Test
    void revokedTokensAreRefusedByEveryGatewayAtOnce() throws Exception {
        assertHolds(() -> {}, () -> {});
    }

    @Test
    void revocationsHoldWhileRedisLosesItsData() throws Exception {
        assertHolds(redis::flush, redis::flush);
    }

    @Test
    void revocationsHoldWhileRedisIsKilled() throws Exception {
        assertHolds(redis::kill, redis::killAndAwaitReturn);
    }

    @Test
    void revocationsHoldWhileRedisStandsStill() throws Exception {
        var frozen = new ArrayList<FrozenProcesses>();
        try {
            assertHolds(
                    () -> frozen.add(FrozenProcesses.freeze(rookery, RedisFaults.NAME)),
                    () -> frozen.removeFirst().close());
        } finally {
            frozen.forEach(FrozenProcesses::close);
        }
    }

    /** Gateways go on remembering tokens while auth-service cannot tell Redis: only time helps. */
    @Test
    void revocationsHoldWhileRedisDoesNotTakeThem() throws Exception {
        try {
            assertHolds(() -> redis.permitScripts(false), () -> {});
        } finally {
            redis.permitScripts(true);
        }
    }

    @Test
    void nobodyIsLoggedOutWhenNobodyCanBeAsked() throws Exception {
        var ada = People.newcomer(first, "ada");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var _ = FrozenProcesses.freeze(rookery, RedisFaults.NAME);
                var _ = FrozenProcesses.freeze(rookery, "auth-service-1")) {
            var answers = List.of(first, second).stream()
                    .map(gateway -> threads.submit(() -> rooms(ada.through(gateway))))
                    .toList();
            for (var answer : answers) {
                assertThat(answer.get().status()).as(answer.get().toString()).isEqualTo(503);
                assertThat(answer.get().errcode()).isEqualTo("M_UNKNOWN");
                assertThat(answer.get().headers().firstValue("Retry-After")).isPresent();
            }
        }
        for (var gateway : List.of(first, second)) {
            assertThat(Deadline.in(PATIENCE).until(() -> isBack(ada.through(gateway))))
                    .isTrue();
        }
    }

    /**
     * Ends sessions in every way at the same time; a request without a response is repeated once.
     *
     * @param before the fault of Redis before the requests
     * @param between the fault of Redis after the responses
     */
    private void assertHolds(Fault before, Fault between) throws Exception {
        var ways = ways();
        for (int attempt = 0; attempt < ATTEMPTS && !ways.isEmpty(); attempt++) {
            ways = unanswered(ways, before, between);
        }
        assertThat(ways).as("not answered").isEmpty();
    }

    private List<EndCase> unanswered(List<EndCase> ways, Fault before, Fault between) throws Exception {
        var pairs = new ArrayList<Pair>();
        for (var way : ways) {
            var own = People.newcomer(first, "ada");
            pairs.add(new Pair(way, own, Session.login(first, own.userId())));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long waiting = waiters();
            var cases = pairs.stream().map(pair -> watched(pair, threads)).toList();
            var others = List.of(watch(root, first, threads), watch(root, second, threads));
            try {
                cases.forEach(one -> one.gone.forEach(RevocationE2E::awaitWarm));
                assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> waiters() - waiting >= cases.size()))
                        .as("the polls are parked")
                        .isTrue();
                return unanswered(cases, others, before, between, threads);
            } finally {
                cases.forEach(RevocationE2E::stop);
                others.forEach(Watch::stop);
            }
        }
    }

    private static List<EndCase> unanswered(
            List<Case> cases, List<Watch> others, Fault before, Fault between, ExecutorService threads)
            throws Exception {
        before.happen();
        var ending =
                cases.stream().map(one -> threads.submit(() -> ended(one.pair))).toList();
        var ended = new ArrayList<SessionEnd>();
        for (var one : ending) {
            ended.add(one.get());
        }
        between.happen();
        long over = System.nanoTime();
        var unanswered = new ArrayList<EndCase>();
        for (int i = 0; i < cases.size(); i++) {
            if (ended.get(i).isAnswered) {
                assertEnded(cases.get(i), ended.get(i), over);
            } else {
                unanswered.add(cases.get(i).pair.way);
            }
        }
        others.forEach(watch -> assertLives(watch, over));
        return unanswered;
    }

    private List<EndCase> ways() {
        var change = Map.of("new_password", "another fine password");
        return List.of(
                new EndCase("logout", UNKNOWN, true, (_, gone) -> gone.logout()),
                new EndCase("logout/all", UNKNOWN, false, (own, _) -> own.post("/v3/logout/all", Map.of())),
                new EndCase(
                        "device deletion",
                        UNKNOWN,
                        true,
                        (own, gone) -> proven(own, "DELETE", "/v3/devices/" + gone.deviceId(), Map.of())),
                new EndCase(
                        "password change",
                        UNKNOWN,
                        true,
                        (own, _) -> proven(own, "POST", "/v3/account/password", change)),
                new EndCase(
                        "block",
                        LOCKED,
                        false,
                        (own, _) ->
                                root.post("/v3/admin/users/%s/block".formatted(Paths.encoded(own.userId())), Map.of())),
                new EndCase(
                        "deactivation",
                        UNKNOWN,
                        false,
                        (own, _) -> proven(own, "POST", "/v3/account/deactivate", Map.of())));
    }

    private static void proven(Session own, String method, String path, Map<String, ?> body) throws IOException {
        Steps.withPassword(own, method, path, body).ok();
    }

    private Case watched(Pair pair, ExecutorService threads) {
        var gone = List.of(watch(pair.gone, first, threads), watch(pair.gone, second, threads));
        var staying = pair.way.ownStays
                ? List.of(watch(pair.own, first, threads), watch(pair.own, second, threads))
                : List.<Watch>of();
        return new Case(pair, gone, staying, threads.submit(() -> poll(pair.gone.through(second))));
    }

    private static Watch watch(Session session, Http gateway, ExecutorService threads) {
        var watch = new Watch(session.through(gateway));
        threads.execute(watch);
        return watch;
    }

    private static Answer poll(Session session) throws IOException {
        var since = session.sync(SyncQuery.initial()).path("next_batch").asString();
        return session.trySync(SyncQuery.since(since).waiting(POLL));
    }

    private static SessionEnd ended(Pair pair) throws IOException {
        long begun = System.nanoTime();
        try {
            pair.way.deed.run(pair.own, pair.gone);
            return new SessionEnd(begun, System.nanoTime(), true);
        } catch (UnexpectedAnswerException e) {
            assertThat(e.isPassing()).as("%s: %s", pair.way.name, e).isTrue();
            return new SessionEnd(begun, System.nanoTime(), false);
        }
    }

    private static void awaitWarm(Watch watch) {
        assertThat(Deadline.in(PATIENCE).until(() -> watch.seen().size() >= WARM))
                .isTrue();
    }

    private static void assertEnded(Case watched, SessionEnd ended, long over) throws Exception {
        var way = watched.pair.way;
        assertThat(Deadline.in(MOMENT).until(watched.poll::isDone))
                .as("the poll ends with the %s", way.name)
                .isTrue();
        assertThat(watched.poll.get().status())
                .as(watched.poll.get().toString())
                .isIn(200, 401);
        for (var watch : watched.gone) {
            assertThat(Deadline.in(PATIENCE).until(() -> watch.since(over) >= AFTERWARDS))
                    .isTrue();
            for (var seen : watch.seen()) {
                if (seen.answeredNanos() - ended.begunNanos < 0) {
                    assertThat(seen.answer().status())
                            .as("before the %s: %s", way.name, seen.answer())
                            .isEqualTo(200);
                } else if (seen.askedNanos() - ended.answeredNanos >= 0) {
                    assertRefused(way, seen.answer());
                }
            }
        }
        watched.staying.forEach(watch -> assertLives(watch, over));
    }

    private static void assertRefused(EndCase way, Answer answer) {
        assertThat(answer.status()).as("after the %s: %s", way.name, answer).isEqualTo(401);
        assertThat(answer.errcode()).as(way.name).isEqualTo(way.errcode);
        assertThat(answer.json().path("soft_logout").asBoolean()).isEqualTo(way.errcode.equals(LOCKED));
    }

    private static void assertLives(Watch watch, long over) {
        assertThat(Deadline.in(PATIENCE).until(() -> watch.since(over) >= AFTERWARDS))
                .isTrue();
        for (var seen : watch.seen()) {
            assertThat(seen.answer().status())
                    .as("of a live token: %s", seen.answer())
                    .isEqualTo(200);
        }
    }

    private static void stop(Case watched) {
        watched.gone.forEach(Watch::stop);
        watched.staying.forEach(Watch::stop);
        watched.poll.cancel(true);
    }

    /** How many requests wait for news, on all nodes together. */
    private long waiters() {
        return rookery.instances().stream()
                .filter(instance -> instance.name().startsWith("sync-service"))
                .mapToLong(RevocationE2E::waiters)
                .sum();
    }

    private static long waiters(Instance node) {
        try {
            return Nodes.metrics(node)
                    .lines()
                    .filter(line -> line.startsWith("sync_waiters"))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer rooms(Session session) throws IOException {
        return session.call("GET", "/v3/joined_rooms", null);
    }

    /** Whether the token works; a 503 may be temporary, a 401 fails the test. */
    private static boolean isBack(Session session) {
        try {
            var answer = rooms(session);
            assertThat(answer.status()).as(answer.toString()).isIn(200, 503);
            return answer.isOk();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
