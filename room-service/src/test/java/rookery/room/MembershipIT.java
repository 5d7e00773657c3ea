// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.filter.RoomFilter;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Contents and effects of memberships beyond membership.txt (contract.md 8.3, 15). */
class MembershipIT {
    private static final String BOBS = "{\"user_id\":\"@bob:example.org\"}";
    private static final String REASONED = "{\"user_id\":\"@bob:example.org\",\"reason\":\"because\"}";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Client ada;
    private static Client bob;

    @BeforeAll
    static void start() {
        ada = server.as("ada");
        bob = server.as("bob");
    }

    @Test
    void aReasonIsKeptByEveryChange() {
        String room = ada.createRoom("{\"initial_state\":[" + rule("knock") + "]}");
        String path = "/rooms/" + room;
        record Step(Client who, String request, String body) {}
        for (var step : List.of(
                new Step(bob, "/knock/" + room + "?via=elsewhere.example&server_name=a", "{\"reason\":\"because\"}"),
                new Step(bob, path + "/leave", "{\"reason\":\"because\"}"),
                new Step(ada, path + "/invite", REASONED),
                new Step(bob, path + "/join?via=elsewhere.example", "{\"reason\":\"because\"}"),
                new Step(ada, path + "/kick", REASONED),
                new Step(ada, path + "/ban", REASONED),
                new Step(ada, path + "/unban", REASONED))) {
            assertThat(step.who.post(step.request, step.body).status())
                    .as(step.request)
                    .isEqualTo(200);
            assertThat(member(room, "@bob:example.org").path("reason").asString(""))
                    .as(step.request)
                    .isEqualTo("because");
        }
        assertRefused(bob.post("/knock/" + room, "{\"reason\":7}"), 400, "M_BAD_JSON");
    }

    @Test
    void usersWhoWantNoInvitationsAreNotInvited() {
        String room = ada.createRoom("{}");
        String shy = "{\"user_id\":\"@hermit:example.org\"}";
        assertRefused(ada.post("/rooms/" + room + "/invite", shy), 403, "M_INVITE_BLOCKED");
        assertRefused(
                ada.put("/rooms/" + room + "/state/m.room.member/@hermit:example.org", "{\"membership\":\"invite\"}"),
                403,
                "M_INVITE_BLOCKED");
        assertRefused(
                ada.post("/createRoom", "{\"invite\":[\"@bob:example.org\",\"@hermit:example.org\"]}"),
                403,
                "M_INVITE_BLOCKED");
        String state =
                "{\"type\":\"m.room.member\",\"state_key\":\"@hermit:example.org\",\"content\":{\"membership\":\"invite\"}}";
        assertRefused(ada.post("/createRoom", "{\"initial_state\":[" + state + "]}"), 403, "M_INVITE_BLOCKED");
        assertThat(ada.post("/rooms/" + room + "/ban", shy).status()).isEqualTo(200);
        String open = ada.createRoom("{\"preset\":\"public_chat\"}");
        assertThat(server.as("hermit").post("/rooms/" + open + "/join", "{}").status())
                .isEqualTo(200);
    }

    @Test
    void whatTheRoomIsLikeIsToldWithAnInvitationUntilItIsAnswered() {
        String room = ada.createRoom("{\"name\":\"Cellar\",\"initial_state\":[{\"type\":\"m.room.history_visibility\","
                + "\"content\":{\"history_visibility\":\"world_readable\"}}]}");
        String messages = "/rooms/" + room + "/messages?dir=b&limit=1";
        ada.post("/rooms/" + room + "/invite", BOBS);
        assertThat(bob.get(messages).json().toString()).contains("invite_room_state", "Cellar");

        bob.post("/rooms/" + room + "/join", "{}");

        var answered =
                bob.get("/rooms/" + room + "/messages?dir=b&limit=2").json().path("chunk");
        assertThat(answered.size()).isEqualTo(2);
        assertThat(answered.toString()).contains("\"invite\"").doesNotContain("invite_room_state");
    }

