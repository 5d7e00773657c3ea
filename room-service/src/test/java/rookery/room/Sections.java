// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks room-service what a sync is told of rooms, as sync-service does. */
final class Sections {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final RoomServer server;

    Sections(RoomServer server) {
        this.server = server;
    }

    /** The sections of a user's sync, whose next position is {@code positions}. */
    JsonNode sync(String user, @Nullable JsonNode since, RoomFilter filter) {
        return sync(user, since, filter, false, List.of());
    }

    JsonNode sync(String user, @Nullable JsonNode since, RoomFilter filter, boolean fullState, List<String> ignored) {
        return sync(user, since, filter, fullState, false, ignored);
    }

    /** The same for who wants state as it is at the end of the timeline. */
    JsonNode syncAfter(String user, @Nullable JsonNode since, RoomFilter filter) {
        return sync(user, since, filter, false, true, List.of());
    }

    private JsonNode sync(
            String user,
            @Nullable JsonNode since,
            RoomFilter filter,
            boolean fullState,
            boolean stateAfter,
            List<String> ignored) {
        var request = JSON.createObjectNode();
        request.put("tenant", 1).put("user", "@" + user + ":example.org");
        request.set("since", since);
        request.putNull("upto").putNull("rooms");
        request.put("full_state", fullState).put("state_after", stateAfter);
        request.set("filter", JSON.valueToTree(filter));
        request.set("ignored", JSON.valueToTree(ignored));
        var answer = server.internal("POST", "/internal/sync", request.toString());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json();
    }

    static RoomFilter limit(int limit) {
        return timeline(new EventFilter(limit, null, null, null, null, null, null, null, false, false, false));
    }

    static RoomFilter timeline(EventFilter timeline) {
        return new RoomFilter(null, null, false, EventFilter.ALL, timeline, EventFilter.ALL, EventFilter.ALL);
    }

    static RoomFilter withLeft(int limit) {
        return new RoomFilter(
                null, null, true, EventFilter.ALL, limit(limit).timeline(), EventFilter.ALL, EventFilter.ALL);
    }

    static JsonNode room(JsonNode answer, String room) {
        for (var section : answer.path("rooms")) {
            if (section.path("room_id").asString("").equals(room)) {
                return section;
            }
        }
        return JSON.missingNode();
    }

    /** The events as in the response. */
    static List<JsonNode> events(JsonNode shown) {
        return StreamSupport.stream(shown.spliterator(), false)
                .map(event -> JSON.readTree(event.path("body").stringValue().split("\n", -1)[1]))
                .toList();
    }

    static List<String> texts(JsonNode events) {
        return events(events).stream()
                .map(event -> event.path("content")
                        .path("body")
                        .asString(event.path("type").stringValue()))
                .toList();
    }

    String madeBy(String user, String more) {
        return server.as(user).createRoom("{\"preset\":\"public_chat\"" + more + "}");
    }

    void say(String user, String room, int from, int to) {
        IntStream.rangeClosed(from, to).forEach(i -> server.as(user).send(room, user + "-" + i, user + i));
    }
}
