// SPDX-License-Identifier: Apache-2.0
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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import rookery.embedded.Deadline;
import rookery.embedded.EmbeddedRedis;
import rookery.embedded.Ports;
import rookery.embedded.TestServers;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ReadinessWatch;
import rookery.platform.http.ServiceName;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;
import rookery.testing.Signing;

/** The answers that clients get when instances die. */
class FailoverIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Path INSTANCES = TestServers.folder("instances");
    private static EmbeddedRedis redis;
    private static Upstream alive;
    private static ResettingServer resetting;
    private static ResettingServer stopping;
    private static SilentServer silent;
    private static SilentServer parking;
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
        silent = new SilentServer(false);
        RunningGateway.register(INSTANCES, "directory-service-1", silent.address());
        parking = new SilentServer(true);
        stopping = new ResettingServer();
        RunningGateway.register(INSTANCES, "sync-service-1", parking.address());
        RunningGateway.register(INSTANCES, "sync-service-2", stopping.address());
        RunningGateway.register(INSTANCES, "sync-service-3", alive.address());
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
        stopping.close();
        silent.close();
        parking.close();
        alive.close();
        redis.close();
    }

    @Test
    void whereNothingListensTheNextInstanceIsAsked() {
        for (int room = 0; room < 8; room++) { // the room's own instance is any of them
            String path = "/_api/client/v3/rooms/!" + room + ":alpha.test/send/m.x/1";
            assertThat(gateway.post(path, "{}").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void instanceThatHangsLosesItsKeysToTheOthers() {
        for (int client = 0; client < 8; client++) { // the client's own instance is any of them
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

    /** A request that crashed one instance would crash the next. */
    @Test
    void whatWasSentIsNotSentAgain() {
        String address = whoIsServedBy("push-service-1", "push-service-2");
        int requests = resetting.requests.get();
        int others = alive.seen.size();
        var refused = gateway.post("/_api/client/v3/pushers", "{}", "X-Forwarded-For", address);
        GatewayIT.assertError(refused, 503, "M_UNKNOWN");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        var read = gateway.get("/_api/client/v3/pushers", "X-Forwarded-For", address);
        GatewayIT.assertError(read, 503, "M_UNKNOWN");
        assertThat(read.headers().firstValue("Retry-After")).isPresent();
        assertThat(resetting.requests).hasValue(requests + 2);
        assertThat(alive.seen.stream().skip(others).map(Upstream.SeenRequest::uri))
                .doesNotContain("/_api/client/v3/pushers");
    }

    /** When the instance stops, a long poll may be older than the life of a signature. */
    @Test
    void readThatAStoppingInstanceCutIsAskedOfTheNextWithASignatureOfItsOwn() throws Exception {
        String address = whoIsServedBy("sync-service-2", "sync-service-3");
        var instance = instances().of("sync-service").get(1);
        stopping.stops = new CountDownLatch(1);
        try {
            var answer = CompletableFuture.supplyAsync(
                    () -> gateway.get("/_api/client/v3/sync?since=s", "X-Forwarded-For", address));
            assertThat(Deadline.in(PATIENCE).until(() -> instances().isStopping("sync-service", instance)))
                    .isTrue();
            stopping.stops.countDown();
            assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        } finally {
            stopping.stops = null;
        }
        var seen = alive.last();
        var caller = new Signing(ServiceName.SYNC)
                .read(seen.headers().get(CallerSignature.HEADER), seen.method(), seen.uri());
        assertThat(Objects.requireNonNull(caller).expiry().minusSeconds(30)).isAfterOrEqualTo(stopping.reset);
        assertThat(Deadline.in(PATIENCE).until(() -> !instances().isStopping("sync-service", instance)))
                .as("it is ready again")
                .isTrue();
    }

    /** An address whose requests go to these instances, in this order. */
    private static String whoIsServedBy(String... names) {
        String service = names[0].substring(0, names[0].lastIndexOf('-'));
        return IntStream.range(1, 250)
                .mapToObj(i -> "198.51.100." + i)
                .filter(ip -> instances().ranked(service, ip).stream()
                        .limit(names.length)
                        .map(Instance::name)
                        .toList()
                        .equals(List.of(names)))
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
                    .write(("GET /_api/client/v3/sync HTTP/1.1\r\nHost: alpha.test\r\nX-Forwarded-For: "
                                    + whoIsServedBy("sync-service-1") + "\r\n\r\n")
                            .getBytes(US_ASCII));
            assertThat(parking.requested.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(parking.abandoned.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static Instances instances() {
        return gateway.context.getBean(Instances.class);
    }

    /** Reads requests and never answers, except for readiness if configured. */
    private static final class SilentServer implements AutoCloseable {
        final CountDownLatch requested = new CountDownLatch(1);
        final CountDownLatch abandoned = new CountDownLatch(1);
        private final boolean ready;
        private final DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(this::handle)
                .bindNow();

        SilentServer(boolean ready) {
            this.ready = ready;
        }

        private Mono<Void> handle(HttpServerRequest request, HttpServerResponse response) {
            if (request.uri().contains("/sync")) {
                request.withConnection(connection -> connection.onDispose(abandoned::countDown));
                requested.countDown();
            }
            return ready && request.uri().equals("/internal/ready") ? response.send() : Mono.never();
        }

        String address() {
            return "127.0.0.1:" + server.port();
        }

        @Override
        public void close() {
            server.disposeNow();
        }
    }

    /** Answers readiness, reads requests and resets the connection, like a killed process. */
    private static final class ResettingServer implements AutoCloseable {
        private static final int HEAD_BYTES = 8192;
        private static final String READY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        private static final String STOPPING = "HTTP/1.1 503 Service Unavailable\r\n" + ReadinessWatch.STOPPING_HEADER
                + ": true\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

        final AtomicInteger requests = new AtomicInteger();
        /** If set, the server announces its stop after receiving a request, and then cuts the request. */
        volatile @Nullable CountDownLatch stops;

        private volatile boolean stopping;

        volatile Instant reset = Instant.MIN;
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

        ResettingServer() throws IOException {
            Thread.ofPlatform().daemon().start(this::serve);
        }

        String address() {
            return "127.0.0.1:" + server.getLocalPort();
        }

        private void serve() {
            try {
                while (true) {
                    var socket = server.accept();
                    Thread.ofVirtual().start(() -> serve(socket));
                }
            } catch (IOException e) {
                // closed by the test
            }
        }

        private void serve(Socket socket) {
            try (socket) {
                byte[] head = new byte[HEAD_BYTES];
                int length = socket.getInputStream().read(head);
                var stop = stops;
                stopping &= stop != null;
                if (new String(head, 0, Math.max(0, length), US_ASCII).startsWith("GET /internal/ready")) {
                    socket.getOutputStream().write((stopping ? STOPPING : READY).getBytes(US_ASCII));
                    return;
                }
                if (length >= 0) {
                    requests.incrementAndGet();
                }
                if (stop != null) {
                    stopping = true;
                    stop.await(30, TimeUnit.SECONDS);
                }
                var requested = Instant.now();
                while (Instant.now().toEpochMilli() <= requested.toEpochMilli() + 1) {
                    Thread.onSpinWait(); // signatures differ by milliseconds
                }
                reset = Instant.now().truncatedTo(ChronoUnit.MILLIS);
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // closed by the gateway
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
