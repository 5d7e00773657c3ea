// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Changes of membership and their visibility, through the gateway (contract.md 8.1, 8.3). */
@OnOneJvm
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MembershipE2E {
    private static final String ANY = "?";
    private static final String NOWHERE = "!AAAAAAAAAAAAAAAAAA:localhost";

    private final Rookery rookery;
    private Http http;
    private Session ada;
    private Session bob;
    private Session eve;

    MembershipE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeAll
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
        eve = People.newcomer(http, "eve");
    }

    @AfterAll
    void close() {
        http.close();
    }

    @Test
    void usersWhoWantNoInvitationsGetNone() throws IOException {
        var shy = People.newcomer(http, "shy");
        var room = ada.createRoom(Map.of("preset", "private_chat"));
        ada.invite(room, shy.userId());
        var path = "/v3/user/" + Paths.encoded(shy.userId()) + "/account_data/m.invite_permission_config";
        var before = shy.sync(SyncQuery.initial());
        assertThat(before.path("rooms").path("invite").has(room)).isTrue();

        shy.put(path, Map.of("default_action", "block"));

        assertThat(shy.sync(SyncQuery.initial()).path("rooms").path("invite").has(room))
                .as("an invitation of before")
                .isFalse();
        var other = bob.createRoom(Map.of("preset", "private_chat"));
        var refusal = bob.call("POST", Paths.room(other, "/invite"), Map.of("user_id", shy.userId()));
        assertThat(refusal.status()).isEqualTo(403);
        assertThat(refusal.errcode()).isEqualTo("M_INVITE_BLOCKED");

        shy.put(path, Map.of());
        bob.invite(other, shy.userId());
        var after = shy.sync(SyncQuery.initial()).path("rooms").path("invite");
        assertThat(after.has(room)).isTrue();
        assertThat(after.has(other)).isTrue();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "membership.txt", delimiter = '|', quoteCharacter = '`')
    void requestIsAnsweredAsTheContractSays(
            String kind,
            String before,
            String who,
            String request,
            String body,
            int status,
            String expected,
            String after)
            throws IOException {
        var alias = People.name("alias");
        var room = ada.createRoom(Map.of(
                "preset",
                kind.equals("public") ? "public_chat" : "private_chat",
                "room_alias_name",
                alias,
                "power_level_content_override",
                Map.of("invite", 50)));
        if (kind.equals("knock")) {
            ada.put(Paths.room(room, "/state/m.room.join_rules"), Map.of("join_rule", "knock"));
        }
        if (before != null) {
            for (String step : before.split(", ", -1)) {
                happens(room, step.trim().split(" ", -1));
            }
        }
        var words = request.split(" ", -1);
        var answer = http.raw(
                words[0],
                filled(words[1], room, alias, true),
                Map.of("Authorization", "Bearer " + person(who).token()),
                filled(body, room, alias, false));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        if (status == 200 && !expected.equals(ANY)) {
            assertThat(answer.text()).isEqualTo(filled(expected, room, alias, false));
        } else if (status != 200) {
            assertThat(answer.errcode()).as(answer.toString()).isEqualTo(expected);
        }
        assertThat(membership(room)).isEqualTo(after);
    }

    private void happens(String room, String[] words) throws IOException {
        var who = person(words[0]);
        switch (words[1]) {
            case "joins" -> who.join(room);
            case "leaves" -> who.leave(room);
            case "knocks" -> who.post("/v3/knock/" + Paths.encoded(room), Map.of());
            case "invites" -> who.invite(room, person(words[2]).userId());
            default ->
                who.post(
                        Paths.room(room, "/ban"),
                        Map.of("user_id", person(words[2]).userId()));
        }
    }

    private Session person(String name) {
        return switch (name) {
            case "ada" -> ada;
            case "bob" -> bob;
            default -> eve;
        };
    }

    private String filled(String text, String room, String alias, boolean inPath) {
        return text.replace("{room}", in(room, inPath))
                .replace("{alias}", in("#" + alias + ":localhost", inPath))
                .replace("{nowhere}", in(NOWHERE, inPath))
                .replace("{ada}", in(ada.userId(), inPath))
                .replace("{bob}", in(bob.userId(), inPath))
                .replace("{eve}", in(eve.userId(), inPath));
    }

    private static String in(String id, boolean path) {
        return path ? Paths.encoded(id) : id;
    }

    private String membership(String room) throws IOException {
        var answer = ada.call("GET", Paths.room(room, "/state/m.room.member/" + Paths.encoded(bob.userId())), null);
        return answer.isOk() ? answer.json().path("membership").asString() : "-";
    }

    @Test
    void knocksAreSyncedWithWhatMayBeKnownOfTheRoom() throws IOException {
        var room = ada.createRoom(Map.of(
                "name",
                "Door",
                "initial_state",
                List.of(Map.of("type", "m.room.join_rules", "content", Map.of("join_rule", "knock")))));
        var since = bob.sync(SyncQuery.initial()).path("next_batch").asString();

        bob.post("/v3/knock/" + Paths.encoded(room), Map.of("reason", "tea"));

        var news = bob.syncUntil(since, sync -> sync.path("rooms").path("knock").has(room));
        assertKnock(news, room);
        assertKnock(bob.sync(SyncQuery.initial()), room);
        assertThat(ada.sync(SyncQuery.initial())
                        .path("rooms")
                        .path("join")
                        .path(room)
                        .toString())
                .contains("\"membership\":\"knock\"", "\"reason\":\"tea\"");

        ada.invite(room, bob.userId());
        var invited = bob.syncUntil(
                news.path("next_batch").asString(),
                sync -> sync.path("rooms").path("invite").has(room));
        var invite = invited.path("rooms").path("invite").path(room);
        assertThat(places(invite.path("invite_state").path("events")))
                .contains("m.room.member " + ada.userId(), "m.room.member " + bob.userId())
                .doesNotHaveDuplicates();
        assertThat(bob.sync(SyncQuery.initial()).path("rooms").path("knock").has(room))
                .isFalse();
    }

    private static List<String> places(JsonNode stripped) {
        return stripped.valueStream()
                .map(event -> event.path("type").asString() + " "
                        + event.path("state_key").asString())
                .toList();
    }

    private void assertKnock(JsonNode sync, String room) {
        var stripped =
                sync.path("rooms").path("knock").path(room).path("knock_state").path("events");
        assertThat(places(stripped)).doesNotHaveDuplicates();
        assertThat(stripped.valueStream().map(event -> event.path("type").asString()))
                .contains("m.room.create", "m.room.join_rules", "m.room.name", "m.room.member");
        for (var event : stripped) {
            assertThat(event.propertyNames()).containsExactlyInAnyOrder("type", "state_key", "sender", "content");
        }
        assertThat(stripped.toString()).contains(bob.userId()).contains("Door");
    }

    @Test
    void aDeniedKnockIsALeave() throws IOException {
        var room = ada.createRoom(Map.of(
                "initial_state",
                List.of(Map.of("type", "m.room.join_rules", "content", Map.of("join_rule", "knock")))));
        bob.post("/v3/knock/" + Paths.encoded(room), Map.of());
        var since = bob.sync(SyncQuery.initial()).path("next_batch").asString();

        ada.post(Paths.room(room, "/kick"), Map.of("user_id", bob.userId()));

        bob.syncUntil(since, sync -> sync.path("rooms").path("leave").has(room));
        assertThat(bob.sync(SyncQuery.initial()).path("rooms").path("knock").has(room))
                .isFalse();
    }

    @Test
    void aForgottenRoomIsNowhereUntilOneComesBack() throws IOException {
        var room = ada.createRoom(Map.of(
                "preset",
                "public_chat",
                "initial_state",
                List.of(Map.of(
                        "type",
                        "m.room.history_visibility",
                        "content",
                        Map.of("history_visibility", "world_readable")))));
        bob.join(room);
        bob.leave(room);
        var leavers = SyncQuery.initial().filtered("{\"room\":{\"include_leave\":true}}");
        assertThat(bob.sync(leavers).path("rooms").path("leave").has(room)).isTrue();

        bob.post(Paths.room(room, "/forget"), Map.of());

        assertThat(bob.sync(leavers).path("rooms").path("leave").has(room)).isFalse();
        for (String path : List.of("/messages?dir=b", "/state", "/members")) {
            assertRefused(bob.call("GET", Paths.room(room, path), null));
        }
        ada.invite(room, bob.userId());
        assertThat(bob.sync(leavers).path("rooms").path("invite").has(room)).isTrue();
        bob.join(room);
        assertThat(bob.messages(room, "b", null, null, 50).path("chunk").size()).isGreaterThan(5);
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
        assertThat(answer.errcode()).isEqualTo("M_FORBIDDEN");
    }
}