    @Test
    void aKnockGoesByIdAndAliasAndNowhereElse() {
        String room = ada.createRoom(
                "{\"room_alias_name\":\"door\",\"name\":\"Door\",\"initial_state\":[" + rule("knock") + "]}");

        assertThat(bob.post("/knock/#door:example.org", "{}").text("room_id")).isEqualTo(room);
        assertThat(bob.post("/knock/" + room, "{}").text("room_id")).isEqualTo(room);
        assertRefused(bob.post("/knock/#window:example.org", "{}"), 404, "M_NOT_FOUND");
        assertRefused(bob.post("/knock/!AAAAAAAAAAAAAAAAAA:example.org", "{}"), 404, "M_NOT_FOUND");
        assertRefused(bob.post("/knock/door", "{}"), 400, "M_INVALID_PARAM");
        assertRefused(server.as("@bob:example.net").post("/knock/" + room, "{}"), 404, "M_NOT_FOUND");
        assertRefused(bob.get("/rooms/" + room + "/messages"), 403, "M_FORBIDDEN");
    }

    @Test
    void whoKnocksIsShownWhatTheRoomIsAndWho() {
        server.users.rename("@kim:example.org", "Kim");
        String room = ada.createRoom("{\"name\":\"Door\",\"initial_state\":[" + rule("knock_restricted") + "]}");
        assertThat(server.as("kim").post("/knock/" + room, "{}").status()).isEqualTo(200);

        var shown = ada.get("/rooms/" + room + "/state/m.room.member/@kim:example.org?format=event");
        assertThat(shown.json().path("content").path("displayname").asString(""))
                .isEqualTo("Kim");
        // the knocking user's half is part of the sections
        var request = JsonMapper.shared().createObjectNode();
        request.put("tenant", 1)
                .put("user", "@kim:example.org")
                .put("full_state", false)
                .put("state_after", false);
        request.set("filter", JsonMapper.shared().valueToTree(RoomFilter.ALL));
        request.putArray("ignored");
        var sections = server.internal("POST", "/internal/sync", request.toString());
        assertThat(sections.json().toString()).contains("m.room.create", "Door", "knock_restricted");
    }

    @Test
    void isDirectIsKeptByInvitations() {
        String room = ada.createRoom("{\"is_direct\":true,\"invite\":[\"@bob:example.org\"]}");
        assertThat(member(room, "@bob:example.org").path("is_direct").asBoolean(false))
                .isTrue();

        assertThat(ada.post("/rooms/" + room + "/kick", BOBS).status()).isEqualTo(200);
        assertThat(member(room, "@bob:example.org").has("is_direct")).isFalse();
        assertThat(ada.put(
                                "/rooms/" + room + "/state/m.room.member/@bob:example.org",
                                "{\"membership\":\"invite\",\"is_direct\":true,\"displayname\":\"Not Bob\"}")
                        .status())
                .isEqualTo(200);
        assertThat(member(room, "@bob:example.org").path("is_direct").asBoolean(false))
                .isTrue();
        assertThat(member(room, "@bob:example.org").path("displayname").asString(""))
                .isEqualTo("bob");
    }

    @Test
    void onlyOnesOwnJoinMayShowAnotherName() {
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        String own = "/rooms/" + room + "/state/m.room.member/@bob:example.org";

        assertThat(bob.put(
                                own,
                                "{\"membership\":\"join\",\"displayname\":\"Robert\","
                                        + "\"join_authorised_via_users_server\":\"@ada:example.org\"}")
                        .status())
                .isEqualTo(200);
        assertThat(member(room, "@bob:example.org").path("displayname").asString(""))
                .isEqualTo("Robert");
        assertThat(member(room, "@bob:example.org").has("join_authorised_via_users_server"))
                .isFalse();
        assertThat(bob.put(own, "{\"membership\":\"leave\",\"displayname\":\"Robert\"}")
                        .status())
                .isEqualTo(200);
        assertThat(member(room, "@bob:example.org").has("displayname")).isFalse();
        assertThat(ada.post("/rooms/" + room + "/invite", BOBS).status()).isEqualTo(200);
        assertThat(member(room, "@bob:example.org").path("displayname").asString(""))
                .isEqualTo("bob");
    }

