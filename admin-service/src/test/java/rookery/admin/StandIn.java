// SPDX-License-Identifier: Apache-2.0
package rookery.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A stand-in for another service, which remembers its requests and gives one answer to all of them. */
public final class StandIn implements AutoCloseable {
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private volatile int status = 200;
    private volatile String answer = "{}";

    public StandIn() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/internal/", this::answer);
        server.start();
    }

    /** The setting with which the service under test finds this stand-in. */
    public String as(String service) {
        return "--rookery.instances.addresses.%s[0]=127.0.0.1:%d"
                .formatted(service, server.getAddress().getPort());
    }

    /** Sets the answer to all further requests, and forgets the requests before. */
    public void answers(int code, String text) {
        status = code;
        answer = text;
        requests.clear();
    }

    /** Path and body of each request. */
    public List<String> requests() {
        return requests;
    }

    private void answer(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(exchange.getRequestURI().getPath() + " " + body);
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
