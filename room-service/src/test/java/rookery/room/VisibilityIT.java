// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every way of reading shows the same events: those that {@code visibility.txt} lists as visible, and no others. */
class VisibilityIT {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final AtomicInteger STORIES = new AtomicInteger();
    private static final String MESSAGES = "&filter=%7B%22types%22:%5B%22m.room.message%22%5D%7D";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    /** A room after a story, and its reader. */
    private record StoryRoom(
            int number,
            String room,
            Client bob,
            Map<String, String> ids,
            @Nullable JsonNode since) {
        String path(String rest) {
            return "/rooms/" + room + rest;
        }
    }

    private static StoryRoom tell(String story) {
        int number = STORIES.incrementAndGet();
        var ada = server.as("ada");
        // a new user each time, so that searches and syncs see one story only
        var bob = server.as("reader" + number);
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        String him = "{\"user_id\":\"" + bob.user + "\"}";
        var ids = new LinkedHashMap<String, String>();
        @Nullable JsonNode since = null;
        for (String step : story.strip().split(" +", -1)) {
            String rooms = "/rooms/" + room;
            var answer = switch (step) {
                case "join", "leave", "forget" -> bob.post(rooms + "/" + step, "{}");
                case "knock" -> bob.put(rooms + "/state/m.room.member/" + bob.user, "{\"membership\":\"knock\"}");
                case "invite", "kick", "ban", "unban" -> ada.post(rooms + "/" + step, him);
                case "sync" -> sync(bob, null);
                default -> sent(ada, rooms, number, step, ids);
            };
            assertThat(answer.status()).as(step + " answered " + answer).isEqualTo(200);
            since = step.equals("sync") ? answer.json().path("positions") : since;
        }
        return new StoryRoom(number, room, bob, ids, since);
    }

    private static Answer sent(Client ada, String rooms, int number, String step, Map<String, String> ids) {
        if (step.startsWith("v:")) {
            return ada.put(
                    rooms + "/state/m.room.history_visibility/",
                    "{\"history_visibility\":\"" + step.substring(2) + "\"}");
        }
        if (step.startsWith("rule:")) {
            return ada.put(rooms + "/state/m.room.join_rules/", "{\"join_rule\":\"" + step.substring(5) + "\"}");
        }
        var sent = ada.put(rooms + "/send/m.room.message/" + step, "{\"body\":\"story" + number + " " + step + "\"}");
        ids.put(step, sent.text("event_id"));
        return ada.put(rooms + "/state/m.room.topic/", "{\"topic\":\"" + step + "\"}");
    }

    private static Answer sync(Client bob, @Nullable JsonNode since) {
        var limit = new EventFilter(100, null, null, null, null, null, null, null, false, false, false);
        var filter = new RoomFilter(null, null, true, EventFilter.ALL, limit, EventFilter.ALL, EventFilter.ALL);
        var request = JSON.createObjectNode();
        request.put("tenant", 1).put("user", bob.user);
        request.set("since", since);
        request.putNull("upto").putNull("rooms");
        request.put("full_state", false).put("state_after", false);
        request.set("filter", JSON.valueToTree(filter));
        request.putArray("ignored");
        return server.internal("POST", "/internal/sync", request.toString());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "visibility.txt", delimiter = '|')
    void everyEndpointShowsWhatMayBeSeen(
            String story, String reads, String sees, String topic, String initial, String since) {
        var room = tell(story);
        boolean mayRead = !reads.equals("no");
        var visible = sees.equals("-")
                ? List.<String>of()
                : sees.chars().mapToObj(Character::toString).toList();

        assertPages(room, mayRead, visible);
        assertEvents(room, mayRead, visible);
        assertThat(topic(room)).as("topic").isEqualTo(topic);
        assertThat(room.bob.get(room.path("/members")).status()).as("members").isEqualTo(mayRead ? 200 : 403);
        assertThat(room.bob.get(room.path("/state")).status()).as("state").isEqualTo(mayRead ? 200 : 403);
        assertThat(searchResults(room)).as("search").isEqualTo(reads.equals("yes") ? visible : List.of());
        assertMoments(room, mayRead, visible);
        assertThat(section(sync(room.bob, null))).as("initial").isEqualTo(initial);
        if (room.since != null) {
            assertThat(section(sync(room.bob, room.since))).as("since").isEqualTo(since);
        }
    }

