// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;

/** Stands before a server and refuses every few requests, as a rate limit does, for a moment. */
final class LimitingProxy implements AutoCloseable {
    private static final int EACH = 7;
    private static final String REFUSAL = "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"error\":\"wait\",\"retry_after_ms\":50}";
    private static final List<String> PASSED = List.of("Authorization", "Content-Type", "Host");

    private final URI server;
    private final HttpServer proxy;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = Http.builder().build();
    private final AtomicInteger requests = new AtomicInteger();

    LimitingProxy(TenantAddress site) throws IOException {
        this.server = site.base();
        this.proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", this::answer);
        proxy.setExecutor(threads);
        proxy.start();
    }

    /** The same tenant, behind this proxy. */
    TenantAddress before(TenantAddress site) {
        return new TenantAddress(
                URI.create("http://127.0.0.1:" + proxy.getAddress().getPort()), site.host(), site.prefix());
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (requests.incrementAndGet() % EACH == 0) {
            send(exchange, 429, "application/json", REFUSAL.getBytes(StandardCharsets.UTF_8));
            return;
        }
        var request = HttpRequest.newBuilder(
                        server.resolve(exchange.getRequestURI().toString()))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (var name : PASSED) {
            var value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.setHeader(name, value);
            }
        }
        try {
            var answer = client.send(request.build(), BodyHandlers.ofByteArray());
            send(
                    exchange,
                    answer.statusCode(),
                    answer.headers().firstValue("Content-Type").orElse(""),
                    answer.body());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        proxy.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }
}
