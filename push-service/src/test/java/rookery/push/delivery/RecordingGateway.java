// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A push gateway that records its requests and answers by path as the test configures. */
final class RecordingGateway implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final DisposableServer server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();

    /** A recorded request. */
    record Request(String path, JsonNode notification) {
        String eventId() {
            return notification.path("event_id").asString("");
        }

        String pushkey() {
            return notification.path("devices").path(0).path("pushkey").asString("");
        }
    }

    interface Behaviour {
        Mono<Void> answer(HttpServerResponse response, Request request);
    }

    static final Behaviour HANG = (_, _) -> Mono.never();
    static final Behaviour ENDLESS = (response, _) -> response.sendString(Flux.just("{\"rejected\":[]} ")
                    .concatWith(Flux.just(" ".repeat(1 << 16)).repeat()))
            .then();

    static Behaviour text(int status, String body) {
        return (response, _) -> response.status(status)
                .header("Location", "/elsewhere")
                .sendString(Mono.just(body))
                .then();
    }

    RecordingGateway() {
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(this::handle)
                .bindNow();
    }

    private Mono<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        return request.receive().aggregate().asString().defaultIfEmpty("{}").flatMap(body -> {
            var received = new Request(request.uri(), JSON.readTree(body).path("notification"));
            requests.add(received);
            open.incrementAndGet();
            return behaviours
                    .getOrDefault(request.uri(), text(200, "{\"rejected\":[]}"))
                    .answer(response, received)
                    .doFinally(_ -> open.decrementAndGet());
        });
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    void behave(String path, Behaviour behaviour) {
        behaviours.put(path, behaviour);
    }

    List<Request> requests(String path) {
        return requests.stream().filter(request -> request.path.equals(path)).toList();
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    int open() {
        return open.get();
    }

    /** Waits until the path has received this many requests. */
    List<Request> await(String path, int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> requests(path).size() >= count);
        return requests(path);
    }

    void forget() {
        requests.clear();
        behaviours.clear();
    }

    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(5));
    }
}
