// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The state that a client builds from consecutive sync responses. */
final class ClientView {
    /** The client's state of a room. */
    static final class Room {
        String section = "";
        final Map<Event.Key, String> state = new HashMap<>();
        final Map<String, JsonNode> data = new LinkedHashMap<>();
        /** The event id, by user, type and thread. */
        final Map<String, String> receipts = new HashMap<>();

        List<String> typing = List.of();
        List<String> heroes = List.of();
        int joined = -1;
        int invited = -1;

        /** The last section of the room with unread counts. */
        @Nullable
        JsonNode latest;
    }

    private final Map<String, Room> rooms = new HashMap<>();
    private final Map<String, JsonNode> data = new HashMap<>();

    Map<String, JsonNode> data() {
        return data;
    }

    Room room(String room) {
        return rooms.computeIfAbsent(room, _ -> new Room());
    }

    Map<String, Room> rooms() {
        return rooms;
    }

    /** @param fresh rooms whose section replaces all earlier state */
    void apply(Exchange exchange, Set<String> fresh) {
        for (var event : exchange.answer().path("account_data").path("events")) {
            data.put(event.path("type").asString(""), event.path("content"));
        }
        for (var section : ExpectedSection.Section.values()) {
            for (var update : exchange.rooms(section.word).properties()) {
                if (fresh.contains(update.getKey())) {
                    rooms.remove(update.getKey());
                }
                var room = room(update.getKey());
                room.section = section.word;
                apply(room, update.getValue(), exchange.request().stateAfter());
            }
        }
    }

    private static void apply(Room room, JsonNode update, boolean stateAfter) {
        applyState(room, update.path(stateAfter ? "state_after" : "state").path("events"));
        if (!stateAfter) {
            applyState(room, update.path("timeline").path("events"));
        }
        for (var event : update.path("account_data").path("events")) {
            room.data.put(event.path("type").asString(""), event.path("content"));
        }
        for (var event : update.path("ephemeral").path("events")) {
            applyEphemeral(room, event);
        }
        var summary = update.path("summary");
        room.joined = summary.path("m.joined_member_count").asInt(room.joined);
        room.invited = summary.path("m.invited_member_count").asInt(room.invited);
        if (summary.has("m.heroes")) {
            room.heroes = summary.path("m.heroes")
                    .valueStream()
                    .map(hero -> hero.asString(""))
                    .toList();
        }
        if (update.has("unread_notifications")) {
            room.latest = update;
        }
    }

    private static void applyState(Room room, JsonNode events) {
        for (var event : events) {
            if (event.has("state_key")) {
                var key = new Event.Key(
                        event.path("type").asString(""), event.path("state_key").asString(""));
                room.state.put(key, event.path("event_id").asString(""));
            }
        }
    }

    private static void applyEphemeral(Room room, JsonNode event) {
        if (event.path("type").asString("").equals("m.typing")) {
            var users = new ArrayList<String>();
            event.path("content").path("user_ids").forEach(user -> users.add(user.asString("")));
            room.typing = List.copyOf(users);
            return;
        }
        for (var target : event.path("content").properties()) {
            for (var type : target.getValue().properties()) {
                for (var user : type.getValue().properties()) {
                    var thread = user.getValue().path("thread_id").asString("");
                    room.receipts.put(user.getKey() + " " + type.getKey() + " " + thread, target.getKey());
                }
            }
        }
    }
}
