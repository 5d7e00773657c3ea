// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.gateway.Upstream.Reply;
import rookery.model.caller.Caller.Known;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;

/** Uploads are streamed through the gateway and occupy only their connection (contract.md 13.4). */
class UploadsIT {
    private static final String UPLOAD = "/_matrix/media/v3/upload?filename=x";
    private static final Path INSTANCES = TestServers.folder("upload-instances");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MIB = 1 << 20;

    private static final AtomicLong BYTES = new AtomicLong();
    private static final AtomicInteger ENDED = new AtomicInteger();
    private static final AtomicInteger BROKEN = new AtomicInteger();

    private static Upstream users;
    private static DisposableServer media;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        users = new Upstream(_ -> new Reply(
                200, "{\"state\":\"known\",\"user\":\"@ada:alpha.test\",\"device\":\"D\",\"admin\":true}", Map.of()));
        media = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(UploadsIT::take)
                .bindNow();
        RunningGateway.register(INSTANCES, "auth-service-1", users.address());
        RunningGateway.register(INSTANCES, "media-1", "127.0.0.1:" + media.port());
        gateway = gateway("--rookery.connection.bodies=6MB");
    }

    private static RunningGateway gateway(String property) {
        return new RunningGateway(
                TestServers.redis().url(),
                INSTANCES,
                "--rookery.rate-limit.enabled=false",
                "--rookery.media.size-max=30MB",
                "--rookery.media.instances=media",
                property);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        media.disposeNow();
        users.close();
    }

    @BeforeEach
    void forget() {
        BYTES.set(0);
        ENDED.set(0);
        BROKEN.set(0);
    }

    /** Like a service: refuses a body marked as too large, otherwise answers the number of received bytes. */
    private static Mono<Void> take(HttpServerRequest request, HttpServerResponse response) {
        if (request.uri().equals("/internal/ready")) {
            return response.sendString(Mono.just("{}")).then();
        }
        String header = request.requestHeaders().get(CallerSignature.HEADER);
        var caller = new Signing(ServiceName.ROOM).read(header, request.method().name(), request.uri());
        boolean isKnown = caller != null && caller.who() instanceof Known;
        boolean tooLarge = request.requestHeaders().contains("X-Rookery-Body-Too-Large");
        return request.receive()
                .doOnNext(part -> BYTES.addAndGet(part.readableBytes()))
                .doOnError(_ -> BROKEN.incrementAndGet())
                .doOnComplete(ENDED::incrementAndGet)
                .then(Mono.defer(() -> response.status(tooLarge ? 413 : 200)
                        .sendString(Mono.just(isKnown + " " + BYTES.get() + " " + request.uri()))
                        .then()));
    }

    private static String text(java.net.http.HttpResponse<String> answer) {
        return answer.statusCode() + " " + answer.body();
    }

    @Test
    void theServiceHasTheBeginningBeforeTheClientHasSentTheEnd() throws IOException {
        byte[] half = new byte[10 * MIB];
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            var out = socket.getOutputStream();
            out.write(("POST " + UPLOAD + " HTTP/1.1\r\nHost: alpha.test\r\nAuthorization: Bearer ada\r\n"
                            + "Connection: close\r\nContent-Length: " + 2 * half.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            out.write(half);
            assertThat(Deadline.in(PATIENCE).until(() -> BYTES.get() == half.length))
                    .isTrue();
            assertThat(ENDED).hasValue(0);
            out.write(half);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200")
                    .contains("true " + 2 * half.length + " /_api/media/v3/upload?filename=x");
        }
    }

    @Test
    void anUploadOfUnknownLengthPassesToo() {
        byte[] body = new byte[20 * MIB];
        var answer = gateway.send(gateway.request(UPLOAD, "Authorization", "Bearer ada")
                .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));
        assertThat(text(answer)).startsWith("200 true " + body.length);
    }

    @Test
    void whatIsTooLargeIsRefusedAndNeverComesToAnEndAtTheService() {
        byte[] body = new byte[30 * MIB + 1];
        var announced = gateway.send(
                gateway.request(UPLOAD, "Authorization", "Bearer ada").POST(BodyPublishers.ofByteArray(body)));
        assertThat(text(announced)).startsWith("413 true 0 ");
        ENDED.set(0);
        var counted = gateway.send(gateway.request(UPLOAD, "Authorization", "Bearer ada")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));
        GatewayIT.assertError(counted, 413, "M_TOO_LARGE");
        assertThat(Deadline.in(PATIENCE).until(() -> BROKEN.get() == 1)).isTrue();
        assertThat(ENDED).hasValue(0);
        assertThat(BYTES.get()).isLessThanOrEqualTo(30L * MIB);
    }

    @Test
    void strangersSendWhatStrangersMaySend() {
        var answer = gateway.send(gateway.request(UPLOAD).POST(BodyPublishers.ofByteArray(new byte[70_000])));
        assertThat(text(answer)).startsWith("413 false 0 ");
    }

    @Test
    void theServiceSeesThatAClientHasGone() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port)) {
            socket.getOutputStream()
                    .write(("POST " + UPLOAD + " HTTP/1.1\r\nHost: alpha.test\r\nAuthorization: Bearer ada\r\n"
                                    + "Content-Length: 1000000\r\n\r\n" + "x".repeat(1000))
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(Deadline.in(PATIENCE).until(() -> BYTES.get() == 1000)).isTrue();
        }
        assertThat(Deadline.in(PATIENCE).until(() -> BROKEN.get() == 1)).isTrue();
        assertThat(ENDED).hasValue(0);
    }

    @Test
    void anUploadThatTricklesIsEnded() {
        try (var impatient = gateway("--rookery.connection.body=1s")) {
            String answer = impatient.raw("POST " + UPLOAD + " HTTP/1.1\r\nHost: alpha.test\r\n"
                    + "Authorization: Bearer ada\r\nContent-Length: 1000000\r\n\r\nx");
            assertThat(answer).startsWith("HTTP/1.1 408").contains("\"errcode\":\"M_UNKNOWN\"");
        }
        assertThat(Deadline.in(PATIENCE).until(() -> BROKEN.get() == 1)).isTrue();
    }
}
