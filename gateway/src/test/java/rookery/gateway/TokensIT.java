// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.embedded.Deadline;
import rookery.embedded.EmbeddedRedis;
import rookery.embedded.Ports;
import rookery.embedded.TestServers;
import rookery.gateway.Upstream.Reply;
import rookery.gateway.Upstream.SeenRequest;
import rookery.gateway.redis.RedisLink;

/** Look-ups of access tokens, and the windows in which their requests count. */
class TokensIT {
    private static final String ROOMS = "/_api/client/v3/joined_rooms";
    private static final String SYNC = "/_api/client/v3/sync?timeout=30000";
    private static final int MOST = 5;
    private static final String PER_USER = "--rookery.rate-limit.per-user=true";
    private static final String LIMIT = "--rookery.rate-limit.max-requests=" + MOST;
    private static final String UNLIMITED = "--rookery.rate-limit.enabled=false";
    /** On a busy machine Redis may be slow; with a short timeout the gateways would count alone. */
    private static final String LONG_TIMEOUT = "--rookery.redis.timeout=20s";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path INSTANCES = TestServers.folder("token-instances");
    /** The users of the valid tokens, by hash. */
    private static final Map<String, String> OWNERS = new ConcurrentHashMap<>();

    private static EmbeddedRedis redis;
    private static Upstream auth;
    private static Upstream room;
    private static Upstream sync;
    private static RunningGateway one;
    private static RunningGateway two;
    private static RunningGateway lone;
    private static RunningGateway unlimited;

    @BeforeAll
    static void start() {
        auth = new Upstream(TokensIT::answer);
        room = Upstream.answering(200, "{}");
        sync = Upstream.answering(200, "{}");
        RunningGateway.register(INSTANCES, "auth-service-1", auth.address());
        RunningGateway.register(INSTANCES, "room-service-1", room.address());
        RunningGateway.register(INSTANCES, "sync-service-1", sync.address());
        redis = EmbeddedRedis.start(TestServers.folder("token-redis"), TestServers.binaries());
        one = new RunningGateway(redis.url(), INSTANCES, PER_USER, LIMIT, LONG_TIMEOUT);
        two = new RunningGateway(redis.url(), INSTANCES, PER_USER, LIMIT, LONG_TIMEOUT);
        lone = new RunningGateway("redis://127.0.0.1:" + Ports.free(), INSTANCES, PER_USER, LIMIT);
        unlimited = new RunningGateway(
                redis.url(),
                INSTANCES,
                UNLIMITED,
                "--rookery.long-poll.of-user-max=2",
                "--rookery.access-token.questions.at-once=1",
                "--rookery.access-token.questions.waiting-max=1",
                "--rookery.access-token.questions.wait-max=10m");
    }

    @AfterAll
    static void stop() {
        Stream.of(one, two, lone, unlimited).filter(Objects::nonNull).forEach(RunningGateway::close);
        Stream.of(auth, room, sync).filter(Objects::nonNull).forEach(Upstream::close);
        redis.close();
    }

    @AfterEach
    void resume() {
        auth.pause = Mono.empty();
        sync.pause = Mono.empty();
    }

    @Test
    void aUserIsCountedFromTheFirstRequestOn() {
        for (var gateway : List.of(one, lone)) {
            String address = gateway == one ? "198.51.100.1" : "198.51.100.2";
            assertThat(admitted(gateway, address, null)).isEqualTo(MOST);
            assertThat(admitted(gateway, address, good("@ada:alpha.test"))).isEqualTo(MOST);
            assertThat(admitted(gateway, address, good("@bob:alpha.test"))).isEqualTo(MOST);
        }
    }

    @Test
    void allGatewaysCountAUserTogetherWhateverTheTokenAndTheAddress() {
        assertThat(status(one, "198.51.100.3", good("@eve:alpha.test"))).isEqualTo(200);
        assertThat(status(two, "198.51.100.4", good("@eve:alpha.test"))).isEqualTo(200);
        var token = good("@eve:alpha.test");
        assertThat(admitted(one, "198.51.100.3", token) + admitted(two, "198.51.100.4", token))
                .isEqualTo(MOST - 2);
    }

