// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.LocalService;
import rookery.platform.http.ServiceName;
import rookery.platform.registry.TenantFollower;
import rookery.testing.Signing;

/** Stands in for an instance of a service: a real HTTP server that records its requests. */
final class Upstream implements AutoCloseable {
    private static final Reply NO_FURTHER_TENANTS = new Reply(200, "{\"version\":1,\"tenants\":[]}", Map.of());

    final List<SeenRequest> seen = new CopyOnWriteArrayList<>();
    private final Function<SeenRequest, Reply> replies;
    private final DisposableServer server;
    /** Delays every answer until completion. */
    volatile Mono<Void> pause = Mono.empty();

    Upstream(Function<SeenRequest, Reply> replies) {
        this.replies = replies;
        this.server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(this::handle)
                .bindNow(Duration.ofSeconds(5));
    }

    static Upstream answering(int status, String body) {
        return new Upstream(_ -> new Reply(status, body, Map.of()));
    }

    String address() {
        return "127.0.0.1:" + server.port();
    }

    SeenRequest last() {
        return seen.getLast();
    }

    private Mono<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        if (request.uri().startsWith(TenantFollower.PATH)) {
            return answer(response, NO_FURTHER_TENANTS);
        }
        return request.receive()
                .aggregate()
                .asByteArray()
                .defaultIfEmpty(new byte[0])
                .flatMap(body -> {
                    var seenNow = new SeenRequest(
                            request.method().name(),
                            request.uri(),
                            request.requestHeaders().copy(),
                            new String(body, StandardCharsets.UTF_8));
                    if (!seenNow.uri.equals("/internal/ready") // the gateway's own requests
                            && !seenNow.uri.startsWith("/internal/gateway-leases/")) {
                        seen.add(seenNow);
                    }
                    return pause.then(Mono.defer(() -> answer(response, replies.apply(seenNow))));
                });
    }

    private static Mono<Void> answer(HttpServerResponse response, Reply reply) {
        response.status(reply.status).header("Content-Type", "application/json");
        reply.headers.forEach(response::header);
        return response.sendString(Mono.just(reply.body)).then();
    }

    /** The same replies in the gateway's JVM; the recorded requests have the caller's header as over a connection. */
    HttpHandler handler() {
        return (request, response) -> DataBufferUtils.join(request.getBody())
                .map(body -> {
                    String text = body.toString(StandardCharsets.UTF_8);
                    DataBufferUtils.release(body);
                    return text;
                })
                .defaultIfEmpty("")
                .flatMap(body -> {
                    var seenNow = seen(request, body);
                    seen.add(seenNow);
                    return pause.then(Mono.defer(() -> answer(response, replies.apply(seenNow))));
                });
    }

    private static SeenRequest seen(ServerHttpRequest request, String body) {
        var headers = new DefaultHttpHeaders();
        request.getHeaders().forEach(headers::add);
        String uri = request.getURI().toString().replaceFirst("http://[^/]+", "");
        var caller = Objects.requireNonNull(LocalService.callerOf(request));
        headers.add(
                CallerSignature.HEADER,
                new Signing(ServiceName.ROOM).caller(caller, request.getMethod().name(), uri));
        return new SeenRequest(request.getMethod().name(), uri, headers, body);
    }

    private static Mono<Void> answer(ServerHttpResponse response, Reply reply) {
        response.setRawStatusCode(reply.status);
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        reply.headers.forEach(response.getHeaders()::set);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(reply.body.getBytes(StandardCharsets.UTF_8))));
    }

    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(5));
    }

    record SeenRequest(String method, String uri, HttpHeaders headers, String body) {}

    record Reply(int status, String body, Map<String, String> headers) {}
}
