// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Stores push rules like auth-service: each content with its position, and 409 for a write based on an older position. */
final class KeptAccountData {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, KeptContent> kept = new HashMap<>();
    private long pos;
    private int writes;
    private int conflicts;

    private record KeptContent(JsonNode content, long pos) {}

    private KeptAccountData(HttpServer server) {
        this.server = server;
    }

    static KeptAccountData started() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var data = new KeptAccountData(server);
        server.setExecutor(data.threads);
        server.createContext("/internal/users/", data::answer);
        server.start();
        return data;
    }

    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    int port() {
        return server.getAddress().getPort();
    }

    synchronized void forget() {
        kept.clear();
        writes = 0;
        conflicts = 0;
    }

    synchronized void set(int tenant, String user, JsonNode content) {
        kept.put(key(tenant, user), new KeptContent(content, ++pos));
    }

    synchronized @Nullable JsonNode content(int tenant, String user) {
        var stored = kept.get(key(tenant, user));
        return stored == null ? null : stored.content;
    }

    synchronized int writes() {
        return writes;
    }

    synchronized int conflicts() {
        return conflicts;
    }

    private void answer(HttpExchange exchange) throws IOException {
        var user = exchange.getRequestURI().getPath().split("/", -1)[3];
        var body = exchange.getRequestBody().readAllBytes();
        boolean isRead = exchange.getRequestMethod().equals("GET");
        var written = isRead ? null : JSON.readTree(body);
        var key = written == null
                ? key(Integer.parseInt(exchange.getRequestURI().getQuery().replaceAll(".*tenant=(\\d+).*", "$1")), user)
                : key(written.path("tenant").intValue(), user);
        boolean done = written == null || write(key, written);
        var answer =
                (done ? read(key) : "{\"errcode\":\"M_UNKNOWN\",\"error\":\"again\"}").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(done ? 200 : 409, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private synchronized boolean write(String key, JsonNode request) {
        var stored = kept.get(key);
        if (!request.path("type").asString().equals("m.push_rules")
                || request.path("read_at").longValue() != (stored == null ? 0 : stored.pos)) {
            conflicts++;
            return false;
        }
        kept.put(key, new KeptContent(request.path("content"), ++pos));
        writes++;
        return true;
    }

    private synchronized String read(String key) {
        var stored = kept.get(key);
        return stored == null ? "{\"pos\":0}" : "{\"pos\":%d,\"content\":%s}".formatted(stored.pos, stored.content);
    }

    private static String key(int tenant, String user) {
        return tenant + " " + user;
    }
}