    @Test
    void wrongTokensUseUpNothingButTheirOwn() {
        for (var gateway : List.of(one, lone)) {
            String address = gateway == one ? "198.51.100.5" : "198.51.100.6";
            var different = IntStream.range(0, 2 * MOST)
                    .map(i -> status(gateway, address, "wrong-" + address + i))
                    .filter(status -> status == 200)
                    .count();
            assertThat(different).isEqualTo(MOST);
            assertThat(admitted(gateway, address, "wrong-again")).isZero();
            assertThat(admitted(gateway, address, good("@cid:alpha.test"))).isEqualTo(MOST);
            assertThat(admitted(gateway, address, null)).isEqualTo(MOST);
        }
        assertThat(admitted(two, "198.51.100.5", good("@dan:alpha.test"))).isEqualTo(MOST);
    }

    @Test
    void aTokenThatIsNobodysIsAskedAboutOnce() {
        for (var gateway : List.of(one, unlimited)) {
            String token = "nobodys-" + gateway.port;
            for (int i = 0; i < MOST; i++) {
                assertThat(status(gateway, "198.51.100.7", token)).isEqualTo(200);
            }
            assertThat(questions(token)).isEqualTo(1);
        }
    }

    @Test
    void aTokenThatCouldNotBeAskedAboutIsAskedAboutAgain() {
        OWNERS.put(GatewayIT.hash("later"), "503");
        assertThat(status(unlimited, "198.51.100.8", "later")).isEqualTo(503);
        OWNERS.put(GatewayIT.hash("later"), "@ada:alpha.test");
        assertThat(status(unlimited, "198.51.100.8", "later")).isEqualTo(200);
    }

    @Test
    void manyRequestsWithOneTokenAreFewQuestions() {
        String token = good("@fay:alpha.test");
        Sinks.Empty<Void> answers = Sinks.empty();
        auth.pause = answers.asMono();
        var requests = IntStream.range(0, 200)
                .mapToObj(_ -> unlimited.getAsync(ROOMS, "Authorization", "Bearer " + token))
                .toList();
        assertThat(Deadline.in(PATIENCE).until(() -> questions(token) == 1)).isTrue();
        answers.tryEmitEmpty();
        assertThat(requests.stream().map(CompletableFuture::join).map(HttpResponse::statusCode))
                .containsOnly(200);
        // normally two; more if the machine delayed some of the requests
        assertThat(questions(token)).isLessThan(20);
    }

    @Test
    void questionsThatDoNotFitAreRefusedUntilThereIsRoom() {
        Sinks.Empty<Void> answers = Sinks.empty();
        auth.pause = answers.asMono();
        var first = good("@gil:alpha.test");
        var parked = unlimited.getAsync(ROOMS, "Authorization", "Bearer " + first);
        assertThat(Deadline.in(PATIENCE).until(() -> questions(first) == 1)).isTrue();
        var others = Stream.of(good("@gil:alpha.test"), good("@gil:alpha.test"))
                .map(token -> unlimited.getAsync(ROOMS, "Authorization", "Bearer " + token))
                .toList();
        var refused = (HttpResponse<?>) CompletableFuture.anyOf(others.toArray(CompletableFuture[]::new))
                .join();
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        answers.tryEmitEmpty();
        assertThat(parked.join().statusCode()).isEqualTo(200);
        assertThat(others.stream().map(CompletableFuture::join).map(HttpResponse::statusCode))
                .containsExactlyInAnyOrder(200, 503);
    }

    /** Repeats until the token is stored once: on a busy machine Redis may be silent for a second. */
    @Test
    void aRedisThatIsLateIsWaitedFor() {
        var token = good("@hal:alpha.test");
        try (var gateway = new RunningGateway(redis.url(), INSTANCES, UNLIMITED);
                var direct = new DirectRedis(redis.url())) {
            assertThat(Deadline.in(PATIENCE).until(() -> isWaitedFor(gateway, direct, token)))
                    .isTrue();
        }
    }

    private static boolean isWaitedFor(RunningGateway gateway, DirectRedis direct, String token) {
        status(gateway, "198.51.100.10", token);
        if (!direct.has("tok:1:" + GatewayIT.hash(token))) {
            return false; // Redis does not store the first session after its start
        }
        long before = questions(token);
        direct.pause(Duration.ofMillis(300));
        int status = status(gateway, "198.51.100.10", token);
        return status == 200
                && questions(token) == before
                && gateway.context.getBean(RedisLink.class).isPresent();
    }

