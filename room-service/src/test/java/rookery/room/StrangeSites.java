// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** A web server on loopback with hostile pages; counts requests. */
final class StrangeSites implements AutoCloseable {
    static final byte[] PIXEL = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=");

    private static final int PART_BYTES = 64 << 10;
    private static final int LARGE_BYTES = 90_000;

    private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();
    private final Sinks.One<String> gate = Sinks.one();
    private final DisposableServer server =
            HttpServer.create().host("127.0.0.1").port(0).handle(this::answer).bindNow();

    int port() {
        return server.port();
    }

    String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    /** Number of requests for a path. */
    int requests(String path) {
        return requests.getOrDefault(path, new AtomicInteger()).get();
    }

    /** Releases the pages that wait at the gate. */
    void openGate() {
        gate.emitValue("<title>late</title>", Sinks.EmitFailureHandler.FAIL_FAST);
    }

    private Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        String path = request.uri();
        requests.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
        response.header(
                "Content-Type", path.endsWith(".png") && !path.startsWith("/with-") ? "image/png" : "text/html");
        if (path.startsWith("/page/")) {
            return html(
                    response,
                    "<title>a page</title><meta property=og:image content='../picture/" + path.substring(6) + ".png'>");
        } else if (path.startsWith("/picture/")) {
            return response.sendByteArray(
                    Mono.just(path.contains("large") ? Arrays.copyOf(PIXEL, LARGE_BYTES) : PIXEL));
        } else if (path.startsWith("/gate/")) {
            return response.sendString(gate.asMono());
        } else if (path.startsWith("/hop")) {
            int left = Integer.parseInt(path.substring(4));
            return left == 0 ? html(response, "<title>behind hops</title>") : moved(response, "hop" + (left - 1));
        }
        return answer(path, response);
    }

    private Publisher<Void> answer(String path, HttpServerResponse response) {
        return switch (path) {
            case "/empty" -> response.send();
            case "/nothing" -> html(response, "<p>nothing");
            case "/pdf" -> response.header("Content-Type", "application/pdf").sendString(Mono.just("%PDF-1.7"));
            case "/failing" -> response.status(500).sendString(Mono.just("<title>x"));
            case "/loop" -> moved(response, "/loop");
            case "/nowhere" -> response.status(302).send();
            case "/to-file" -> moved(response, "file:///etc/passwd");
            case "/to-port" -> moved(response, "http://127.0.0.1:1/");
            case "/to-denied" -> moved(response, "http://localhost:" + port() + "/denied");
            case "/compressed" -> html(response.header("Content-Encoding", "gzip"), "<title>x");
            case "/long-header" -> html(response.header("X-Long", "x".repeat(PART_BYTES)), "<title>x");
            case "/endless" -> response.sendByteArray(endless("<title>endless</title>"));
            case "/endless.png" -> response.sendByteArray(endless("\u0089PNG\r\n\u001A\n"));
            case "/no-picture.png" -> response.sendString(Mono.just("<svg><script>alert(1)</script></svg>"));
            case "/broken.png" -> response.sendString(Mono.just("\u0089PNG\r\n\u001A\n"), StandardCharsets.ISO_8859_1);
            case "/trickle" ->
                response.send(
                        Flux.interval(Duration.ofMillis(100))
                                .map(_ -> Unpooled.copiedBuffer("<p>", StandardCharsets.US_ASCII)),
                        _ -> true);
            case "/cut" ->
                response.header("Content-Length", "100")
                        .sendString(Mono.just("<title>x</title>"))
                        .then()
                        .doFinally(_ -> response.withConnection(connection -> connection.dispose()));
            case "/silent" -> Mono.never();
            default ->
                path.startsWith("/with-")
                        ? html(
                                response,
                                "<title>t</title><meta property=og:image content='/" + path.substring(6) + "'>")
                        : response.sendNotFound();
        };
    }

    private static Publisher<Void> html(HttpServerResponse response, String text) {
        return response.sendString(Mono.just(text));
    }

    private static Publisher<Void> moved(HttpServerResponse response, String to) {
        return response.status(302).header("Location", to).send();
    }

    private static Flux<byte[]> endless(String beginning) {
        return Flux.concat(
                Mono.just(beginning.getBytes(StandardCharsets.ISO_8859_1)),
                Flux.range(0, Integer.MAX_VALUE).map(_ -> new byte[PART_BYTES]));
    }

    @Override
    public void close() {
        server.disposeNow();
    }
}
