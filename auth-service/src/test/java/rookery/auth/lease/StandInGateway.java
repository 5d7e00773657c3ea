// SPDX-License-Identifier: Apache-2.0
package rookery.auth.lease;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceName;
import rookery.testing.Signing;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plays a gateway with leases: confirms notices, or leaves them without an answer. */
final class StandInGateway implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Signing SIGNING = new Signing(ServiceName.GATEWAY);

    final List<JsonNode> notices = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private volatile boolean isSilent;
    /** Runs before each confirmation. */
    private volatile Runnable seen = () -> {};

    StandInGateway() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/internal/sessions/changed", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Leaves all later notices without an answer. */
    void fallSilent() {
        isSilent = true;
    }

    void speak() {
        isSilent = false;
    }

    void beforeConfirmation(Runnable action) {
        seen = action;
    }

    boolean begin(AuthServer auth, String id) {
        return granted(auth.internal(
                "POST", "/internal/gateway-leases/begin", "{\"lease_id\":\"%s\",\"port\":%d}".formatted(id, port())));
    }

    static boolean renew(AuthServer auth, String id) {
        return granted(auth.internal("POST", "/internal/gateway-leases/renew", "{\"lease_id\":\"%s\"}".formatted(id)));
    }

    private static boolean granted(Answer answer) {
        return answer.json().path("granted").booleanValue();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var caller = SIGNING.readCredential(
                exchange.getRequestHeaders().getFirst(ServiceCredential.HEADER),
                "POST",
                exchange.getRequestURI().getPath());
        var notice = JSON.readTree(exchange.getRequestBody());
        if (isSilent) {
            try {
                closing.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
            return;
        }
        if (notice.has("user")) {
            seen.run();
            notices.add(notice);
        }
        byte[] body = "{\"confirmed\":%s}".formatted(caller == ServiceName.AUTH).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
