// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.embedded.Deadline;
import rookery.embedded.Ports;
import rookery.embedded.TestServers;
import rookery.gateway.Upstream.Reply;
import rookery.gateway.Upstream.SeenRequest;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;
import tools.jackson.databind.json.JsonMapper;

/** Sessions in the memory of a gateway with a lease (decision 0028). */
class LeaseIT {
    private static final String ROOMS = "/_api/client/v3/joined_rooms";
    private static final String CHANGED = "/internal/sessions/changed";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path INSTANCES = TestServers.folder("lease-instances");
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Signing SIGNING = new Signing(ServiceName.GATEWAY);

    private static Upstream auth;
    private static Upstream room;
    private static RunningGateway gateway;
    private static volatile boolean isGranted = true;
    /** The latest lease of the gateway. */
    private static volatile String lease = "";

    @BeforeAll
    static void start() {
        auth = new Upstream(LeaseIT::answer);
        room = Upstream.answering(200, "{}");
        RunningGateway.register(INSTANCES, "auth-service-1", auth.address());
        RunningGateway.register(INSTANCES, "room-service-1", room.address());
        // without Redis, so that every request without a session in memory is a question
        gateway = new RunningGateway(
                "redis://127.0.0.1:" + Ports.free(), INSTANCES, "--rookery.rate-limit.enabled=false");
    }

    @AfterAll
    static void stop() {
        Stream.of(gateway, auth, room).filter(Objects::nonNull).forEach(LeaseIT::close);
    }

    @Test
    void sessionIsAskedAboutOnceUntilItChanges() {
        String token = keptToken();
        for (int i = 0; i < 20; i++) {
            assertThat(get(token).statusCode()).isEqualTo(200);
        }
        long before = questions(token);
        assertThat(get(token).statusCode()).isEqualTo(200);
        assertThat(questions(token)).isEqualTo(before);

        assertThat(change(lease, token)).isEqualTo("{\"confirmed\":true}");

        assertThat(get(token).statusCode()).isEqualTo(200);
        assertThat(questions(token)).isEqualTo(before + 1);
    }

    @Test
    void noticeToAnotherUserOrTenantEndsNothing() {
        String token = keptToken();
        long before = questions(token);

        change(lease, keptToken());
        change(lease, 2, user(token));

        assertThat(get(token).statusCode()).isEqualTo(200);
        assertThat(questions(token)).isEqualTo(before);
    }

    @Test
    void answerToAQuestionFromBeforeTheNoticeIsNotKept() {
        keptToken(); // a lease lasts
        String token = newToken();
        Sinks.Empty<Void> answers = Sinks.empty();
        auth.pause = answers.asMono();
        var request = gateway.getAsync(ROOMS, "Authorization", "Bearer " + token);
        assertThat(Deadline.in(PATIENCE).until(() -> questions(token) == 1)).isTrue();

        change(lease, token);
        auth.pause = Mono.empty();
        answers.tryEmitEmpty();
        assertThat(request.join().statusCode()).as("began before the notice").isEqualTo(200);

        assertThat(get(token).statusCode()).isEqualTo(200);
        assertThat(questions(token)).isEqualTo(2);
    }

    @Test
    void deniedRenewalEndsEverySession() {
        String token = keptToken();
        long before = questions(token);
        String old = lease;
        isGranted = false;
        try {
            assertThat(Deadline.in(PATIENCE).until(() -> get(token).statusCode() == 200 && questions(token) > before))
                    .isTrue();
        } finally {
            isGranted = true;
        }
        assertThat(Deadline.in(PATIENCE).until(() -> isKept(token))).isTrue();
        assertThat(lease).isNotEqualTo(old);
    }

    @Test
    void leaseOfAnotherProcessIsNotConfirmed() {
        String token = keptToken();
        assertThat(change("another-process/1", token)).isEqualTo("{\"confirmed\":false}");
    }

    @Test
    void otherAddressOfTheClientIsAskedAboutOnce() {
        String token = keptToken();
        long before = questions(token);
        for (int i = 0; i < 3; i++) {
            gateway.get(ROOMS, "Authorization", "Bearer " + token, "X-Forwarded-For", "198.51.100.1");
        }
        assertThat(questions(token)).isEqualTo(before + 1);
        assertThat(auth.seen).anyMatch(seen -> seen.body().contains("198.51.100.1"));
    }

    @Test
    void clientsAndOtherServicesFindNoInternalRoute() {
        String notice = notice("x/1", 1, "@ada:alpha.test");
        GatewayIT.assertError(gateway.post(CHANGED, notice), 404, "M_UNRECOGNIZED");
        var asClient = gateway.post(CHANGED, notice, ServiceCredential.HEADER, "v1.forged");
        GatewayIT.assertError(asClient, 404, "M_UNRECOGNIZED");
        String forAnotherPath = SIGNING.credential(ServiceName.AUTH, "POST", "/internal/other");
        GatewayIT.assertError(
                gateway.post(CHANGED, notice, ServiceCredential.HEADER, forAnotherPath), 404, "M_UNRECOGNIZED");
    }

    private static String newToken() {
        return "leased-" + NAMES.incrementAndGet();
    }

    /** A token whose session is in the memory of the gateway. */
    private static String keptToken() {
        String token = newToken();
        assertThat(Deadline.in(PATIENCE).until(() -> isKept(token))).isTrue();
        return token;
    }

    private static boolean isKept(String token) {
        get(token);
        long before = questions(token);
        return get(token).statusCode() == 200 && questions(token) == before;
    }

    private static HttpResponse<String> get(String token) {
        return gateway.get(ROOMS, "Authorization", "Bearer " + token);
    }

    private static String user(String token) {
        return "@%s:alpha.test".formatted(GatewayIT.hash(token));
    }

    private static String change(String lease, String token) {
        return change(lease, 1, user(token));
    }

    private static String change(String lease, int tenant, String user) {
        var request = gateway.request(
                        CHANGED,
                        ServiceCredential.HEADER,
                        SIGNING.credential(ServiceName.AUTH, "POST", CHANGED),
                        "Content-Type",
                        "application/json")
                .POST(BodyPublishers.ofString(notice(lease, tenant, user)));
        return gateway.send(request).body();
    }

    private static String notice(String lease, int tenant, String user) {
        return JSON.writeValueAsString(Map.of("lease_id", lease, "tenant", tenant, "user", user));
    }

    private static long questions(String token) {
        return auth.seen.stream()
                .filter(seen -> seen.body().contains(GatewayIT.hash(token)))
                .count();
    }

    private static Reply answer(SeenRequest seen) {
        if (seen.uri().equals("/internal/gateway-leases/begin")) {
            lease = JSON.readTree(seen.body()).path("lease_id").asString("");
        }
        return switch (seen.uri()) {
            case "/internal/gateway-leases/begin", "/internal/gateway-leases/renew", "/internal/gateway-leases/end" ->
                new Reply(200, "{\"granted\":%s}".formatted(isGranted), Map.of());
            default ->
                new Reply(
                        200,
                        "{\"state\":\"known\",\"user\":\"@%s:alpha.test\",\"device\":\"D\",\"admin\":false}"
                                .formatted(JSON.readTree(seen.body())
                                        .path("token_hash")
                                        .asString("")),
                        Map.of());
        };
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
