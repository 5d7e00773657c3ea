// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.platform.http.PageBytes;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers with large events, other than pages of one room, are bounded and complete (contract.md 2.8, 8.1, 13.7). */
class LargeAnswersIT {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int PIECES = 40;

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private final Talk talk = new Talk(server);
    private final Client ada = server.as("ada");

    private static Answer search(Client client, String term, String more, @Nullable String next) {
        String body = "{\"search_categories\":{\"room_events\":{\"search_term\":\"%s\",\"filter\":{\"limit\":50}%s}}}"
                .formatted(term, more);
        return LargeEvents.page(client.post("/search" + (next == null ? "" : "?next_batch=" + next), body));
    }

    private static List<String> eventIds(Client client, String term, String more) {
        var ids = new ArrayList<String>();
        String next = null;
        do {
            var events = search(client, term, more, next)
                    .json()
                    .path("search_categories")
                    .path("room_events");
            assertThat(events.path("results")).isNotEmpty();
            events.path("results")
                    .forEach(result ->
                            ids.add(result.path("result").path("event_id").asString()));
            next = events.path("next_batch").asStringOpt().orElse(null);
        } while (next != null);
        return ids;
    }

    @Test
    void pagesOfASearchAreAllResultsOnce() {
        var vera = server.as("vera");
        String one = vera.createRoom("{}");
        String two = vera.createRoom("{}");
        var all = new ArrayList<>(LargeEvents.say(vera, one, "axolotl", 10));
        all.addAll(LargeEvents.say(vera, two, "axolotl", 20));
        String around = ",\"event_context\":{\"before_limit\":50,\"after_limit\":50,\"include_profile\":true}";
        for (String more : List.of(
                "", around, ",\"order_by\":\"recent\"", ",\"order_by\":\"recent\",\"include_state\":true" + around)) {
            assertThat(eventIds(vera, "axolotl", more)).as(more).containsExactlyInAnyOrderElementsOf(all);
        }
        var first = search(vera, "axolotl", ",\"order_by\":\"recent\"" + around, null)
                .json()
                .path("search_categories")
                .path("room_events")
                .path("results")
                .path(0);
        var context = first.path("context");
        var before = Talk.ids(context.path("events_before"));
        int last = all.size() - 1;
        assertThat(before)
                .hasSizeBetween(10, 18)
                .isEqualTo(all.subList(last - before.size(), last).reversed());
        var older = vera.get("/rooms/" + two + "/messages?dir=b&limit=1&from="
                + context.path("start").asString());
        assertThat(Talk.ids(older.json().path("chunk"))).containsExactly(all.get(last - before.size() - 1));
    }

    @Test
    void eventsOfNotificationsAreAskedForInPages() {
        String room = talk.room("bob");
        String other = talk.room("bob");
        var requests = new ArrayList<Map<String, String>>();
        for (int i = 0; i < 15; i++) {
            for (String each : List.of(room, other)) {
                var id = LargeEvents.say(ada, each, "ping", 1).getFirst();
                requests.add(Map.of("room_id", each, "event_id", id));
            }
        }
        var answered = new HashSet<String>();
        for (int from = 0; from < requests.size(); ) {
            var question = Map.of(
                    "tenant",
                    1,
                    "user",
                    "@bob:example.org",
                    "device",
                    "D",
                    "events",
                    requests.subList(from, requests.size()));
            var answer =
                    LargeEvents.page(server.internal("POST", "/internal/events", JSON.writeValueAsString(question)));
            int looked = answer.json().path("looked").intValue();
            assertThat(looked).isPositive();
            for (var request : requests.subList(from, from + looked)) {
                assertThat(answer.json().path("events").has(request.get("event_id")))
                        .isTrue();
                answered.add(request.get("event_id"));
            }
            from += looked;
        }
        assertThat(answered).hasSize(requests.size());
    }

    private String largeRoom(Client owner) {
        String room = owner.createRoom("{\"preset\":\"public_chat\"}");
        for (int i = 0; i < PIECES; i++) {
            assertThat(owner.put("/rooms/" + room + "/state/org.example.large/" + i, LargeEvents.content("piece", ""))
                            .status())
                    .isEqualTo(200);
        }
        return room;
    }

    private static long pieces(JsonNode state) {
        return state.valueStream()
                .filter(event -> event.path("type").asString("").equals("org.example.large"))
                .map(event -> event.path("state_key").asString(""))
                .distinct()
                .count();
    }