    @Test
    void oneMorePollOfAUserIsRefusedUntilOneEnds() throws Exception {
        sync.pause = Mono.never();
        var token = good("@ivy:alpha.test");
        int before = sync.seen.size();
        var parked = unlimited.getAsync(SYNC, "Authorization", "Bearer " + token);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), unlimited.port)) {
            socket.getOutputStream()
                    .write(("GET " + SYNC + " HTTP/1.1\r\nHost: alpha.test\r\nAuthorization: Bearer " + token
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(Deadline.in(PATIENCE).until(() -> sync.seen.size() == before + 2))
                    .isTrue();

            var refused = unlimited.get(SYNC, "Authorization", "Bearer " + token);
            GatewayIT.assertError(refused, 429, "M_LIMIT_EXCEEDED");
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(status(unlimited, "198.51.100.11", token))
                    .as("what is no poll")
                    .isEqualTo(200);
        }
        // a cancelled request frees its place, and so does an answered one
        sync.pause = Mono.empty();
        assertThat(Deadline.in(PATIENCE)
                        .until(() -> unlimited
                                        .get(SYNC, "Authorization", "Bearer " + token)
                                        .statusCode()
                                == 200))
                .isTrue();
        assertThat(unlimited.get(SYNC, "Authorization", "Bearer " + token).statusCode())
                .isEqualTo(200);
        assertThat(parked).as("and none of before ends").isNotDone();
        parked.cancel(true);
    }

    /** One answer of auth-service is stored for all gateways, including that the user is suspended. */
    @Test
    void suspendedUserMayReadAndLeaveAtEveryGateway() {
        for (var gateways : List.of(List.of(unlimited, unlimited), List.of(unlimited, one), List.of(lone))) {
            String[] bearer = {"Authorization", "Bearer " + good("suspended @jan:alpha.test")};
            for (var gateway : gateways) {
                int before = room.seen.size();
                GatewayIT.assertError(
                        gateway.post("/_matrix/client/v3/createRoom", "{}", bearer), 403, "M_USER_SUSPENDED");
                assertThat(room.seen).hasSize(before);
                assertThat(gateway.get(ROOMS, bearer).statusCode()).isEqualTo(200);
                assertThat(gateway.post("/_matrix/client/v3/rooms/!r:alpha.test/leave", "{}", bearer)
                                .statusCode())
                        .isEqualTo(200);
            }
        }
    }

    /** Other services never receive a token in the query (contract.md D40). */
    @Test
    void openIdTokenIsPassedOnAndIsNoAccessToken() {
        var token = good("@kim:alpha.test");
        String userinfo = "/_matrix/federation/v1/openid/userinfo?access_token=";
        try (var inQuery =
                new RunningGateway(redis.url(), INSTANCES, UNLIMITED, "--rookery.access-token.in-query=true")) {
            for (var gateway : List.of(unlimited, inQuery)) {
                gateway.get(userinfo + token + "&a=b", "Authorization", "Bearer " + token);
                assertThat(auth.last().uri()).isEqualTo(userinfo + token + "&a=b");
                assertThat(auth.last().headers().contains("Authorization")).isFalse();
                assertThat(questions(token)).isZero();
            }
            inQuery.get("/_matrix/client/v3/capabilities?access_token=" + token + "&a=b");
            assertThat(auth.last().uri()).isEqualTo("/_api/client/v3/capabilities?a=b");
            assertThat(questions(token)).isEqualTo(1);
        }
    }

    private static Reply answer(SeenRequest seen) {
        var owner = OWNERS.entrySet().stream()
                .filter(entry -> seen.body().contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
        return switch (owner) {
            case "" -> new Reply(200, "{\"state\":\"unknown\"}", Map.of());
            case "503" -> new Reply(503, "{}", Map.of());
            default ->
                new Reply(
                        200,
                        "{\"state\":\"known\",\"user\":\"%s\",\"device\":\"D\",\"admin\":false,\"suspended\":%s}"
                                .formatted(owner.replace("suspended ", ""), owner.startsWith("suspended ")),
                        Map.of());
        };
    }

    /** A valid token of the user that no gateway has seen yet. */
    private static String good(String user) {
        String token = "good-" + OWNERS.size();
        OWNERS.put(GatewayIT.hash(token), user);
        return token;
    }

    private static long questions(String token) {
        return auth.seen.stream()
                .filter(seen -> seen.body().contains(GatewayIT.hash(token)))
                .count();
    }

    /** How many of eight requests are admitted. */
    private static long admitted(RunningGateway gateway, String address, @Nullable String token) {
        return IntStream.range(0, MOST + 3)
                .map(_ -> status(gateway, address, token))
                .filter(status -> status == 200)
                .count();
    }

    private static int status(RunningGateway gateway, String address, @Nullable String token) {
        var answer = token == null
                ? gateway.get(ROOMS, "X-Forwarded-For", address)
                : gateway.get(ROOMS, "X-Forwarded-For", address, "Authorization", "Bearer " + token);
        return answer.statusCode();
    }
}
