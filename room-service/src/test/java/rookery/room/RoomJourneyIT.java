// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;

/** What a client can do in rooms, against the real service and database. */
class RoomJourneyIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    @Test
    void aMessageIsReadBackByWhoeverWasInvited() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = ada.createRoom("{\"name\":\"Lobby\",\"invite\":[\"@bob:example.org\"]}");

        assertThat(bob.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
        assertThat(ada.send(room, "t1", "hello").status()).isEqualTo(200);

        assertThat(bodies(bob, room)).containsExactly("hello");
        assertThat(bob.get("/joined_rooms").json().path("joined_rooms").toString())
                .contains(room);
        assertThat(bob.get("/rooms/" + room + "/state/m.room.name").text("name"))
                .isEqualTo("Lobby");
        assertThat(bob.get("/rooms/" + room + "/joined_members")
                        .json()
                        .path("joined")
                        .size())
                .isEqualTo(2);
    }

    @Test
    void retryAnswersTheSameEventId() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");

        String first = ada.send(room, "again", "once").text("event_id");

        assertThat(first).matches("\\$[A-Za-z0-9_-]{43}");
        assertThat(ada.send(room, "again", "once").text("event_id")).isEqualTo(first);
        assertThat(ada.on("TABLET").send(room, "again", "once").text("event_id"))
                .isNotEqualTo(first);
    }

    @Test
    void aStrangerAndAnotherTenantSeeNothing() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        ada.send(room, "t1", "secret");
        String unknown = "!AAAAAAAAAAAAAAAAAA:example.org";

        for (var stranger : List.of(server.as("eve"), server.as("@ada:example.net"))) {
            for (String path : List.of("/messages?dir=b", "/state", "/members", "/joined_members")) {
                assertRefused(stranger.get("/rooms/" + room + path), 403, "M_FORBIDDEN");
                assertThat(stranger.get("/rooms/" + unknown + path)).isEqualTo(stranger.get("/rooms/" + room + path));
            }
            assertRefused(stranger.send(room, "t", "x"), 403, "M_FORBIDDEN");
        }
        assertRefused(server.as("@ada:example.net").post("/rooms/" + room + "/join", "{}"), 404, "M_NOT_FOUND");
    }

    @Test
    void membershipFollowsTheTable() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = ada.createRoom("{}");
        String bobs = "{\"user_id\":\"@bob:example.org\"}";

        assertRefused(bob.post("/rooms/" + room + "/join", "{}"), 403, "M_FORBIDDEN");
        assertRefused(ada.post("/rooms/" + room + "/kick", bobs), 403, "M_FORBIDDEN");
        assertRefused(ada.post("/rooms/" + room + "/unban", bobs), 403, "M_BAD_STATE");
        assertRefused(bob.post("/rooms/" + room + "/leave", "{}"), 403, "M_FORBIDDEN");
        assertRefused(
                ada.post("/rooms/" + room + "/invite", "{\"user_id\":\"@nobody:example.org\"}"), 404, "M_NOT_FOUND");
        assertThat(ada.post("/rooms/" + room + "/invite", bobs).status()).isEqualTo(200);
        assertThat(ada.post("/rooms/" + room + "/invite", bobs).status()).isEqualTo(200);
        assertThat(bob.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
        assertRefused(ada.post("/rooms/" + room + "/invite", bobs), 403, "M_FORBIDDEN");
        assertRefused(bob.post("/rooms/" + room + "/forget", "{}"), 400, "M_UNKNOWN");
        assertThat(ada.post("/rooms/" + room + "/ban", bobs).status()).isEqualTo(200);
        assertThat(ada.post("/rooms/" + room + "/ban", bobs).status()).isEqualTo(200);
        assertRefused(bob.post("/rooms/" + room + "/join", "{}"), 403, "M_FORBIDDEN");
        assertThat(bob.get("/rooms/" + room + "/messages?dir=b").status()).isEqualTo(200);
        assertThat(bob.post("/rooms/" + room + "/forget", "{}").status()).isEqualTo(200);
        assertRefused(bob.get("/rooms/" + room + "/messages?dir=b"), 403, "M_FORBIDDEN");
        assertThat(ada.post("/rooms/" + room + "/unban", bobs).status()).isEqualTo(200);
    }

    @Test
    void pagesNeitherOverlapNorLeaveHoles() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        IntStream.range(0, 25).forEach(i -> ada.send(room, "t" + i, "m" + i));
        var read = new ArrayList<String>();
        String from = "";
        for (int page = 0; page < 20 && from != null; page++) {
            var answer =
                    ada.get("/rooms/" + room + "/messages?dir=b&limit=4" + (from.isEmpty() ? "" : "&from=" + from));
            answer.json()
                    .path("chunk")
                    .forEach(event -> read.add(event.path("event_id").stringValue()));
            from = answer.json().has("end") ? answer.text("end") : null;
        }

        assertThat(read).doesNotHaveDuplicates().hasSize(25 + 6);
        assertThat(ada.get("/rooms/" + room + "/messages?dir=b&limit=31").json().has("end"))
                .isFalse();
    }

    @Test
    void badRequestsGetTheContractsCodes() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        String send = "/rooms/" + room + "/send/m.room.message/";

        assertRefused(ada.put(send + "1", "{"), 400, "M_NOT_JSON");
        assertRefused(ada.put(send + "2", "[]"), 400, "M_BAD_JSON");
        assertRefused(ada.put(send + "3", "{\"a\":1.5}"), 400, "M_BAD_JSON");
        assertRefused(ada.put(send + "4", "{\"a\":9007199254740992}"), 400, "M_BAD_JSON");
        assertRefused(ada.put(send + "5", "{\"a\":\"\\ud800\"}"), 400, "M_BAD_JSON");
        assertRefused(ada.put(send + "6", "{\"a\":\"" + "x".repeat(65_536) + "\"}"), 413, "M_TOO_LARGE");
        assertRefused(ada.put(send + "7", "{\"a\":\"" + "x".repeat(1 << 20) + "\"}"), 413, "M_TOO_LARGE");
        assertRefused(ada.put(send + "8", "[".repeat(200) + "]".repeat(200)), 400, "M_BAD_JSON");
        assertThat(ada.put(send + "9", "{\"a\":\"\\u0000\"}").status()).isEqualTo(200);
        assertRefused(ada.put("/rooms/" + room + "/send/m.room.member/1", "{}"), 400, "M_INVALID_PARAM");
        assertRefused(ada.put("/rooms/" + room + "/state/m.room.create/", "{}"), 403, "M_FORBIDDEN");
        assertRefused(ada.get("/rooms/nonsense/messages"), 400, "M_INVALID_PARAM");
        assertRefused(ada.get("/rooms/" + room + "/messages?limit=0"), 400, "M_INVALID_PARAM");
        assertRefused(ada.get("/rooms/" + room + "/messages?limit=x"), 400, "M_INVALID_PARAM");
        assertRefused(ada.get("/rooms/" + room + "/messages?dir=x"), 400, "M_INVALID_PARAM");
        assertRefused(ada.get("/rooms/" + room + "/messages?from=tAAAA"), 400, "M_INVALID_PARAM");
        assertRefused(ada.get("/rooms/" + room + "/messages?filter=%7B"), 400, "M_NOT_JSON");
        assertRefused(ada.get("/nonsense"), 404, "M_UNRECOGNIZED");
        assertRefused(ada.post("/joined_rooms", "{}"), 405, "M_UNRECOGNIZED");
        assertRefused(ada.get("/rooms/" + room + "/event/$nothing"), 404, "M_NOT_FOUND");
        assertRefused(ada.put("/rooms/" + room + "/state/m.room.power_levels/", "{\"ban\":\"50\"}"), 400, "M_BAD_JSON");
        assertRefused(ada.post("/createRoom", "{\"room_version\":\"1\"}"), 400, "M_UNSUPPORTED_ROOM_VERSION");
        String state = "{\"type\":\"org.example.x\",\"state_key\":\"%d\",\"content\":{}}";
        String many = IntStream.rangeClosed(0, 100).mapToObj(state::formatted).collect(Collectors.joining(","));
        assertRefused(ada.post("/createRoom", "{\"initial_state\":[" + many + "]}"), 400, "M_INVALID_PARAM");
        assertRefused(
                ada.post("/createRoom", "{\"power_level_content_override\":{\"users\":{\"@ada:example.org\":1}}}"),
                400,
                "M_INVALID_ROOM_STATE");
    }

    @Test
    void sameStateAgainIsNoNewEvent() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        String path = "/rooms/" + room + "/state/m.room.topic/";

        String first = ada.put(path, "{\"topic\":\"a\"}").text("event_id");

        assertThat(ada.put(path, "{\"topic\":\"a\"}").text("event_id")).isEqualTo(first);
        assertThat(ada.put(path, "{\"topic\":\"b\"}").text("event_id")).isNotEqualTo(first);
    }

    @Test
    void anAliasNamesOneRoom() {
        var ada = server.as("ada");
        String room = ada.createRoom("{\"room_alias_name\":\"hall\",\"preset\":\"public_chat\"}");

        assertRefused(ada.post("/createRoom", "{\"room_alias_name\":\"hall\"}"), 400, "M_ROOM_IN_USE");
        assertThat(server.as("bob").post("/join/#hall:example.org", "{}").text("room_id"))
                .isEqualTo(room);
        assertRefused(server.as("bob").post("/join/#other:example.org", "{}"), 404, "M_NOT_FOUND");
        assertRefused(
                ada.put("/rooms/" + room + "/state/m.room.canonical_alias", "{\"alias\":\"#other:example.org\"}"),
                400,
                "M_BAD_ALIAS");
    }

    private static List<String> bodies(RoomServer.Client client, String room) {
        var bodies = new ArrayList<String>();
        for (var event : client.get("/rooms/" + room + "/messages?dir=b").json().path("chunk")) {
            if (event.path("type").stringValue().equals("m.room.message")) {
                bodies.add(event.path("content").path("body").stringValue());
            }
        }
        return bodies;
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.errcode() + " " + answer.status()).isEqualTo(errcode + " " + status);
    }
}
