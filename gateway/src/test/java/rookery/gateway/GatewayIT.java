// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.gateway.Upstream.Reply;
import rookery.gateway.Upstream.SeenRequest;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Locked;
import rookery.model.caller.Caller.Reason;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.LocalServices;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;

/** The gateway with a real Redis, and services behind small real HTTP servers or in the gateway's JVM. */
@ParameterizedClass
@SuppressWarnings("NullAway.Init") // start sets the fields
@ValueSource(booleans = {false, true})
class GatewayIT {
    private static final String MESSAGES = "/_api/client/v3/rooms/!r%2Fx:alpha.test/messages";
    private static final Reply FOUND = new Reply(
            200, "{\"found\":true}", Map.of("X-Rookery-Shard", "7", "Access-Control-Allow-Origin", "https://x"));
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Path INSTANCES = TestServers.folder("instances");
    private static Upstream auth;
    private static Upstream room;
    private static Upstream sync;
    private static RunningGateway gateway;

    @Parameter
    boolean local;

    @BeforeParameterizedClassInvocation
    static void start(boolean local) {
        auth = new Upstream(GatewayIT::authAnswer);
        room = new Upstream(seen -> seen.uri().startsWith("/internal/ready") ? ready("database", "ok") : FOUND);
        sync = new Upstream(seen -> seen.uri().startsWith("/internal/ready") ? ready("queue", "degraded") : FOUND);
        RunningGateway.register(INSTANCES, "auth-service-1", auth.address());
        RunningGateway.register(INSTANCES, "room-service-1", room.address());
        RunningGateway.register(INSTANCES, "sync-service-1", sync.address());
        RunningGateway.register(INSTANCES, "admin-service-1", room.address());
        var services = new LocalServices();
        if (local) {
            services.add("auth-service-1", auth.handler());
            services.add("room-service-1", room.handler());
        }
        gateway = new RunningGateway(
                services, TestServers.redis().url(), INSTANCES, "--rookery.rate-limit.max-requests=1000000");
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        Stream.of(gateway, auth, room, sync).filter(Objects::nonNull).forEach(GatewayIT::close);
    }

    @Test
    void aTokenBecomesASignedCaller() {
        var answer = gateway.get(
                MESSAGES + "?dir=b&from=a%2Bb", "Authorization", "Bearer ada", "X-Request-Id", "my-request");
        assertThat(answer.statusCode()).isEqualTo(200);
        var seen = seenBy(room, "my-request");
        assertThat(seen.uri()).isEqualTo("/_api/client/v3/rooms/!r%2Fx:alpha.test/messages?dir=b&from=a%2Bb");
        var caller = caller(seen);
        assertThat(caller.who()).isEqualTo(new Known(new UserId("@ada:alpha.test"), new DeviceId("D"), true));
        assertThat(caller.tenant()).isEqualTo(new TenantId(1));
        assertThat(caller.ip()).isEqualTo("127.0.0.1");
        assertThat(seen.headers().contains("Authorization")).isFalse();
        assertThat(seen.headers().contains("Host")).isNotEqualTo(local);
    }

    @Test
    void copiesOfOurHeadersFromOutsideAreDropped() {
        var copies = "X-Request-Id spoof X-Rookery-Caller v1.forged x-rookery-service v1.forged X-ROOKERY-Admin 1 "
                + "X-Forwarded-Host beta.test Forwarded for=1.2.3.4 X-Real-IP 1.2.3.4 Connection X-Drop X-Drop 1";
        gateway.get(MESSAGES, copies.split(" "));
        var headers = seenBy(room, "spoof").headers();
        assertThat(headers.getAll("X-Rookery-Caller")).hasSize(1).noneMatch(value -> value.contains("forged"));
        assertThat(headers.names())
                .map(name -> name.toLowerCase(java.util.Locale.ROOT))
                .doesNotContain(
                        "x-rookery-service", "x-rookery-admin", "x-forwarded-host", "forwarded", "x-real-ip", "x-drop");
    }

