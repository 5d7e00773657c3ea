// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.embedded.Deadline;
import rookery.embedded.EmbeddedRedis;
import rookery.embedded.TestServers;
import rookery.gateway.redis.RedisLink;

/** The rate limiter with two gateways and one Redis that may fail. */
class LimitIT {
    private static final String HEALTH = "/_api/client/health";
    /** On a busy machine Redis may be slow; with a short timeout the gateways would count alone. */
    private static final String LONG_TIMEOUT = "--rookery.redis.timeout=20s";

    private static final Path INSTANCES = TestServers.folder("instances");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static EmbeddedRedis redis;
    private static RunningGateway one;
    private static RunningGateway two;

    @BeforeAll
    static void start() {
        redis = EmbeddedRedis.start(TestServers.folder("limit-redis"), TestServers.binaries());
        one = new RunningGateway(redis.url(), INSTANCES, LONG_TIMEOUT);
        two = new RunningGateway(redis.url(), INSTANCES, LONG_TIMEOUT);
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        redis.close();
    }

    @Test
    void ofTwoHundredAtOnceOverTwoGatewaysExactlyAHundredComeIn() throws Exception {
        var statuses = statuses(200, i -> status(i % 2 == 0 ? one : two, "198.51.100.1"));
        assertThat(statuses).isEqualTo(Map.of(200, 100L, 429, 100L));
        assertThat(status(one, "198.51.100.2")).isEqualTo(200);
    }

    @Test
    void aRefusalSaysWhenToComeBack() {
        for (int i = 0; i < 100; i++) {
            assertThat(status(one, "198.51.100.3")).isEqualTo(200);
        }
        var refused = two.get(HEALTH, "X-Forwarded-For", "198.51.100.3");
        GatewayIT.assertError(refused, 429, "M_LIMIT_EXCEEDED");
        assertThat(refused.body())
                .contains("\"error\":\"Too many requests\"")
                .containsPattern("\"retry_after_ms\":[1-9][0-9]{0,4}\\b");
        assertThat(refused.headers().firstValue("Retry-After").orElseThrow()).matches("[1-9][0-9]?");
        assertThat(refused.headers().firstValue("Access-Control-Allow-Origin")).hasValue("*");
        assertThat(refused.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(refused.headers().firstValue("Date")).isPresent();
        var options = one.send(one.request(HEALTH, "X-Forwarded-For", "198.51.100.3")
                .method("OPTIONS", java.net.http.HttpRequest.BodyPublishers.noBody()));
        assertThat(options.statusCode()).isEqualTo(204);
    }

    @Test
    void theAddressIsNotTheClientsToChoose() {
        var statuses = IntStream.range(0, 110)
                .mapToObj(i -> status(one, "203.0.113." + i + ", 198.51.100.4"))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(statuses).isEqualTo(Map.of(200, 100L, 429, 10L));
    }

    @Test
    void withoutRedisTheLimitHoldsAndNothingFails() throws Exception {
        var mortal = EmbeddedRedis.start(TestServers.folder("mortal-redis"), TestServers.binaries());
        try (var gateway = new RunningGateway(mortal.url(), INSTANCES, LONG_TIMEOUT)) {
            for (int i = 0; i < 60; i++) {
                assertThat(status(gateway, "198.51.100.5")).isEqualTo(200);
            }
            mortal.kill();
            assertThat(statuses(60, _ -> status(gateway, "198.51.100.5"))).isEqualTo(Map.of(200, 40L, 429, 20L));
            assertThat(statuses(110, _ -> status(gateway, "198.51.100.6"))).isEqualTo(Map.of(200, 100L, 429, 10L));
            mortal.startAgain();
            assertThat(statuses(10, _ -> status(gateway, "198.51.100.5"))).isEqualTo(Map.of(429, 10L));
        } finally {
            mortal.close();
        }
    }

    @Test
    void aRedisThatHangsIsNotWaitedFor() throws Exception {
        var slow = EmbeddedRedis.start(TestServers.folder("slow-redis"), TestServers.binaries());
        try (var gateway = new RunningGateway(slow.url(), INSTANCES);
                var direct = new DirectRedis(slow.url())) {
            direct.pause(Duration.ofMinutes(10));
            assertThat(statuses(120, _ -> status(gateway, "198.51.100.7"))).isEqualTo(Map.of(200, 100L, 429, 20L));
        } finally {
            slow.child().kill();
        }
    }

    @Test
    void aRequestThatRedisCountsAfterItsAnswerCountsOnce() {
        try (var gateway = new RunningGateway(redis.url(), INSTANCES);
                var direct = new DirectRedis(redis.url())) {
            var link = gateway.context.getBean(RedisLink.class);
            direct.pauseScripts();
            assertThat(status(gateway, "198.51.100.8")).isEqualTo(200);
            direct.resume();
            assertThat(link.isPresent()).isFalse();
            assertThat(Deadline.in(PATIENCE).until(() -> {
                        status(gateway, "198.51.100.9"); // only requests probe Redis
                        return link.isPresent();
                    }))
                    .isTrue();

            // through the gateway with the long timeout
            assertThat(IntStream.range(0, 98).mapToObj(_ -> status(one, "198.51.100.8")))
                    .containsOnly(200);
            assertThat(status(gateway, "198.51.100.8")).as("the hundredth").isEqualTo(200);
        }
    }

    /** Permits that one gateway has counted in advance and not used come to the other. */
    @Test
    void leasedPermitsOfTwoGatewaysAreTogetherExactlyTheLimit() throws Exception {
        String[] limit = {LONG_TIMEOUT, "--rookery.rate-limit.max-requests=1200", "--rookery.rate-limit.window=70s"};
        try (var third = new RunningGateway(redis.url(), INSTANCES, limit);
                var fourth = new RunningGateway(redis.url(), INSTANCES, limit)) {
            long all = 0;
            for (long end = System.nanoTime() + PATIENCE.toNanos(); all < 1200 && System.nanoTime() < end; ) {
                all += statuses(200, i -> status(i % 3 == 0 ? third : fourth, "198.51.100.10"))
                        .getOrDefault(200, 0L);
            }
            assertThat(all).isEqualTo(1200);
            assertThat(statuses(100, i -> status(i % 2 == 0 ? third : fourth, "198.51.100.10")))
                    .isEqualTo(Map.of(429, 100L));
        }
    }

    private static int status(RunningGateway gateway, String forwardedFor) {
        return gateway.get(HEALTH, "X-Forwarded-For", forwardedFor).statusCode();
    }

    private static Map<Integer, Long> statuses(int requests, Function<Integer, Integer> request) throws Exception {
        try (var threads = Executors.newFixedThreadPool(20)) {
            var calls = IntStream.range(0, requests)
                    .<Callable<Integer>>mapToObj(i -> () -> request.apply(i))
                    .toList();
            var counted = new java.util.TreeMap<Integer, Long>();
            for (Future<Integer> answer : threads.invokeAll(calls)) {
                counted.merge(answer.get(), 1L, Long::sum);
            }
            return counted;
        }
    }
}
