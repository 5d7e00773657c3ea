package rookery.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import rookery.embedded.Deadline;
import rookery.embedded.EmbeddedRedis;
import rookery.embedded.Ports;
import rookery.embedded.TestServers;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceName;
import rookery.platform.instance.Instances;
import rookery.testing.Signing;

/** What a client sees of instances that die. */
class FailoverIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Path INSTANCES = TestServers.folder("instances");
    private static EmbeddedRedis redis;
    private static Upstream alive;
    private static ResettingServer resetting;
    private static SilentServer silent;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        redis = EmbeddedRedis.start(TestServers.folder("failover-redis"), TestServers.binaries());
        alive = Upstream.answering(200, "{\"alive\":true}");
        resetting = new ResettingServer();
        RunningGateway.register(INSTANCES, "room-service-1", "127.0.0.1:" + Ports.free());
        RunningGateway.register(INSTANCES, "room-service-2", alive.address());
        RunningGateway.register(INSTANCES, "auth-service-1", "127.0.0.1:" + Ports.free());
        RunningGateway.register(INSTANCES, "push-service-1", resetting.address());
        RunningGateway.register(INSTANCES, "push-service-2", alive.address());
        silent = new SilentServer();
        RunningGateway.register(INSTANCES, "directory-service-1", silent.address());
        RunningGateway.register(INSTANCES, "sync-service-1", silent.address());
        RunningGateway.register(INSTANCES, "admin-service-1", silent.address());
        RunningGateway.register(INSTANCES, "admin-service-2", alive.address());
        gateway = new RunningGateway(
                redis.url(),
                INSTANCES,
                "--rookery.rate-limit.enabled=false",
                "--spring.cloud.gateway.server.webflux.httpclient.response-timeout=500ms");
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
        resetting.close();
        silent.close();
        alive.close();
        redis.close();
    }

    @Test
    void whereNothingListensTheNextInstanceIsAsked() {
        for (int room = 0; room < 8; room++) { // whichever instance is a room's own
            String path = "/_api/client/v3/rooms/!" + room + ":alpha.test/send/m.x/1";
            assertThat(gateway.post(path, "{}").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void instanceThatHangsLosesItsKeysToTheOthers() {
        for (int client = 0; client < 8; client++) { // whichever instance is a client's own
            String address = "10.0.0." + client;
            assertThat(Deadline.in(PATIENCE)
                            .until(() -> gateway.get("/_api/client/stats", "X-Forwarded-For", address)
                                            .statusCode()
                                    == 200))
                    .isTrue();
        }
        for (int client = 0; client < 8; client++) {
            assertThat(gateway.get("/_api/client/stats", "X-Forwarded-For", "10.0.0." + client)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void whereNothingListensAtAllItIs503() {
        var answer = gateway.post("/_api/client/v3/login", "{}");
        GatewayIT.assertError(answer, 503, "M_UNKNOWN");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void aTokenThatNobodyCanCheckIs503AndNever401() {
        var answer = gateway.get("/_api/client/v3/rooms/!r:alpha.test/state", "Authorization", "Bearer ada");
        GatewayIT.assertError(answer, 503, "M_UNKNOWN");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void notReadyNamesWhatIsMissing() {
        var answer = gateway.get("/_api/client/health/ready");
        GatewayIT.assertError(answer, 503, "M_UNKNOWN");
        assertThat(answer.body()).contains("\"status\":\"not_ready\"", "\"services\":\"error\"");
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("5");
    }

    @Test
    void whatWasSentIsNotSentAgainUnlessItIsARead() {
        String address = whoIsServedByTheResetting();
        int before = resetting.requests.get();
        var refused = gateway.post("/_api/client/v3/pushers", "{}", "X-Forwarded-For", address);
        GatewayIT.assertError(refused, 503, "M_UNKNOWN");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(resetting.requests).hasValue(before + 1);
        assertThat(gateway.get("/_api/client/v3/pushers", "X-Forwarded-For", address)
                        .statusCode())
                .isEqualTo(200);
        assertThat(resetting.requests).hasValue(before + 2);
    }

    /** A long poll may have waited for as long as a signature lasts when its instance is killed. */
    @Test
    void theNextInstanceIsToldWithASignatureOfItsOwn() {
        var answer = gateway.get("/_api/client/v3/pushers", "X-Forwarded-For", whoIsServedByTheResetting());
        assertThat(answer.statusCode()).isEqualTo(200);
        var seen = alive.last();
        var caller = new Signing(ServiceName.PUSH)
                .read(seen.headers().get(CallerSignature.HEADER), seen.method(), seen.uri());
        assertThat(Objects.requireNonNull(caller).expiry().minusSeconds(30)).isAfterOrEqualTo(resetting.reset);
    }

    private static String whoIsServedByTheResetting() {
        return IntStream.range(1, 200)
                .mapToObj(i -> "198.51.100." + i)
                .filter(ip ->
                        instances().ranked("push-service", ip).getFirst().name().equals("push-service-1"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anInstanceThatDoesNotAnswerIs503InTheEnd() {
        var answer = gateway.get("/_api/client/v3/publicRooms");
        GatewayIT.assertError(answer, 503, "M_UNKNOWN");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void aClientThatGoesAwayIsNotWaitedForUpstream() throws Exception {
        try (var client = new Socket(InetAddress.getLoopbackAddress(), gateway.port)) {
            client.getOutputStream()
                    .write("GET /_api/client/v3/sync HTTP/1.1\r\nHost: alpha.test\r\n\r\n".getBytes(US_ASCII));
            assertThat(silent.asked.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(silent.abandoned.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static Instances instances() {
        return gateway.context.getBean(Instances.class);
    }

    /** Takes requests and never answers. */
    private static final class SilentServer implements AutoCloseable {
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch abandoned = new CountDownLatch(1);
        private final DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((request, _) -> {
                    if (request.uri().contains("/sync")) {
                        request.withConnection(connection -> connection.onDispose(abandoned::countDown));
                        asked.countDown();
                    }
                    return Mono.never();
                })
                .bindNow();

        String address() {
            return "127.0.0.1:" + server.port();
        }

        @Override
        public void close() {
            server.disposeNow();
        }
    }

    /** Says that it is ready, takes requests and resets the connection, as a process that is killed does. */
    private static final class ResettingServer implements AutoCloseable {
        private static final int HEAD_BYTES = 8192;
        private static final String READY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

        final AtomicInteger requests = new AtomicInteger();
        volatile Instant reset = Instant.MIN;
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

        ResettingServer() throws IOException {
            Thread.ofPlatform().daemon().start(this::serve);
        }

        String address() {
            return "127.0.0.1:" + server.getLocalPort();
        }

        private void serve() {
            while (!server.isClosed()) {
                try (var socket = server.accept()) {
                    byte[] head = new byte[HEAD_BYTES];
                    int length = socket.getInputStream().read(head);
                    if (new String(head, 0, Math.max(0, length), US_ASCII).startsWith("GET /internal/ready")) {
                        socket.getOutputStream().write(READY.getBytes(US_ASCII));
                        continue;
                    }
                    if (length >= 0) {
                        requests.incrementAndGet();
                    }
                    var asked = Instant.now();
                    while (Instant.now().toEpochMilli() <= asked.toEpochMilli() + 1) {
                        Thread.onSpinWait(); // signatures are told apart by milliseconds
                    }
                    reset = Instant.now().truncatedTo(ChronoUnit.MILLIS);
                    socket.setSoLinger(true, 0);
                } catch (IOException e) {
                    // the gateway or the test has closed it
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
