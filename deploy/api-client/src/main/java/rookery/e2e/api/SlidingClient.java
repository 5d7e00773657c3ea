// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One connection of a device, in the form of MSC4186 or in the form before its merge. */
public final class SlidingClient {
    private static final String STABLE = "/v4/sync";
    private static final String UNSTABLE = "/unstable/org.matrix.simplified_msc3575/sync";
    private static final int POLLS_MAX = 50;
    private static final int PATIENCE_MS = 2_000;

    private final Session session;
    private final String connection;
    private final boolean isUnstable;
    private final Map<String, Object> lists = new LinkedHashMap<>();
    private final Map<String, Object> subscriptions = new LinkedHashMap<>();
    private final Map<String, Object> extensions = new LinkedHashMap<>();
    private @Nullable String pos;
    private @Nullable String messagesSince;

    public SlidingClient(Session session, String connection, boolean isUnstable) {
        this.session = session;
        this.connection = connection;
        this.isUnstable = isUnstable;
    }

    /** The content that a request asks for; members are loaded lazily. */
    public record Config(int timelineLimit, List<String> types) {}

    /** Sets the window of a list, both ends inclusive. */
    public void list(String name, int first, int last, Config config, Map<String, ?> filters) {
        var list = new HashMap<>(json(config));
        list.put(isUnstable ? "ranges" : "range", isUnstable ? List.of(List.of(first, last)) : List.of(first, last));
        list.put("filters", filters);
        lists.put(name, list);
    }

    public void dropList(String name) {
        lists.remove(name);
    }

    public void subscribe(String room, Config config) {
        subscriptions.put(room, json(config));
    }

    public void unsubscribe(String room) {
        subscriptions.remove(room);
    }

    public void enable(String extension) {
        enable(extension, Map.of());
    }

    /**
     * Enables an extension for some rooms.
     *
     * @param scope {@code lists} and {@code rooms}
     */
    public void enable(String extension, Map<String, ?> scope) {
        var enabled = new HashMap<String, Object>(scope);
        enabled.put("enabled", true);
        extensions.put(extension, enabled);
    }

    private Map<String, Object> json(Config config) {
        return Map.of("timeline_limit", config.timelineLimit, "required_state", state(config.types));
    }

    private Object state(List<String> types) {
        if (isUnstable) {
            var pairs = new ArrayList<List<String>>();
            types.forEach(type -> pairs.add(List.of(type, "")));
            pairs.add(List.of("m.room.member", "$LAZY"));
            return pairs;
        }
        return Map.of(
                "include",
                types.stream()
                        .map(type -> Map.of("type", type, "state_key", ""))
                        .toList(),
                "lazy_members",
                true);
    }

    /** The token of the last answer. */
    public @Nullable String pos() {
        return pos;
    }

    /** Goes back to an earlier answer, as a client does that has lost the later ones. */
    public void setPos(@Nullable String earlier) {
        pos = earlier;
    }

    /** Sends one request, and keeps the answer's token. */
    public JsonNode poll(int timeoutMillis) throws IOException {
        var answer = tryPoll(timeoutMillis).ok();
        pos = answer.path("pos").asString();
        var next = answer.path("extensions").path("to_device").path("next_batch");
        if (next.isString()) {
            messagesSince = next.asString();
        }
        return answer;
    }

    /** Sends one request; the connection's token stays. */
    public Answer tryPoll(int timeoutMillis) throws IOException {
        var body = new HashMap<String, Object>(Map.of(
                "conn_id",
                connection,
                "lists",
                lists,
                "room_subscriptions",
                subscriptions,
                "extensions",
                extensions()));
        var path = new StringBuilder(isUnstable ? UNSTABLE : STABLE);
        if (isUnstable) {
            path.append("?timeout=").append(timeoutMillis);
            if (pos != null) {
                path.append("&pos=").append(Paths.encoded(pos));
            }
        } else {
            body.put("timeout", timeoutMillis);
            if (pos != null) {
                body.put("pos", pos);
            }
        }
        return session.call("POST", path.toString(), body);
    }

    private Map<String, Object> extensions() {
        var all = new HashMap<>(extensions);
        if (messagesSince != null && extensions.containsKey("to_device")) {
            all.put("to_device", Map.of("enabled", true, "since", messagesSince));
        }
        return all;
    }

    /** Polls until an answer meets the condition, and returns that answer. */
    public JsonNode pollUntil(Predicate<JsonNode> condition) throws IOException {
        for (int i = 0; i < POLLS_MAX; i++) {
            var answer = poll(PATIENCE_MS);
            if (condition.test(answer)) {
                return answer;
            }
        }
        throw new AssertionError("no answer met the condition in " + POLLS_MAX + " polls");
    }

    /** The events of a room's timeline in an answer. */
    public JsonNode timeline(JsonNode answer, String room) {
        return answer.path("rooms").path(room).path(isUnstable ? "timeline" : "timeline_events");
    }
}