    @Test
    void nobodyNamesAClientThatDoesNotNameItself() {
        gateway.raw(
                "GET %s HTTP/1.1\r\nHost: alpha.test\r\nX-Request-Id: unnamed\r\nConnection: close\r\n\r\n"
                        .formatted(MESSAGES),
                0,
                "");
        assertThat(seenBy(room, "unnamed").headers().get("User-Agent")).isNullOrEmpty();

        gateway.get(MESSAGES, "X-Request-Id", "named", "User-Agent", "Tea/1");
        assertThat(seenBy(room, "named").headers().get("User-Agent")).isEqualTo("Tea/1");
    }

    @Test
    void everyAnswerHasAnIdAndCorsAndNothingOfOurs() {
        for (var answer : Stream.of(MESSAGES, "/_api/client/versions", "/nowhere")
                .map(gateway::get)
                .toList()) {
            assertThat(answer.headers().firstValue("X-Request-Id")).isPresent();
            assertThat(answer.headers().allValues("Access-Control-Allow-Origin"))
                    .containsExactly("*");
            assertThat(answer.headers().allValues("Access-Control-Expose-Headers"))
                    .containsExactly("Retry-After");
            assertThat(answer.headers().firstValue("X-Rookery-Shard")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"ada, ", "nobody, UNKNOWN", "old, EXPIRED", "'', MISSING"})
    void withoutAUserTheCallerSaysWhy(String token, Reason reason) {
        String id = "why-" + (token.isEmpty() ? "none" : token);
        gateway.get(MESSAGES, "X-Request-Id", id, "Authorization", "Bearer " + token);
        var identity = caller(seenBy(room, id)).who();
        assertThat(identity instanceof Anonymous(var why) ? why : null).isEqualTo(reason);
    }

    @Test
    void whoIsLockedOutIsStillSomebody() {
        gateway.get(MESSAGES, "X-Request-Id", "locked", "Authorization", "Bearer blocked", "User-Agent", "Tea/1");
        assertThat(caller(seenBy(room, "locked")).who())
                .isEqualTo(new Locked(new UserId("@ada:alpha.test"), new DeviceId("D")));
        assertThat(auth.seen)
                .anyMatch(seen ->
                        seen.body().contains(hash("blocked")) && seen.body().contains("Tea/1"));
    }

    @Test
    void authIsAskedOncePerTokenInAWhile() {
        // Redis does not store the first session after its start, and the delay before it stores the next one varies
        assertThat(Deadline.in(PATIENCE).until(() -> {
                    long before = questions("often");
                    gateway.get(MESSAGES, "Authorization", "Bearer often");
                    return before > 0 && questions("often") == before;
                }))
                .isTrue();
        var first = auth.seen.stream()
                .filter(seen -> seen.body().contains(hash("often")))
                .findFirst()
                .orElseThrow();
        assertThat(new Signing(ServiceName.AUTH)
                        .readCredential(first.headers().get("X-Rookery-Service"), first.method(), first.uri()))
                .isEqualTo(ServiceName.GATEWAY);
    }

    @Test
    void aTokenWhoseSessionEndsIsRefusedFromThenOn() throws Exception {
        assertThat(gateway.get(MESSAGES, "Authorization", "Bearer leaving").statusCode())
                .isEqualTo(200);
        try (var redis = new DirectRedis(TestServers.redis().url())) {
            redis.set("gone:1:" + hash("leaving"), "1");
            redis.delete("tok:1:" + hash("leaving"));
        }
        long before = questions("leaving");
        for (int i = 0; i < 3; i++) {
            gateway.get(MESSAGES, "Authorization", "Bearer leaving");
        }
        assertThat(questions("leaving") - before).isEqualTo(3);
    }

    /** A tombstone may have been lost between the question and the answer. */
    @Test
    void whatWasAskedBeforeRedisLostItsDataIsNotRemembered() {
        try (var redis = new DirectRedis(TestServers.redis().url())) {
            assertThat(gateway.get(MESSAGES, "Authorization", "Bearer forgotten")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(Deadline.in(PATIENCE).until(() -> redis.has("tok:begun")))
                    .isTrue();
            assertThat(redis.has("tok:1:" + hash("forgotten"))).isFalse();

            gateway.get(MESSAGES, "Authorization", "Bearer ada");
            assertThat(Deadline.in(PATIENCE).until(() -> redis.has("tok:1:" + hash("ada"))))
                    .as("what is asked afterwards is")
                    .isTrue();
        }
    }

    @Test
    void aTokenOfOneTenantIsNothingToAnother() {
        gateway.get(MESSAGES, "Authorization", "Bearer ada");
        gateway.get(MESSAGES, "Host", "BETA.test:443", "X-Request-Id", "beta", "Authorization", "Bearer ada");
        var caller = caller(seenBy(room, "beta"));
        assertThat(caller.tenant()).isEqualTo(new TenantId(2));
        assertThat(caller.who()).isEqualTo(new Anonymous(Reason.UNKNOWN));
    }

    @Test
    void bothPrefixesAreOne() {
        var standard = gateway.get(MESSAGES.replace("/_api/", "/_matrix/"), "X-Request-Id", "standard");
        assertThat(standard.body()).isEqualTo(gateway.get(MESSAGES).body());
        assertThat(seenBy(room, "standard"))
                .returns(MESSAGES, SeenRequest::uri)
                .returns(Caller.Prefix.STANDARD, seen -> caller(seen).prefix());
        assertThat(gateway.post("/v1/login/get_token", "{}").statusCode()).isEqualTo(418);
    }

    @Test
    void anUnknownHostIsRefusedButForHealthAndMetrics() {
        assertError(gateway.get(MESSAGES, "Host", "gamma.test"), 404, "M_NOT_FOUND");
        assertError(gateway.get("/_api/client/versions", "Host", "gamma.test"), 404, "M_NOT_FOUND");
        assertThat(gateway.get("/_api/client/health", "Host", "gamma.test").statusCode())
                .isEqualTo(200);
        assertThat(gateway.get("/_api/client/metrics", "Host", "gamma.test").statusCode())
                .isEqualTo(200);
    }

    @Test
    void whatIsNoEndpointIsUnrecognized() {
        assertError(gateway.get("/_api/client/v2/sync"), 404, "M_UNRECOGNIZED");
        assertError(gateway.get("/internal/ready"), 404, "M_UNRECOGNIZED");
        var wrongMethod = gateway.post("/_api/client/versions", "{}");
        assertError(wrongMethod, 405, "M_UNRECOGNIZED");
        assertThat(wrongMethod.headers().firstValue("Allow"))
                .hasValueSatisfying(allow -> assertThat(allow).contains("GET"));
        assertError(gateway.get("/_api/client/v3/publicRooms"), 503, "M_UNKNOWN");
    }

    @Test
    void optionsIsAnsweredWithoutLogic() {
        var answer = gateway.send(gateway.request("/_api/client/nowhere", "Host", "gamma.test")
                .method("OPTIONS", BodyPublishers.noBody()));
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.headers().firstValue("Access-Control-Allow-Methods"))
                .hasValue("GET, POST, PUT, DELETE, OPTIONS");
    }

    @Test
    void aConnectionLivesOnAfterRequestsThatCameTogether() { // reactor-netty before 1.3.8 read no more from it
        String options = "OPTIONS /_api/client/versions HTTP/1.1\r\nHost: alpha.test\r\n";
        String answer = gateway.raw(
                "GET " + MESSAGES + " HTTP/1.1\r\nHost: alpha.test\r\n\r\n" + options + "\r\n",
                2,
                options + "Connection: close\r\n\r\n");
        assertThat(answer).contains("HTTP/1.1 204");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /_api/client/v3/rooms/%zz/state HTTP/1.1|Host: alpha.test|Connection: close||",
                "GET /_api/client/v3/rooms/%ff/state HTTP/1.1|Host: alpha.test|Connection: close||",
                "GET /_api/client/versions HTTP/1.1|Host: alpha.test|Host: beta.test|Connection: close||",
                "GET http://beta.test/_api/client/versions HTTP/1.1|Host: alpha.test|Connection: close||",
                "this is no request||"
            })
    void whatCannotBeReadIs400AndJson(String request) {
        assertThat(gateway.raw(request.replace("|", "\r\n")))
                .startsWith("HTTP/1.1 400")
                .contains("\"errcode\":\"M_")
                .containsIgnoringCase("content-type: application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/9.9", "HTTP/2.0", "HTTP/0.9"})
    void otherVersionsOfHttpAreRefused(String version) {
        assertThat(gateway.raw("POST /_api/client/v3/login " + version
                        + "\r\nHost: alpha.test\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 505 ")
                .contains("\"errcode\":\"M_UNKNOWN\"")
                .containsIgnoringCase("connection: close");
    }

    @Test
    void laterVersionsOfHttp1AreAnsweredAsHttp11() {
        String options = "OPTIONS /_api/client/versions HTTP/1.2\r\nHost: alpha.test\r\nConnection: close\r\n\r\n";
        assertThat(gateway.raw(options)).startsWith("HTTP/1.1 204");
    }

    @Test
    void readyIsWhatTheServicesSay() {
        assertThat(gateway.get("/_api/client/health/live").body()).isEqualTo("{\"status\":\"alive\"}");
        assertThat(gateway.get("/_api/client/health").body())
                .contains("\"status\":\"ok\"", "\"version\":", "\"uptime_seconds\":");
        var ready = gateway.get("/_matrix/client/health/ready");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body())
                .contains("\"status\":\"ready\"", "\"database\":\"ok\"", "\"queue\":\"degraded\"", "\"media\":\"off\"");
    }

