// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node with the events in memory and a node that must query room-service return the same to a client (contract.md 10.4): random
 * histories, read with various filters.
 */
@OnCluster
class WarmAndColdE2E {
    private static final int STEPS = 60;
    private static final List<String> FILTERS = List.of(
            "{}",
            "{\"room\":{\"timeline\":{\"limit\":100}}}",
            "{\"room\":{\"timeline\":{\"limit\":1}}}",
            "{\"room\":{\"timeline\":{\"limit\":3,\"types\":[\"m.room.message\"]}}}",
            "{\"room\":{\"timeline\":{\"limit\":4,\"not_types\":[\"m.room.mem*\"]}}}",
            "{\"room\":{\"timeline\":{\"types\":[]}}}",
            "{\"room\":{\"timeline\":{\"limit\":5},\"state\":{\"not_types\":[\"m.room.member\"]}}}",
            "{\"room\":{\"timeline\":{\"limit\":5,\"contains_url\":false},\"state\":{\"types\":[\"m.room.t*\"]}}}",
            "{\"room\":{\"timeline\":{\"limit\":3},\"state\":{\"lazy_load_members\":true}}}",
            "{\"room\":{\"include_leave\":true,\"timeline\":{\"limit\":6}}}");

    private final Rookery rookery;
    private final Nodes nodes;
    private final Random random = new Random(20_261_122);

    WarmAndColdE2E(Rookery rookery) {
        this.rookery = rookery;
        this.nodes = new Nodes(rookery);
    }

    private Instance node(int number) {
        return Objects.requireNonNull(rookery.instance("sync-service-" + number));
    }

    @Test
    void tellTheSame() throws Exception {
        try (Http http = rookery.http()) {
            var host = People.newcomer(http, "host");
            var readers = new ArrayList<Session>();
            for (int i = 0; i < FILTERS.size(); i++) {
                readers.add(People.newcomer(http, "reader"));
            }
            var rooms = rooms(host, readers);
            var tokens = new ArrayList<String>();
            for (int i = 0; i < readers.size(); i++) {
                tokens.add(sync(1, readers.get(i), null, i).path("next_batch").asString());
            }
            for (int step = 0; step < STEPS; step++) {
                happen(host, readers, rooms, step);
            }
            for (int i = 0; i < readers.size(); i++) {
                var warm = plain(sync(1, readers.get(i), tokens.get(i), i));
                var cold = plain(sync(2, readers.get(i), tokens.get(i), i));
                if (FILTERS.get(i).contains("lazy_load_members")) {
                    members(warm, cold);
                }
                assertThat(warm).as("with the filter %s", FILTERS.get(i)).isEqualTo(cold);
            }
        }
    }

    private static List<String> rooms(Session host, List<Session> readers) throws IOException {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            Map<String, ?> body =
                    i % 2 == 0 ? Map.of("preset", "public_chat") : Map.of("preset", "public_chat", "name", "N");
            var room = host.createRoom(body);
            rooms.add(room);
            for (var reader : readers) {
                if (i < 3) {
                    reader.join(room);
                }
            }
            host.say(room, "welcome");
        }
        return rooms;
    }

    private void happen(Session host, List<Session> readers, List<String> rooms, int step) throws IOException {
        var room = rooms.get(random.nextInt(rooms.size()));
        var reader = readers.get(random.nextInt(readers.size()));
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> host.say(room, "said " + step);
            case 3 -> host.put(Paths.room(room, "/state/m.room.topic/"), Map.of("topic", "topic " + step));
            case 4 -> host.put(Paths.room(room, "/state/test.kind/" + random.nextInt(3)), Map.of("n", step));
            case 5 -> reader.call("POST", Paths.room(room, "/leave"), Map.of());
            case 6 -> reader.call("POST", Paths.room(room, "/join"), Map.of());
            case 7 -> host.call("POST", Paths.room(room, "/kick"), Map.of("user_id", reader.userId()));
            default ->
                reader.call(
                        "PUT",
                        Paths.room(room, "/send/m.room.message/t" + step),
                        Map.of("msgtype", "m.text", "body", "by a reader " + step));
        }
    }

    private JsonNode sync(int node, Session reader, @org.jspecify.annotations.Nullable String since, int filter)
            throws IOException {
        var query = new SyncQuery(since, Duration.ZERO, FILTERS.get(filter), false);
        return nodes.sync(node(node), reader, query).ok();
    }

    /** The rooms, without what differs because time goes by, and with tokens only as far as they are there. */
    private static JsonNode plain(JsonNode answer) {
        var rooms = (ObjectNode) answer.path("rooms").deepCopy();
        for (var section : rooms) {
            for (var room : section) {
                for (var part : List.of("timeline", "state")) {
                    for (var event : room.path(part).path("events")) {
                        ((ObjectNode) event.path("unsigned")).remove("age");
                    }
                }
                if (room.path("timeline") instanceof ObjectNode timeline) {
                    timeline.put(
                            "prev_batch",
                            timeline.path("prev_batch").asString("").length() > 9);
                }
            }
        }
        return rooms;
    }

    /** Members may be repeated, so they are not compared; the members that the timeline needs must be present. */
    private static void members(JsonNode warm, JsonNode cold) {
        for (var rooms : List.of(warm, cold)) {
            for (var room : rooms.path("join")) {
                Set<String> members = new HashSet<>();
                var state = room.path("state").path("events");
                state.forEach(event -> members.add(event.path("state_key").asString("")));
                room.path("timeline")
                        .path("events")
                        .forEach(event -> members.add(event.path("state_key").asString("")));
                for (var event : room.path("timeline").path("events")) {
                    assertThat(members).contains(event.path("sender").asString());
                }
                ((ObjectNode) room).remove("state");
            }
        }
    }
}
