// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import rookery.model.error.ApiException;
import tools.jackson.databind.json.JsonMapper;

/** A scripted service over real HTTP. */
public final class ScriptedService implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpServer http;
    private final Script script;
    private final Map<String, AtomicInteger> calls = new java.util.concurrent.ConcurrentHashMap<>();
    private volatile boolean away;
    private volatile Gate gate = new Gate("", new CountDownLatch(0));

    /** Calls of the path wait for the latch. */
    private record Gate(String path, CountDownLatch latch) {
        void pass(String called) throws InterruptedException {
            if (called.equals(path)) {
                latch.await();
            }
        }
    }

    /** An answer, as an object for Jackson. */
    public interface Script {
        Object answer(String path, Map<String, String> query, byte[] body);
    }

    /** Documents, one a line. */
    record Lines(List<?> documents) {
        private static final List<String> SECTIONS = List.of("join", "invite", "knock", "leave");

        /** Room-service's answer to a sync, truncated after the given number of lines. */
        static Lines of(Object head, List<Map<String, Object>> sections, int most) {
            var lines = new ArrayList<Object>(List.of(head));
            SECTIONS.forEach(name -> sections.stream()
                    .filter(section -> name.equals(section.get("section")))
                    .forEach(lines::add));
            lines.add(Map.of("end", sections.size()));
            return new Lines(lines.subList(0, Math.min(lines.size(), most)));
        }
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

    /** Answers every call with 503, or stops doing so. */
    public void setAway(boolean isAway) {
        away = isAway;
    }

    /** Delays the answers to a path. */
    public void hold(String path) {
        gate = new Gate(path, new CountDownLatch(1));
    }

    /** Answers the delayed calls. */
    public void release() {
        gate.latch.countDown();
    }

    /** The number of calls of a path. */
    public int calls(String path) {
        var count = calls.get(path);
        return count == null ? 0 : count.get();
    }

    /** The number of calls by path, without those by which a node follows the logs. */
    public Map<String, Integer> callsBesideLogs() {
        return calls.entrySet().stream()
                .filter(entry -> !entry.getKey().startsWith("/internal/log/"))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().get()));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            var uri = exchange.getRequestURI();
            calls.computeIfAbsent(uri.getPath(), _ -> new AtomicInteger()).incrementAndGet();
            gate.pass(uri.getPath());
            int status = away ? 503 : 200;
            byte[] answer = "{}".getBytes(StandardCharsets.UTF_8);
            if (!away) {
                try {
                    answer = bytes(script.answer(uri.getPath(), query(uri.getQuery()), body));
                } catch (ApiException e) {
                    status = e.status;
                    answer = JSON.writeValueAsBytes(Map.of("errcode", e.code.name(), "error", e.reason));
                }
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] bytes(Object answer) {
        return answer instanceof Lines(var documents)
                ? documents.stream()
                        .map(document -> JSON.writeValueAsString(document) + "\n")
                        .collect(Collectors.joining())
                        .getBytes(StandardCharsets.UTF_8)
                : JSON.writeValueAsBytes(answer);
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
