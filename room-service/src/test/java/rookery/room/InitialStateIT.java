// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;

/** What a room is made with is checked like what is set in it later (contract.md 8.2). */
class InitialStateIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Client ada;

    @BeforeAll
    static void start() {
        ada = server.as("ada");
    }

    @Test
    void aliasOfAnotherRoomIsNotItsOwn() {
        assertThat(ada.post("/createRoom", "{\"room_alias_name\":\"initial-taken\"}")
                        .status())
                .isEqualTo(200);
        for (var content : new String[] {
            "{\"alias\":\"#initial-taken:example.org\"}",
            "{\"alt_aliases\":[\"#initial-taken:example.org\"]}",
            "{\"alias\":\"#initial-nowhere:example.org\"}"
        }) {
            var answer = made("m.room.canonical_alias", "", content);
            assertThat(answer.status()).as(content).isEqualTo(400);
            assertThat(answer.errcode()).as(content).isEqualTo("M_BAD_ALIAS");
        }
        assertThat(ada.post(
                                "/createRoom",
                                "{\"room_alias_name\":\"initial-own\",\"initial_state\":["
                                        + state(
                                                "m.room.canonical_alias",
                                                "",
                                                "{\"alias\":\"#initial-own:example.org\"}")
                                        + "]}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void nobodyIsInvitedUnderANameThatIsNotTheirs() {
        var answer = made(
                "m.room.member",
                "@bob:example.org",
                "{\"membership\":\"invite\",\"displayname\":\"The Administrator\",\"avatar_url\":\"mxc://a/b\","
                        + "\"reason\":\"come in\"}");
        assertThat(answer.status()).isEqualTo(200);
        var member = member(answer.text("room_id"), "@bob:example.org");
        assertThat(member.path("membership").asString("")).isEqualTo("invite");
        assertThat(member.path("reason").asString("")).isEqualTo("come in");
        assertThat(member.path("displayname").asString("")).isNotEqualTo("The Administrator");
        assertThat(member.path("avatar_url").asString("")).isNotEqualTo("mxc://a/b");
    }

    @Test
    void whoIsBannedFromTheStartIsShownByNoName() {
        var answer = made("m.room.member", "@bob:example.org", "{\"membership\":\"ban\",\"displayname\":\"A thief\"}");
        assertThat(answer.status()).isEqualTo(200);
        var member = member(answer.text("room_id"), "@bob:example.org");
        assertThat(member.path("membership").asString("")).isEqualTo("ban");
        assertThat(member.has("displayname")).isFalse();
    }

    @Test
    void aUserWhoDoesNotExistIsLeftOut() {
        var answer = made("m.room.member", "@nobody:example.org", "{\"membership\":\"invite\"}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(member(answer.text("room_id"), "@nobody:example.org")
                        .path("errcode")
                        .asString(""))
                .isEqualTo("M_NOT_FOUND");
    }

    @Test
    void onesOwnAvatarIsMedia() {
        var answer = made(
                "m.room.member",
                "@ada:example.org",
                "{\"membership\":\"join\",\"avatar_url\":\"https://elsewhere.example/a.png\"}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.errcode()).isEqualTo("M_INVALID_PARAM");
    }

    private static Answer made(String type, String stateKey, String content) {
        return ada.post("/createRoom", "{\"initial_state\":[" + state(type, stateKey, content) + "]}");
    }

    private static String state(String type, String stateKey, String content) {
        return "{\"type\":\"%s\",\"state_key\":\"%s\",\"content\":%s}".formatted(type, stateKey, content);
    }

    private static JsonNode member(String room, String user) {
        return ada.get("/rooms/" + room + "/state/m.room.member/" + user).json();
    }
}
