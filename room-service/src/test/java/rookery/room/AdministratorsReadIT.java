// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;
import tools.jackson.databind.JsonNode;

/** Administrators read the rooms that every user in their place could read (contract.md 9.8, 11.1). */
class AdministratorsReadIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private final Talk talk = new Talk(server);

    @Test
    void memberReadsThePagesOfTheClientApi() {
        String room = talk.room("aroot");
        for (int i = 0; i < 5; i++) {
            Talk.say(server.as("ada"), room, "message " + i);
        }
        var whole = server.as("aroot").get("/rooms/" + room + "/messages?dir=b&limit=100");
        var chunk = new ArrayList<String>();
        String from = "";
        while (!from.isEmpty() || chunk.isEmpty()) {
            var page = read("aroot", room, from.isEmpty() ? "" : ",\"from\":\"" + from + "\"");
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.json().path("chunk").size()).isLessThanOrEqualTo(2);
            chunk.addAll(ids(page.json().path("chunk")));
            from = page.text("end");
        }
        assertThat(chunk).isEqualTo(ids(whole.json().path("chunk")));
        assertThat(read("aroot", room, "").text("start")).isNotEmpty();
    }

    @Test
    void onlyRoomsThatEveryoneReadsAreReadWithoutMembership() {
        String room = talk.room();
        Talk.say(server.as("ada"), room, "hello");
        assertThat(read("aroot", room, "").errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(read("aroot", "!nowhere:example.org", "").errcode()).isEqualTo("M_FORBIDDEN");

        server.as("ada")
                .put(
                        "/rooms/" + room + "/state/m.room.history_visibility",
                        "{\"history_visibility\":\"world_readable\"}");
        Talk.say(server.as("ada"), room, "hello world");
        var page = read("aroot", room, "");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.json().at("/chunk/0/content/body").asString()).isEqualTo("hello world");
    }

    @Test
    void historyEndsWhereTheAdministratorLeft() {
        String room = talk.room("aleft");
        Talk.say(server.as("ada"), room, "before");
        server.as("aleft").post("/rooms/" + room + "/leave", "{}");
        Talk.say(server.as("ada"), room, "after");
        var chunk = read("aleft", room, "").json().path("chunk");
        assertThat(chunk.get(0).at("/content/membership").asString()).isEqualTo("leave");
        assertThat(chunk.get(1).at("/content/body").asString()).isEqualTo("before");
    }

    @Test
    void malformedPlacesAndLimitsAreRefused() {
        String room = talk.room("aroot");
        assertThat(read("aroot", room, ",\"from\":\"x\"").errcode()).isEqualTo("M_INVALID_PARAM");
        assertThat(server.internal(
                                "POST",
                                "/internal/admin/rooms/messages",
                                "{\"tenant\":1,\"room\":\"" + room + "\",\"by\":\"@aroot:example.org\",\"limit\":0}")
                        .errcode())
                .isEqualTo("M_INVALID_PARAM");
    }

    private static Answer read(String administrator, String room, String more) {
        return server.internal(
                "POST",
                "/internal/admin/rooms/messages",
                "{\"tenant\":1,\"room\":\"%s\",\"by\":\"@%s:example.org\",\"limit\":2%s}"
                        .formatted(room, administrator, more));
    }

    private static List<String> ids(JsonNode chunk) {
        return chunk.valueStream()
                .map(event -> event.path("event_id").asString())
                .toList();
    }
}
