// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A provider of text messages that records the requests of the cluster. */
final class SmsInbox implements AutoCloseable {
    private static final int CODE_DIGITS = 6;

    private final HttpServer http;
    private final List<JsonNode> messages = new CopyOnWriteArrayList<>();

    SmsInbox() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.createContext("/", this::take);
        http.start();
    }

    String url() {
        return "http://127.0.0.1:%d/send".formatted(http.getAddress().getPort());
    }

    /** The code in the latest message to the number, which is given in international form. */
    String code(String number) {
        String text = messages.stream()
                .filter(message -> message.path("to").asString("").equals(number))
                .reduce((_, later) -> later)
                .orElseThrow(() -> new AssertionError("no message to " + number))
                .path("text")
                .asString();
        return text.replaceAll(".*?([0-9]{" + CODE_DIGITS + "}).*", "$1");
    }

    private void take(HttpExchange exchange) throws IOException {
        messages.add(JsonMapper.shared().readTree(exchange.getRequestBody()));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
