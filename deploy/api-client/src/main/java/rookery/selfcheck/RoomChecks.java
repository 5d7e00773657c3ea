// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import static rookery.selfcheck.UnmetException.expect;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import rookery.e2e.api.Paths;
import tools.jackson.databind.JsonNode;

/** Checks of a conversation of two users in a room, and of the data derived from it. */
record RoomChecks(Visit visit) {
    private static final int MESSAGES = 10;
    private static final Duration TYPING = Duration.ofSeconds(20);

    String rooms() throws IOException {
        var ada = visit.ada();
        var grace = visit.grace();
        var room = ada.session()
                .createRoom(
                        Map.of("name", "Self-check", "preset", "private_chat", "topic", "Made by deploy/self-check"));
        visit.room(room);
        visit.leaves(room, "the room %s without members".formatted(room));
        ada.session().invite(room, grace.userId());
        ada.catchUp();
        expect(
                grace.sync(Duration.ZERO).path("rooms").path("invite").has(room),
                "the invitation is not in the invited user's sync");
        grace.session().join(room);
        expect(
                ada.get(Person.room(room, "/joined_members")).path("joined").size() == 2,
                "the room has not two members");
        return "created %s, invited and joined".formatted(room);
    }

    String conversation() throws IOException {
        var times = new ArrayList<Double>();
        for (int i = 0; i < MESSAGES; i++) {
            var sender = i % 2 == 0 ? visit.ada() : visit.grace();
            var reader = i % 2 == 0 ? visit.grace() : visit.ada();
            reader.catchUp();
            var exchange = Exchange.play(visit.clock, sender, reader, visit.room(), "message " + i);
            visit.event(exchange.event());
            if (exchange.isTimed()) {
                times.add(exchange.arrivedMillis());
            }
        }
        return "%d messages reached their waiting readers%s".formatted(MESSAGES, summary(times));
    }

    private static String summary(List<Double> times) {
        times.sort(null);
        return times.isEmpty()
                ? ""
                : "; half within %.0f ms, all within %.0f ms".formatted(times.get(times.size() / 2), times.getLast());
    }

    String history() throws IOException {
        var ada = visit.ada();
        var grace = visit.grace();
        var page = grace.session().messages(visit.room(), "b", null, null, 5);
        var older = grace.session().messages(visit.room(), "b", page.path("end").asString(""), null, 100);
        long messages = messages(page) + messages(older);
        expect(messages == MESSAGES, "paging back tells %d of %d messages".formatted(messages, MESSAGES));
        var context = ada.get(Person.room(visit.room(), "/context/" + Paths.encoded(visit.event()) + "?limit=4"));
        expect(
                context.path("event").path("event_id").asString("").equals(visit.event()),
                "the context of an event is that of another");
        return "messages and context";
    }

    private static long messages(JsonNode page) {
        return page.path("chunk")
                .valueStream()
                .filter(event -> event.path("type").asString("").equals("m.room.message"))
                .count();
    }

    String receipts() throws IOException {
        var grace = visit.grace();
        var event = Paths.encoded(visit.event());
        visit.ada().catchUp();
        grace.post(Person.room(visit.room(), "/receipt/m.read/" + event), Map.of());
        grace.post(Person.room(visit.room(), "/receipt/m.read.private/" + event), Map.of());
        grace.post(Person.room(visit.room(), "/read_markers"), Map.of("m.fully_read", visit.event()));
        visit.ada().waitFor("the receipt", ephemeralEvent("m.receipt", content -> content.has(visit.event())));
        return "receipts, private receipts and markers";
    }

    String typing() throws IOException {
        var grace = visit.grace();
        var path = Person.room(visit.room(), "/typing/" + Paths.encoded(grace.userId()));
        Person.Action type = () -> grace.put(path, Map.of("typing", true, "timeout", TYPING.toMillis()));
        visit.ada().catchUp();
        type.run();
        visit.ada()
                .waitFor(
                        "who is typing",
                        ephemeralEvent(
                                "m.typing",
                                content -> content.path("user_ids")
                                        .valueStream()
                                        .anyMatch(user -> user.asString("").equals(grace.userId()))),
                        type); // typing expires, and may have expired while a request waited for the rate limit
        grace.put(path, Map.of("typing", false));
        return "typing reached the other member";
    }

    private Predicate<JsonNode> ephemeralEvent(String type, Predicate<JsonNode> content) {
        return sync -> visit.joined(sync)
                .path("ephemeral")
                .path("events")
                .valueStream()
                .filter(event -> event.path("type").asString("").equals(type))
                .anyMatch(event -> content.test(event.path("content")));
    }

    String notifications() throws IOException {
        var ada = visit.ada();
        ada.askUntil(
                () -> ada.get("/v3/notifications?limit=20")
                        .path("notifications")
                        .valueStream()
                        .anyMatch(each -> each.path("room_id").asString("").equals(visit.room())),
                "no message of the conversation is among the notifications after %d s"
                        .formatted(Person.PATIENCE.toSeconds()));
        return "the conversation is among the notifications";
    }

    String directories() throws IOException {
        var ada = visit.ada();
        var grace = visit.grace().userId();
        var server = grace.substring(grace.indexOf(':'));
        var name = "#self-check-" + System.nanoTime() + server;
        var alias = "/v3/directory/room/" + Paths.encoded(name);
        ada.put(alias, Map.of("room_id", visit.room()));
        visit.leaves(name, "the alias " + name);
        var room = visit.http.call("GET", alias, null, null).ok();
        expect(room.path("room_id").asString("").equals(visit.room()), "the alias leads to another room");
        ada.session().call("DELETE", alias, null).ok();
        visit.tookAway(name);
        visit.http.call("GET", "/v3/publicRooms?limit=5", null, null).ok();
        ada.post("/v3/publicRooms", Map.of("limit", 5, "filter", Map.of("generic_search_term", "self-check")));
        var search = Map.of("search_term", grace.substring(1, grace.indexOf(':')), "limit", 50);
        ada.askUntil(
                () -> ada.post("/v3/user_directory/search", search)
                        .path("results")
                        .valueStream()
                        .anyMatch(user -> user.path("user_id").asString("").equals(grace)),
                "the user directory does not know the other member after %d s".formatted(Person.PATIENCE.toSeconds()));
        return "aliases, public rooms and users";
    }
}