    private static void assertPages(StoryRoom room, boolean mayRead, List<String> visible) {
        for (String dir : List.of("b", "f")) {
            var read = new ArrayList<String>();
            String from = "";
            do {
                var answer = room.bob.get(room.path("/messages?limit=2&dir=" + dir + MESSAGES + from));
                assertThat(answer.status()).as("messages").isEqualTo(mayRead ? 200 : 403);
                answer.json().path("chunk").forEach(event -> read.add(letter(event)));
                from = answer.json().has("end") ? "&from=" + answer.text("end") : "";
            } while (!from.isEmpty());
            assertThat(dir.equals("b") ? read.reversed() : read)
                    .as("messages " + dir)
                    .isEqualTo(visible);
        }
    }

    private static void assertEvents(StoryRoom room, boolean mayRead, List<String> visible) {
        room.ids.forEach((letter, id) -> {
            boolean sees = visible.contains(letter);
            assertThat(room.bob.get(room.path("/event/" + id)).status())
                    .as("event " + letter)
                    .isEqualTo(sees ? 200 : 404);
            var context = room.bob.get(room.path("/context/" + id + "?limit=100" + MESSAGES));
            assertThat(context.status()).as("context " + letter).isEqualTo(sees ? 200 : mayRead ? 404 : 403);
            if (sees) {
                var around = new ArrayList<String>();
                context.json().path("events_before").forEach(event -> around.addFirst(letter(event)));
                around.add(letter(context.json().path("event")));
                context.json().path("events_after").forEach(event -> around.add(letter(event)));
                assertThat(around).as("context " + letter).isEqualTo(visible);
            }
        });
    }

    private static String topic(StoryRoom room) {
        var answer = room.bob.get(room.path("/state/m.room.topic"));
        return answer.status() == 403 ? "-" : answer.text("topic");
    }

    private static List<String> searchResults(StoryRoom room) {
        var body = """
                {"search_categories":{"room_events":{"search_term":"story%d","order_by":"recent","filter":{"limit":50},
                 "event_context":{"before_limit":50,"after_limit":50}}}}
                """.formatted(room.number);
        var results =
                room.bob.post("/search", body).json().path("search_categories").path("room_events");
        var letters = new ArrayList<String>();
        var around = new LinkedHashSet<String>();
        for (var result : results.path("results")) {
            letters.addFirst(letter(result.path("result")));
            var context = result.path("context");
            for (var events : List.of(context.path("events_before"), context.path("events_after"))) {
                events.forEach(event -> around.add(event.path("event_id").stringValue()));
            }
        }
        for (String id : around) {
            assertThat(room.bob.get(room.path("/event/" + id)).status()).isEqualTo(200);
        }
        assertThat(results.path("count").intValue()).isEqualTo(letters.size());
        return letters.stream().sorted().toList(); // sent in alphabetical order, some in the same millisecond
    }

    /** The event nearest to a timestamp is visible, and exists if any event is visible. */
    private static void assertMoments(StoryRoom room, boolean mayRead, List<String> visible) {
        for (String moment : List.of("dir=f&ts=0", "dir=b&ts=99999999999999")) {
            var answer = room.bob.get("/v1" + room.path("/timestamp_to_event?" + moment));
            if (!mayRead) {
                assertThat(answer.status()).as(moment).isEqualTo(403);
            } else if (!visible.isEmpty()) {
                assertThat(answer.status()).as(moment).isEqualTo(200);
                assertThat(room.bob
                                .get(room.path("/event/" + answer.text("event_id")))
                                .status())
                        .as(moment)
                        .isEqualTo(200);
            }
        }
    }

    /** The name of the only section, and the letters in its timeline. */
    private static String section(Answer sync) {
        return StreamSupport.stream(sync.json().path("rooms").spliterator(), false)
                .map(section -> section.path("section").stringValue() + ":" + letters(section.path("timeline")))
                .collect(Collectors.joining(" "))
                .transform(sections -> sections.isEmpty() ? "-" : sections);
    }

    private static String letters(JsonNode timeline) {
        return StreamSupport.stream(timeline.spliterator(), false)
                .map(event -> JSON.readTree(event.path("body").stringValue().split("\n", -1)[1]))
                .filter(event -> event.path("type").stringValue().equals("m.room.message"))
                .map(VisibilityIT::letter)
                .collect(Collectors.joining());
    }

    private static String letter(JsonNode event) {
        String body = event.path("content").path("body").stringValue();
        return body.substring(body.length() - 1);
    }
}
