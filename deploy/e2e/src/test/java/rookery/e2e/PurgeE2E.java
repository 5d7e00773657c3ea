// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** Rooms that administrators purge (contract.md 5.4). */
@OnCluster
class PurgeE2E {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The room's id, the users to inform, and the administrator; and transaction ids, which expire. */
    static final Set<String> KEPT = Set.of(
            "admin.audit_record.target",
            "room.log_entry.room_id",
            "room.purged.room_id",
            "room.purged_member.room_id",
            "room.transaction.request",
            "room.transaction_0.request",
            "room.transaction_1.request",
            "room.transaction_2.request",
            "room.transaction_3.request");

    private final Rookery rookery;
    private Http http;
    private Session root;
    private Session ada;
    private Session bob;

    PurgeE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        root = Steps.administrator(rookery, http);
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
    }

    @AfterEach
    void close() {
        http.close();
    }

    private Answer purge(Session by, String room) throws IOException {
        return by.call("POST", "/v3/admin/rooms/" + Paths.encoded(room) + "/purge", null);
    }

    private static String text(Answer answer) {
        return answer.status() + " " + answer.errcode();
    }

    private static String token(JsonNode sync) {
        return sync.path("next_batch").asString();
    }

    private void eventuallyWithoutTrace(String room) {
        assertThat(Deadline.in(PATIENCE)
                        .until(() -> rookery.database("room-service")
                                .texts(open(room))
                                .isEmpty()))
                .isTrue();
        Traces.awaitNone(rookery, room, KEPT);
        assertThat(rookery.database("room-service")
                        .texts("SELECT kind FROM room.log_entry WHERE room_id = '" + room + "'"))
                .containsExactly("purge");
    }

    private static String open(String room) {
        return "SELECT room_id FROM room.purged WHERE due_ms IS NOT NULL AND room_id = '" + room + "'";
    }

    @Test
    void onlyAdministratorsPurgeAndOnlyRoomsOfTheirTenant() throws IOException {
        var room = ada.createRoom(Map.of());
        assertThat(text(purge(ada, room))).isEqualTo("403 M_FORBIDDEN");
        assertThat(text(http.call("POST", "/v3/admin/rooms/" + Paths.encoded(room) + "/purge", null, null)))
                .isEqualTo("401 M_MISSING_TOKEN");
        assertThat(text(purge(root, "!nothing:localhost"))).isEqualTo("404 M_NOT_FOUND");
        assertThat(text(purge(root, "!nothing:elsewhere.example"))).isEqualTo("400 M_INVALID_PARAM");
        try (var others = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            assertThat(text(purge(Steps.administrator(rookery, others, 2), room)))
                    .isEqualTo("400 M_INVALID_PARAM");
        }
        ada.say(room, "still here");
    }

    /** A published room with a bit of everything in it; returns the event that the rest is about. */
    private String fill(String room) throws IOException {
        bob.join(room);
        var eventId = ada.say(room, "unmistakable words");
        bob.post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(eventId)), Map.of());
        var tags = "/rooms/" + Paths.encoded(room) + "/tags/u.work";
        bob.put("/v3/user/" + Paths.encoded(bob.userId()) + tags, Map.of("order", 0.5));
        ada.put(Paths.room(room, "/redact/" + Paths.encoded(ada.say(room, "regret")) + "/r1"), Map.of());
        var thread = Map.of("rel_type", "m.thread", "event_id", eventId);
        ada.put(
                Paths.room(room, "/send/m.room.message/thread"),
                Map.of("msgtype", "m.text", "body", "in a thread", "m.relates_to", thread));
        bob.sync(SyncQuery.initial());
        return eventId;
    }

    /** Requests about a room with an event, as methods and paths. */
    private List<String> requests(String event) {
        return List.of(
                "GET /messages?dir=b",
                "GET /state",
                "GET /state/m.room.name",
                "GET /members",
                "GET /joined_members",
                "GET /event/" + Paths.encoded(event),
                "GET /context/" + Paths.encoded(event),
                "PUT /send/m.room.message/late",
                "PUT /send/m.room.message/thread",
                "PUT /state/m.room.topic",
                "POST /join",
                "POST /leave",
                "POST /invite",
                "POST /forget",
                "POST /receipt/m.read/" + Paths.encoded(event),
                "PUT /typing/" + Paths.encoded(ada.userId()),
                "POST /upgrade");
    }

    private String answer(String request, String room) throws IOException {
        var words = request.split(" ", 2);
        var body = Map.of(
                "msgtype",
                "m.text",
                "body",
                "x",
                "topic",
                "x",
                "typing",
                true,
                "user_id",
                bob.userId(),
                "new_version",
                "11");
        return text(ada.call(words[0], Paths.room(room, words[1]), words[0].equals("GET") ? null : body));
    }

    @Test
    void nobodyFindsARoomThatWasPurged() throws IOException {
        var name = People.name("purged");
        var room = ada.createRoom(
                Map.of("visibility", "public", "preset", "public_chat", "name", "Doomed", "room_alias_name", name));
        var eventId = fill(room);
        assertThat(purge(root, room).ok().toString()).isEqualTo("{\"room_id\":\"" + room + "\",\"purged\":true}");
        for (String request : requests(eventId)) {
            assertThat(answer(request, room))
                    .as(request)
                    .isEqualTo(answer(request, "!nothing:localhost"))
                    .doesNotStartWith("200");
        }
        assertThat(ada.get("/v3/joined_rooms").path("joined_rooms")).isEmpty();
        assertThat(text(root.call("GET", "/v3/admin/rooms/" + Paths.encoded(room), null)))
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(bob.sync(SyncQuery.initial()).toString()).doesNotContain(room);
        assertThat(purge(root, room).status()).isEqualTo(200);

        eventuallyWithoutTrace(room);
        var alias = "/v3/directory/room/" + Paths.encoded("#" + name + ":localhost");
        assertThat(text(bob.call("GET", alias, null))).isEqualTo("404 M_NOT_FOUND");
        assertThat(bob.get("/v3/publicRooms").toString()).doesNotContain(room);
        var search = Map.of("room_events", Map.of("search_term", "unmistakable"));
        assertThat(bob.post("/v3/search", Map.of("search_categories", search)).toString())
                .doesNotContain(room);
        assertThat(bob.get("/v3/notifications").toString()).doesNotContain(room);
        ada.createRoom(Map.of("room_alias_name", name)); // it is free
    }

    @Test
    void everyDeviceIsToldOnce() throws IOException {
        var carol = People.newcomer(http, "carol");
        var room = People.roomOf(ada, bob);
        ada.invite(room, carol.userId());
        var phone = Session.login(http, bob.userId());
        var sessions = List.of(ada, bob, phone, carol);
        var tokens = new ArrayList<String>();
        for (var session : sessions) {
            tokens.add(token(session.sync(SyncQuery.initial())));
        }
        // one device waits in a long poll during the purge
        var waiting = CompletableFuture.supplyAsync(() -> toldOfTheLeave(phone, tokens.get(2), room));
        purge(root, room).ok();
        assertLeft(waiting.join(), room, bob);
        for (int i = 0; i < sessions.size(); i++) {
            var session = sessions.get(i);
            var narrow = "{\"room\":{\"timeline\":{\"types\":[\"m.room.message\"]}}}";
            var sync = session.sync(SyncQuery.since(tokens.get(i)).filtered(narrow));
            assertLeft(sync, room, session);
            assertThat(session.sync(SyncQuery.since(token(sync))).toString()).doesNotContain(room);
        }
        var other = People.roomOf(ada, bob);
        assertThat(bob.sync(SyncQuery.since(tokens.get(1))).toString()).contains(other, room);
    }

    private static JsonNode toldOfTheLeave(Session session, String since, String room) {
        try {
            return session.syncUntil(
                    since, sync -> sync.path("rooms").path("leave").has(room));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertLeft(JsonNode sync, String room, Session session) {
        var left = sync.path("rooms").path("leave").path(room);
        assertThat(left.path("state").path("events")).isEmpty();
        assertThat(left.path("timeline").path("limited").asBoolean(true)).isFalse();
        assertThat(left.path("timeline").path("events")).hasSize(1);
        var event = left.path("timeline").path("events").path(0);
        assertThat(event.path("type").asString()).isEqualTo("m.room.member");
        assertThat(event.path("state_key").asString()).isEqualTo(session.userId());
        assertThat(event.path("content").toString())
                .isEqualTo("{\"membership\":\"leave\",\"reason\":\"room removed\"}");
    }
}