    @Test
    void whoNobodyHasHeardOfCanBeBannedAndNotInvited() {
        String room = ada.createRoom("{}");
        String path = "/rooms/" + room;
        assertThat(ada.post(path + "/ban", "{\"user_id\":\"@nobody:example.org\"}")
                        .status())
                .isEqualTo(200);
        assertThat(ada.post(path + "/ban", "{\"user_id\":\"@ada:example.net\"}").status())
                .isEqualTo(200);
        assertRefused(ada.post(path + "/invite", "{\"user_id\":\"@noone:example.org\"}"), 404, "M_NOT_FOUND");
        assertRefused(ada.post(path + "/invite", "{\"user_id\":\"bob\"}"), 400, "M_INVALID_PARAM");
        assertRefused(ada.post(path + "/kick", "{}"), 400, "M_MISSING_PARAM");
        assertRefused(ada.post(path + "/ban", "{\"user_id\":[\"@bob:example.org\"]}"), 400, "M_BAD_JSON");
    }

    @Test
    void aRestrictedRoomNeedsSomebodyWhoMayInvite() {
        String lobby = ada.createRoom("{\"preset\":\"public_chat\"}");
        String room = ada.createRoom(
                "{\"power_level_content_override\":{\"invite\":50,\"users\":{\"@ada:example.org\":100,\"@mod:example.org\":50}},"
                        + "\"invite\":[\"@mod:example.org\"],\"initial_state\":[" + restricted(lobby) + "]}");
        var mod = server.as("mod");
        try (var other = server.another()) {
            for (var client : Map.of("eve", server, "fay", other).entrySet()) {
                var user = client.getValue().as(client.getKey());
                assertThat(user.post("/rooms/" + lobby + "/join", "{}").status())
                        .isEqualTo(200);
                assertThat(user.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
                assertThat(member(room, user.user)
                                .path("join_authorised_via_users_server")
                                .asString(""))
                        .isEqualTo("@ada:example.org");
            }
            assertThat(mod.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
            assertThat(ada.post("/rooms/" + room + "/leave", "{}").status()).isEqualTo(200);
            assertJoins(other, "gil", lobby, room, 200);
            // the last member with the power to invite gives it up on one instance, and the other instance knows
            assertThat(mod.put("/rooms/" + room + "/state/m.room.power_levels", levels(mod))
                            .status())
                    .as("mod may not set levels that take 100")
                    .isEqualTo(403);
            assertThat(mod.post("/rooms/" + room + "/leave", "{}").status()).isEqualTo(200);
            assertJoins(other, "hal", lobby, room, 403);
            assertJoins(server, "ida", lobby, room, 403);
        }
    }

    @Test
    void aSponsorWhoLostThePowerToInviteIsNone() {
        String lobby = ada.createRoom("{\"preset\":\"public_chat\"}");
        String room = ada.createRoom(
                "{\"power_level_content_override\":{\"invite\":50},\"initial_state\":[" + restricted(lobby) + "]}");
        try (var other = server.another()) {
            assertJoins(other, "jan", lobby, room, 200);
            assertThat(ada.put(
                                    "/rooms/" + room + "/state/m.room.power_levels",
                                    "{\"invite\":50,\"users\":{\"@ada:example.org\":49}}")
                            .status())
                    .isEqualTo(200);
            assertJoins(other, "kai", lobby, room, 403);
            assertThat(server.as("kai").post("/rooms/" + lobby + "/leave", "{}").status())
                    .isEqualTo(200);
        }
    }

    private static void assertJoins(RoomServer instance, String name, String lobby, String room, int status) {
        var user = instance.as(name);
        assertThat(user.post("/rooms/" + lobby + "/join", "{}").status()).isEqualTo(200);
        assertThat(user.post("/rooms/" + room + "/join", "{}").status())
                .as(name)
                .isEqualTo(status);
    }

    private static String levels(Client who) {
        return "{\"invite\":100,\"users\":{\"" + who.user + "\":0}}";
    }

    private static String restricted(String lobby) {
        return "{\"type\":\"m.room.join_rules\",\"content\":{\"join_rule\":\"restricted\","
                + "\"allow\":[{\"type\":\"m.room_membership\",\"room_id\":\"" + lobby + "\"}]}}";
    }

    private static String rule(String rule) {
        return "{\"type\":\"m.room.join_rules\",\"content\":{\"join_rule\":\"" + rule + "\"}}";
    }

    private static JsonNode member(String room, String user) {
        return server.as("ada")
                .get("/rooms/" + room + "/state/m.room.member/" + user)
                .json();
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.errcode()).isEqualTo(errcode);
    }
}
