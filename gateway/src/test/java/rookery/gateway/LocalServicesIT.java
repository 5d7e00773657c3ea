// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.platform.http.LocalServices;

/** Services in the gateway's JVM that are late, fail in the middle or wait, and clients that leave or do not read. */
class LocalServicesIT {
    private static final Path INSTANCES = TestServers.folder("local-services-instances");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String LATE = "/_api/client/v3/rooms/!late:alpha.test/read_markers";
    private static final String PAGE = "/_api/client/v3/rooms/!page:alpha.test/state/m.room.name/";
    private static final String SYNC = "/_api/client/v3/sync?since=s";

    private static final Sinks.One<String> lateAnswer = Sinks.one();
    private static final CountDownLatch lateEnd = new CountDownLatch(1);
    private static final CountDownLatch parked = new CountDownLatch(1);
    private static final CountDownLatch pollEnd = new CountDownLatch(1);
    private static final CountDownLatch streamEnd = new CountDownLatch(1);
    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        var services = new LocalServices();
        services.add("room-service-1", room());
        services.add(
                "sync-service-1",
                (_, _) -> Mono.<Void>never()
                        .doOnSubscribe(_ -> parked.countDown())
                        .doOnCancel(pollEnd::countDown));
        for (String service : new String[] {"room-service-1", "sync-service-1", "auth-service-1"}) {
            RunningGateway.register(INSTANCES, service, "127.0.0.1:1"); // nothing listens there
        }
        gateway = new RunningGateway(
                services,
                TestServers.redis().url(),
                INSTANCES,
                "--rookery.rate-limit.enabled=false",
                "--rookery.connection.write-max=500ms",
                "--spring.cloud.gateway.server.webflux.httpclient.response-timeout=500ms");
    }

    private static HttpHandler room() {
        return (request, response) -> {
            String path = request.getPath().value();
            response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
            response.getHeaders().set("X-Of-Service", "1");
            if (path.contains("!late")) { // as CallerFilter does: the handler runs to its end
                return write(response, lateAnswer.asMono())
                        .doFinally(_ -> lateEnd.countDown())
                        .cache();
            }
            if (path.contains("!cut")) {
                return response.writeWith(
                        part(response, "{\"begun\":").concatWith(Flux.error(new IllegalStateException())));
            }
            return path.contains("!endless")
                    ? response.writeWith(
                            part(response, "x".repeat(60_000)).repeat().doOnCancel(streamEnd::countDown))
                    : write(response, Mono.just("{}"));
        };
    }

    private static Mono<Void> write(ServerHttpResponse response, Mono<String> text) {
        return response.writeWith(text.map(body -> response.bufferFactory().wrap(body.getBytes(US_ASCII))));
    }

    private static Flux<DataBuffer> part(ServerHttpResponse response, String text) {
        return Flux.defer(() -> Flux.just(response.bufferFactory().wrap(text.getBytes(US_ASCII))));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void lateServiceCannotTouchTheConnectionAnyMore() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port)) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            send(socket, "POST " + LATE, "Content-Length: 0\r\n");
            assertThat(in.readLine()).isEqualTo("HTTP/1.1 503 Service Unavailable");
            assertThat(answer(in)).contains("M_UNKNOWN").doesNotContain("X-Of-Service");

            lateAnswer.tryEmitValue("{\"late\":true}");
            assertThat(lateEnd.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            send(socket, "GET " + PAGE, "");
            assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(answer(in)).contains("X-Of-Service").endsWith("{}").doesNotContain("late");
        }
        assertThat(gateway.get(PAGE).statusCode()).isEqualTo(200);
    }

    @Test
    void pollEndsWithItsClient() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port)) {
            send(socket, "GET " + SYNC, "");
            assertThat(parked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(pollEnd.getCount()).isOne();
        }
        assertThat(pollEnd.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void answerThatFailsInTheMiddleEndsItsConnection() {
        String answer = gateway.raw("GET " + PAGE.replace("!page", "!cut") + " HTTP/1.1\r\nHost: alpha.test\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200").contains("{\"begun\":").doesNotContain("\r\n0\r\n");
    }

    @Test
    void clientThatReadsNothingIsCut() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port)) {
            send(socket, "GET " + PAGE.replace("!page", "!endless"), "");
            assertThat(streamEnd.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void stoppedServiceIsUnavailable() {
        var services = new LocalServices();
        try (var other = new RunningGateway(
                services, TestServers.redis().url(), INSTANCES, "--rookery.rate-limit.enabled=false")) {
            GatewayIT.assertError(other.get(PAGE), 503, "M_UNKNOWN");
            services.add("room-service-1", room());
            assertThat(Deadline.in(PATIENCE).until(() -> other.get(PAGE).statusCode() == 200))
                    .isTrue();
        }
    }

    private static void send(Socket socket, String target, String headers) throws IOException {
        socket.getOutputStream()
                .write("%s HTTP/1.1\r\nHost: alpha.test\r\n%s\r\n"
                        .formatted(target, headers)
                        .getBytes(US_ASCII));
    }

    /** The rest of one answer with a Content-Length. */
    private static String answer(BufferedReader in) throws IOException {
        var text = new StringBuilder();
        int length = 0;
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            text.append(line).append('\n');
            length = line.regionMatches(true, 0, "content-length: ", 0, 16)
                    ? Integer.parseInt(line.substring(16))
                    : length;
        }
        for (int i = 0; i < length; i++) {
            text.append((char) in.read());
        }
        return text.toString();
    }
}
