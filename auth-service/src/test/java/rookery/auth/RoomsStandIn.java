// SPDX-License-Identifier: Apache-2.0
package rookery.auth;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plays room-service for questions about shared rooms: all users share a room, except registered strangers. */
public final class RoomsStandIn {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> STRANGERS = ConcurrentHashMap.newKeySet();
    private static final Set<String> UNANSWERED = ConcurrentHashMap.newKeySet();
    private static final HttpServer SERVER = start();

    private RoomsStandIn() {}

    static String address() {
        return "127.0.0.1:" + SERVER.getAddress().getPort();
    }

    /** The user shares no room with others from now on. */
    public static void estrange(String user) {
        STRANGERS.add(user);
    }

    /** Answers as if room-service were down for questions about this user. */
    public static void leaveUnanswered(String user) {
        UNANSWERED.add(user);
    }

    private static HttpServer start() {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", RoomsStandIn::answer);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        var question = JSON.readTree(exchange.getRequestBody());
        boolean isAnswered = exchange.getRequestURI().getPath().equals("/internal/rooms/acquainted")
                && !UNANSWERED.contains(question.path("user").asString());
        byte[] body = JSON.writeValueAsString(Map.of("users", isAnswered ? acquainted(question) : List.of()))
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isAnswered ? 200 : 503, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static List<String> acquainted(JsonNode question) {
        return STRANGERS.contains(question.path("user").asString())
                ? List.of()
                : question.path("others")
                        .valueStream()
                        .map(JsonNode::asString)
                        .filter(user -> !STRANGERS.contains(user))
                        .toList();
    }
}
