package rookery.sync.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import rookery.model.error.ApiException;
import tools.jackson.databind.json.JsonMapper;

/** A service that answers from a script, over real HTTP. */
public final class ScriptedService implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpServer http;
    private final Script script;
    private final Map<String, AtomicInteger> calls = new java.util.concurrent.ConcurrentHashMap<>();
    private volatile boolean away;

    /** What is answered, as something that Jackson can write. */
    public interface Script {
        Object answer(String path, Map<String, String> query, byte[] body);
    }

    ScriptedService(Script script) {
        this.script = script;
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::handle);
        http.start();
    }

    String address() {
        return "127.0.0.1:" + http.getAddress().getPort();
    }

    /** From now on every call is answered with 503, or no longer. */
    public void setAway(boolean isAway) {
        away = isAway;
    }

    /** How often a path was called. */
    public int calls(String path) {
        var count = calls.get(path);
        return count == null ? 0 : count.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            var uri = exchange.getRequestURI();
            calls.computeIfAbsent(uri.getPath(), _ -> new AtomicInteger()).incrementAndGet();
            int status = away ? 503 : 200;
            byte[] answer = "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
            if (!away) {
                try {
                    answer = JSON.writeValueAsBytes(script.answer(uri.getPath(), query(uri.getQuery()), body));
                } catch (ApiException e) {
                    status = e.status;
                    answer = JSON.writeValueAsBytes(Map.of("errcode", e.code.name(), "error", e.reason));
                }
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private static Map<String, String> query(@org.jspecify.annotations.Nullable String text) {
        var query = new HashMap<String, String>();
        for (var part : text == null ? new String[0] : text.split("&", -1)) {
            int equals = part.indexOf('=');
            query.put(part.substring(0, equals), part.substring(equals + 1));
        }
        return query;
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
