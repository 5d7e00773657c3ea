// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
import rookery.platform.http.LocalServices;

/**
 * The memory limits of request bodies (contract.md 2.1); services in the gateway's JVM and behind connections receive a body
 * completely or not at all.
 */
@ParameterizedClass
@SuppressWarnings("NullAway.Init") // start sets the fields
@ValueSource(booleans = {false, true})
class BodiesIT {
    private static final String LOGIN = "/_api/client/v3/login";
    private static final String MESSAGES = "/_api/client/v3/rooms/!r:alpha.test/messages";
    private static final String TOO_LARGE = "X-Rookery-Body-Too-Large";
    private static final Path INSTANCES = TestServers.folder("body-instances");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static Upstream service;
    private static LocalServices services;
    private static RunningGateway gateway;

    @Parameter
    boolean local;

    @BeforeParameterizedClassInvocation
    static void start(boolean local) {
        service = new Upstream(BodiesIT::answer);
        services = new LocalServices();
        if (local) {
            services.add("auth-service-1", service.handler());
            services.add("room-service-1", service.handler());
        }
        RunningGateway.register(INSTANCES, "auth-service-1", service.address());
        RunningGateway.register(INSTANCES, "room-service-1", service.address());
        gateway = gateway("--rookery.connection.bodies=6MB"); // 5 MiB of them for one address
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        gateway.close();
        service.close();
    }

    private static RunningGateway gateway(String property) {
        return new RunningGateway(
                services, TestServers.redis().url(), INSTANCES, "--rookery.rate-limit.enabled=false", property);
    }

    private static Reply answer(SeenRequest seen) {
        if (seen.uri().equals("/internal/tokens/resolve")) {
            boolean known = seen.body().contains(GatewayIT.hash("ada"));
            return new Reply(
                    200,
                    known
                            ? "{\"state\":\"known\",\"user\":\"@ada:alpha.test\",\"device\":\"D\",\"admin\":true}"
                            : "{\"state\":\"unknown\"}",
                    java.util.Map.of());
        }
        return new Reply(
                seen.headers().contains(TOO_LARGE) ? 413 : 200,
                "{\"bytes\":" + seen.body().length() + "}",
                java.util.Map.of());
    }

    private static String text(java.net.http.HttpResponse<String> answer) {
        return answer.statusCode() + " " + answer.body();
    }

    @ParameterizedTest
    @CsvSource({
        "POST,   /login,                          '',  65536,   200",
        "POST,   /login,                          '',  65537,   413",
        "POST,   /rooms/!r:alpha.test/messages,   ada, 65537,   200",
        "PUT,    /rooms/!r:alpha.test/send/m.x/1, ada, 1048576, 200",
        "PUT,    /rooms/!r:alpha.test/send/m.x/1, ada, 1048577, 413",
        "POST,   /keys/upload,                    ada, 5242880, 200",
        "POST,   /keys/upload,                    ada, 5242881, 413",
        "DELETE, /devices/D,                      ada, 65536,   200",
        "DELETE, /devices/D,                      ada, 65537,   413",
        "GET,    /rooms/!r:alpha.test/messages,   ada, 4096,    200",
        "GET,    /rooms/!r:alpha.test/messages,   ada, 4097,    413"
    })
    void bodyComesWholeOrTheServiceIsToldThatItWasTooLarge(
            String method, String path, String token, int bytes, int status) {
        byte[] body = new byte[bytes];
        for (var publisher : List.of(
                BodyPublishers.ofByteArray(body), BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))) {
            var request = gateway.request("/_api/client/v3" + path).method(method, publisher);
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            assertThat(text(gateway.send(request)))
                    .isEqualTo(status + " {\"bytes\":" + (status == 200 ? bytes : 0) + "}");
        }
    }

    @Test
    void chunkedBodyOfNothingIsNotTooLarge() {
        String answer = gateway.raw("POST " + LOGIN + " HTTP/1.1\r\nHost: alpha.test\r\nConnection: close\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200").endsWith("{\"bytes\":0}");
    }

    @Test
    void announcedLengthIsEnoughToRefuse() {
        String answer = gateway.raw("POST " + MESSAGES
                + " HTTP/1.1\r\nHost: alpha.test\r\nConnection: close\r\nContent-Length: 6000000\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 413");
    }

    @Test
    void bodiesThatAreHeldCostOnlyTheirSenderAndNoService() throws IOException {
        int before = service.seen.size();
        var sockets = new ArrayList<Socket>();
        try {
            // 64 KiB each, so 80 of them exhaust the share of one address; refused attempts are repeated
            assertThat(Deadline.in(PATIENCE).until(() -> {
                        sockets.add(begin(
                                "POST " + LOGIN + " HTTP/1.1\r\nHost: alpha.test\r\nContent-Length: 65536\r\n\r\n{"));
                        return login("127.0.0.1") == 503;
                    }))
                    .isTrue();
            assertThat(sockets).hasSizeGreaterThanOrEqualTo(80);
            var refused = gateway.post(LOGIN, "{}");
            GatewayIT.assertError(refused, 503, "M_UNKNOWN");
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(login("10.0.0.9")).isEqualTo(200);
            assertThat(service.seen.subList(before, service.seen.size()))
                    .allMatch(seen -> seen.body().equals("{}"));
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
        assertThat(Deadline.in(PATIENCE).until(() -> login("127.0.0.1") == 200)).isTrue();
    }

    @Test
    void bodyThatDoesNotComeInTimeIsRefused() {
        try (var impatient = gateway("--rookery.connection.body=1s")) {
            String answer = impatient.raw(
                    "POST " + LOGIN + " HTTP/1.1\r\nHost: alpha.test\r\nContent-Length: 100\r\n\r\n{\"user\":");
            assertThat(answer).startsWith("HTTP/1.1 408").contains("\"errcode\":\"M_UNKNOWN\"");
        }
    }

    private static int login(String address) {
        return gateway.post(LOGIN, "{}", "X-Forwarded-For", address).statusCode();
    }

    private static Socket begin(String request) {
        try {
            var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
