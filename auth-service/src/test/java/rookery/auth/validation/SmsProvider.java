// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An SMS provider on a port of its own: records posted messages and refuses some numbers. */
final class SmsProvider {
    /** The provider answers 500 for this number, and a redirect for the next. */
    static final String BROKEN = "+447700900500";

    static final String MOVED = "+447700900302";

    private final HttpServer http;
    private final List<Message> messages = new CopyOnWriteArrayList<>();
    private final List<String> elsewhere = new CopyOnWriteArrayList<>();

    SmsProvider() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.createContext("/send", this::take);
        http.createContext("/elsewhere", exchange -> {
            elsewhere.add(exchange.getRequestMethod());
            answer(exchange, 200);
        });
        http.start();
    }

    record Message(@Nullable String authorization, JsonNode body) {
        String to() {
            return body.path("message").path("to").asString("");
        }

        String text() {
            return body.path("message").path("content").asString("");
        }

        String code() {
            return text().replaceAll(".* is ([0-9]{6})\\..*", "$1");
        }
    }

    String url() {
        return "http://127.0.0.1:%d/send".formatted(http.getAddress().getPort());
    }

    /** The messages to a number in international form. */
    List<Message> sentTo(String number) {
        return messages.stream().filter(message -> message.to().equals(number)).toList();
    }

    boolean wasFollowed() {
        return !elsewhere.isEmpty();
    }

    private void take(HttpExchange exchange) throws IOException {
        var body = JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
        var message = new Message(exchange.getRequestHeaders().getFirst("Authorization"), body);
        switch (message.to()) {
            case BROKEN -> answer(exchange, 500);
            case MOVED -> {
                exchange.getResponseHeaders().set("Location", "/elsewhere");
                answer(exchange, 307);
            }
            default -> {
                messages.add(message);
                answer(exchange, 202);
            }
        }
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
