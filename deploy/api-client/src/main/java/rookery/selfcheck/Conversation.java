// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import rookery.e2e.api.Http;
import tools.jackson.databind.JsonNode;

/** A conversation of two users, printed while it runs. Each message is sent while the other user waits in a long poll. */
record Conversation(Http http, PatientClock clock, Consumer<String> out) {
    private static final List<String> LINES = List.of(
            "Hello! Can you hear me?",
            "Loud and clear.",
            "Is this thing fast?",
            "You tell me: look at the numbers.",
            "The first ones are the slowest, the server is still warming up.",
            "Then say something more.",
            "Something more.");

    private static final int PAGES = 3;

    void play(Person ada, Person grace) throws IOException {
        out.accept("Two users at " + http.site().base());
        out.accept("  ada is      " + ada.userId());
        out.accept("  grace is    " + grace.userId());

        var room = ada.session().createRoom(Map.of("name", "Tea", "preset", "private_chat"));
        out.accept("  ada makes   " + room + ", \"Tea\", for invited people only");
        ada.session().invite(room, grace.userId());
        out.accept("  grace sees  " + invitation(grace, room));
        grace.session().join(room);
        out.accept("  grace joins; " + members(ada, room) + " are in the room, says the server");

        converse(ada, grace, room);
        pageBack(grace, room);
    }

    private static String invitation(Person guest, String room) throws IOException {
        var invited = guest.sync(Duration.ZERO).path("rooms").path("invite").path(room);
        UnmetException.expect(invited.isObject(), "the invitation did not arrive");
        return invited.path("invite_state")
                .path("events")
                .valueStream()
                .filter(event -> event.path("type").asString("").equals("m.room.name"))
                .map(event -> "an invitation to \"%s\""
                        .formatted(event.path("content").path("name").asString("")))
                .findFirst()
                .orElse("an invitation");
    }

    private static String members(Person person, String room) throws IOException {
        return String.join(
                " and ",
                person.get(Person.room(room, "/joined_members")).path("joined").propertyNames());
    }

    private void converse(Person ada, Person grace, String room) throws IOException {
        out.accept("");
        out.accept(
                "They talk, each waiting in a long poll while the other sends; milliseconds from before the sending:");
        out.accept("  %-71s %11s %11s".formatted("", "answered", "read"));
        ada.catchUp();
        grace.catchUp();
        var times = new ArrayList<Double>();
        for (int i = 0; i < LINES.size(); i++) {
            var sender = i % 2 == 0 ? ada : grace;
            var exchange = Exchange.play(clock, sender, i % 2 == 0 ? grace : ada, room, LINES.get(i));
            if (exchange.isTimed()) {
                times.add(exchange.arrivedMillis());
            }
            out.accept("  %-6s %-64s %8.1f ms %8.1f ms"
                    .formatted(sender.name(), LINES.get(i), exchange.acceptedMillis(), exchange.arrivedMillis()));
        }
        times.sort(null);
        if (!times.isEmpty()) {
            out.accept("  half of them arrived within %.1f ms, all within %.1f ms"
                    .formatted(times.get(times.size() / 2), times.getLast()));
        }
    }

    private void pageBack(Person person, String room) throws IOException {
        out.accept("");
        out.accept(person.name() + " pages back, newest first, three at a time:");
        String from = null;
        for (int page = 1; page <= PAGES; page++) {
            var answer = person.session().messages(room, "b", from, null, 3);
            for (var event : answer.path("chunk")) {
                out.accept(
                        "  page %d  %s  %s".formatted(page, event.path("sender").asString(""), summary(event)));
            }
            if (!answer.has("end")) {
                return;
            }
            from = answer.path("end").asString("");
        }
    }

    private static String summary(JsonNode event) {
        var content = event.path("content");
        return switch (event.path("type").asString("")) {
            case "m.room.message" -> content.path("body").asString("");
            case "m.room.member" ->
                "(%s of %s)"
                        .formatted(
                                content.path("membership").asString(""),
                                event.path("state_key").asString(""));
            case String type -> "(%s)".formatted(type);
        };
    }
}