    @Test
    void largeStateArrivesWholeAndIsCounted() {
        var sue = server.as("sue");
        String room = largeRoom(sue);
        assertThat(pieces(sue.get("/rooms/" + room + "/state").json())).isEqualTo(PIECES);
        String event = Talk.say(sue, room, "hello");
        var context = sue.get("/rooms/" + room + "/context/" + event);
        assertThat(context.status()).isEqualTo(200);
        assertThat(pieces(context.json().path("state"))).isEqualTo(PIECES);
        var synced = talk.freshSync("sue", room);
        assertThat(pieces(eventsOf(synced))).isEqualTo(PIECES);

        assertCounted(room);
        sue.put("/rooms/" + room + "/state/org.example.large/0", "{\"now\":\"smaller\"}");
        String piece = sue.get("/rooms/" + room + "/state/org.example.large/1?format=event")
                .text("event_id");
        Talk.redact(sue, room, piece);
        sue.put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"Größe\"}");
        sue.post("/rooms/" + room + "/invite", "{\"user_id\":\"@bob:example.org\"}");
        assertCounted(room);
    }

    /** Events of state and timeline together. */
    private static JsonNode eventsOf(JsonNode synced) {
        var array = JSON.createArrayNode();
        for (String part : List.of("state", "timeline")) {
            for (var event : synced.path(part)) {
                array.add(JSON.readTree(event.path("body").asString().split("\n", -1)[1]));
            }
        }
        return array;
    }

    /** Compares the room's counts with those of the migration for older rooms. */
    private static void assertCounted(String room) {
        var counted = server.bean(DatabaseClient.class)
                .sql("""
                SELECT r.state_bytes - sum(octet_length((split_part(l.body, chr(10), 2)::json -> 'content')::text)
                                           + octet_length(s.type) + octet_length(s.state_key)) AS difference
                  FROM room.room r
                  JOIN room.current_state s ON s.tenant = r.tenant AND s.room_id = r.room_id AND s.type <> 'm.room.member'
                  JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.pos
                 WHERE r.room_id = :room GROUP BY r.state_bytes
                """)
                .bind("room", room)
                .mapValue(Long.class)
                .one()
                .block();
        assertThat(counted).isZero();
    }

    @Test
    void syncTellsManyLargeRoomsEachOnce() {
        var ivy = server.as("ivy");
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 17; i++) { // more than are read at a time, of half a MiB each
            rooms.add(ivy.createRoom("{}"));
            LargeEvents.say(ivy, rooms.getLast(), "many", 10);
        }
        rooms.add(largeRoom(ivy));
        rooms.add(largeRoom(ivy));
        rooms.add(server.as("jon").createRoom("{\"invite\":[\"@ivy:example.org\"]}"));
        var request = JSON.createObjectNode();
        request.put("tenant", 1)
                .put("user", "@ivy:example.org")
                .putNull("since")
                .putNull("upto")
                .putNull("rooms");
        request.put("full_state", false).put("state_after", false);
        request.set("filter", JSON.valueToTree(RoomFilter.ALL));
        request.putArray("ignored");
        var answer = server.internal("POST", "/internal/sync", request.toString());
        assertThat(answer.status()).isEqualTo(200);
        var answered = answer.json().path("rooms");
        assertThat(answered.valueStream().map(room -> room.path("room_id").asString()))
                .containsExactlyInAnyOrderElementsOf(rooms);
        assertThat(answered.get(rooms.size() - 1).path("room_id").asString())
                .as("an answer does not go back to the rooms of the user behind an invitation")
                .isEqualTo(rooms.getLast());
        for (var section : answered.valueStream().limit(rooms.size() - 1).toList()) {
            assertThat(section.path("timeline")).isNotEmpty();
            assertThat(section.path("timeline").toString().length()).isLessThan(2 * PageBytes.PAGE_MAX);
        }
    }

    @Test
    void rangesOfTheLogEndByBytesAndFollowEachOther() {
        var lou = server.as("lou");
        String room = lou.createRoom("{}");
        var sent = LargeEvents.say(lou, room, "log", 40);
        int shard = new TenantRoom(new TenantId(1), new RoomId(room)).shard();
        var answered = new ArrayList<String>();
        long after = 0;
        long head;
        do {
            var range = LargeEvents.page(server.internal("GET", "/internal/log/" + shard + "?after=" + after, null));
            range.json()
                    .path("entries")
                    .forEach(entry -> answered.add(entry.path("body").asString()));
            assertThat(range.json().path("covered_to").longValue()).isGreaterThan(after);
            after = range.json().path("covered_to").longValue();
            head = range.json().path("head").longValue();
        } while (after < head);
        for (var id : sent) {
            assertThat(answered.stream().filter(body -> body.contains("\"event_id\":\"" + id + "\"")))
                    .hasSize(1);
        }
    }
}
