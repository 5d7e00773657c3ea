// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;

/**
 * A conversation of two users in the training run for the start caches, so that the caches contain the code for first requests.
 */
final class Rehearsal {
    private static final Duration POLL = Duration.ofMillis(100);

    private final Http http;

    /** Creates the client, which must be the first of the JVM ({@link Http}). */
    Rehearsal(int port) {
        this.http = Http.to(TenantAddress.at(URI.create("http://localhost:" + port), TenantAddress.NATIVE));
    }

    /** A logged-in user with the user's next sync. */
    private static final class Talker {
        final Session session;
        SyncQuery next = SyncQuery.initial();

        Talker(Session session) {
            this.session = session;
        }
    }

    /** Plays the conversation for about the given time. */
    void play(Duration length) throws IOException {
        long end = System.nanoTime() + length.toNanos();
        var ada = talker("ada");
        var grace = talker("grace");
        var reader = grace.session;
        var room = ada.session.createRoom(
                Map.of("name", "Rehearsal", "preset", "private_chat", "invite", List.of(reader.userId())));
        reader.join(room);
        reader.put("/v3/profile/" + Paths.encoded(reader.userId()) + "/displayname", Map.of("displayname", "Grace"));
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            say(ada, grace, room, round);
            say(grace, ada, room, round);
        }
        reader.get(Paths.room(room, "/members"));
        reader.messages(room, "b", null, null, 10);
        var search = Map.of("search_categories", Map.of("room_events", Map.of("search_term", "tea")));
        reader.call("POST", "/v3/search", search);
        reader.call("POST", "/v3/user_directory/search", Map.of("search_term", "ada"));
        for (var path : List.of("/v3/publicRooms", "/v3/pushrules/", "/v3/devices")) {
            reader.call("GET", path, null);
        }
        reader.logout();
    }

    private Talker talker(String name) throws IOException {
        Session.register(http, name);
        return new Talker(Session.login(http, name));
    }

    private static void say(Talker speaker, Talker listener, String room, int round) throws IOException {
        var typing = Paths.room(room, "/typing/" + Paths.encoded(speaker.session.userId()));
        speaker.session.put(typing, Map.of("typing", true, "timeout", 1_000));
        var event = speaker.session.say(room, "More tea? " + round);
        var answer = listener.session.sync(listener.next.waiting(POLL));
        listener.next = SyncQuery.since(answer.path("next_batch").asString());
        listener.session.post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(event)), Map.of());
    }
}