    @Test
    void theManagementPortIsNotThePublicOne() {
        var request = java.net.http.HttpRequest.newBuilder(
                java.net.URI.create("http://127.0.0.1:" + gateway.managementPort + "/actuator/health"));
        var answer = gateway.send(request);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("X-Request-Id")).isEmpty();
    }

    private static Reply authAnswer(SeenRequest seen) {
        if (seen.uri().startsWith("/internal/ready")) {
            return ready("database", "ok");
        }
        if (!seen.uri().equals("/internal/tokens/resolve")) {
            return new Reply(418, "{}", Map.of());
        }
        if (seen.body().contains(hash("forgotten"))) {
            try (var redis = new DirectRedis(TestServers.redis().url())) {
                redis.delete("tok:begun");
            }
        }
        boolean alpha = seen.body().contains("\"tenant\":1");
        for (String token : alpha ? new String[] {"ada", "often", "leaving", "forgotten"} : new String[0]) {
            if (seen.body().contains(hash(token))) {
                return new Reply(
                        200,
                        "{\"state\":\"known\",\"user\":\"@ada:alpha.test\",\"device\":\"D\",\"admin\":true}",
                        Map.of());
            }
        }
        if (seen.body().contains(hash("blocked"))) {
            return new Reply(200, "{\"state\":\"locked\",\"user\":\"@ada:alpha.test\",\"device\":\"D\"}", Map.of());
        }
        String state = seen.body().contains(hash("old")) ? "expired" : "unknown";
        return new Reply(200, "{\"state\":\"" + state + "\"}", Map.of());
    }

    static Reply ready(String check, String text) {
        return new Reply(200, "{\"ready\":true,\"checks\":{\"" + check + "\":\"" + text + "\"}}", Map.of());
    }

    private static long questions(String token) {
        return auth.seen.stream()
                .filter(seen -> seen.body().contains(hash(token)))
                .count();
    }

    private static SeenRequest seenBy(Upstream upstream, String requestId) {
        return upstream.seen.stream()
                .filter(seen -> seen.headers().contains("X-Rookery-Caller"))
                .filter(seen -> {
                    var caller = read(seen);
                    return caller != null && caller.requestId().equals(requestId);
                })
                .findFirst()
                .orElseThrow();
    }

    private static Caller caller(SeenRequest seen) {
        return Objects.requireNonNull(read(seen));
    }

    /** Null if the header is for a service other than room-service. */
    private static @Nullable Caller read(SeenRequest seen) {
        return new Signing(ServiceName.ROOM)
                .read(seen.headers().get(CallerSignature.HEADER), seen.method(), seen.uri());
    }

    static void assertError(HttpResponse<String> answer, int status, String errcode) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("\"errcode\":\"" + errcode + "\"", "\"error\":\"");
    }

    static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
