// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import rookery.e2e.api.Session;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A push gateway that records the received notifications by pushkey, and accepts them unless set to refuse. */
final class PushInbox implements AutoCloseable {
    static final String APP = "com.example";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final byte[] TAKEN = "{\"rejected\":[]}".getBytes(StandardCharsets.UTF_8);
    private static final int BAD_GATEWAY = 502;

    private final HttpServer http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Push> pushes = new CopyOnWriteArrayList<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    PushInbox() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.createContext("/", this::take);
        http.setExecutor(threads);
        http.start();
    }

    /** What came: the object {@code notification}. */
    record Push(JsonNode notification) {
        String pushkey() {
            return notification.path("devices").path(0).path("pushkey").asString("");
        }

        /** The event id; empty in a notification that contains only counts. */
        String eventId() {
            return notification.path("event_id").asString("");
        }

        /** The unread count; -1 without one. */
        int unread() {
            return notification.path("counts").path("unread").asInt(-1);
        }
    }

    String url() {
        return "http://127.0.0.1:%d/_matrix/push/v1/notify"
                .formatted(http.getAddress().getPort());
    }

    /** Has the user's pushes sent here from now on. */
    void hears(Session user, String pushkey, Map<String, ?> data) throws IOException {
        var all = new HashMap<String, Object>(data);
        all.put("url", url());
        user.post(
                "/v3/pushers/set",
                Map.of(
                        "pushkey",
                        pushkey,
                        "kind",
                        "http",
                        "app_id",
                        APP,
                        "app_display_name",
                        "Example",
                        "device_display_name",
                        "Phone",
                        "lang",
                        "en",
                        "data",
                        all));
    }

    void refuse(String pushkey, boolean whether) {
        if (whether) {
            refused.add(pushkey);
        } else {
            refused.remove(pushkey);
        }
    }

    /** How many came, whomever they were for. */
    int size() {
        return pushes.size();
    }

    List<Push> of(String pushkey) {
        return pushes.stream().filter(push -> push.pushkey().equals(pushkey)).toList();
    }

    /** The event ids of all notifications with an event. */
    List<String> events(String pushkey) {
        return of(pushkey).stream()
                .map(Push::eventId)
                .filter(event -> !event.isEmpty())
                .toList();
    }

    /** Waits until the event came, and returns what came with it first. */
    Push awaitEvent(String pushkey, String event) {
        assertThat(Deadline.in(PATIENCE).until(() -> events(pushkey).contains(event)))
                .as("%s at %s; there are %s", event, pushkey, of(pushkey))
                .isTrue();
        return of(pushkey).stream()
                .filter(push -> push.eventId().equals(event))
                .findFirst()
                .orElseThrow();
    }

    /** Waits for that number on the icon, told without an event. */
    Push awaitBadge(String pushkey, int unread) {
        assertThat(Deadline.in(PATIENCE).until(() -> of(pushkey).stream().anyMatch(push -> isBadge(push, unread))))
                .as("%d at %s; there are %s", unread, pushkey, of(pushkey))
                .isTrue();
        return of(pushkey).stream()
                .filter(push -> isBadge(push, unread))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isBadge(Push push, int unread) {
        return push.eventId().isEmpty() && push.unread() == unread;
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            var push = new Push(
                    JsonMapper.shared().readTree(exchange.getRequestBody()).path("notification"));
            pushes.add(push);
            if (refused.contains(push.pushkey())) {
                exchange.sendResponseHeaders(BAD_GATEWAY, -1);
            } else {
                exchange.sendResponseHeaders(200, TAKEN.length);
                exchange.getResponseBody().write(TAKEN);
            }
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
