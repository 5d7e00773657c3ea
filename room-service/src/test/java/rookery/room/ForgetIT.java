// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;

/** Rooms that users want to hear nothing of any more (contract.md 8.3). */
class ForgetIT {
    private static final String BOBS = "{\"user_id\":\"@bob:example.org\"}";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Client ada;
    private static Client bob;

    @BeforeAll
    static void start() {
        ada = server.as("ada");
        bob = server.as("bob");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "world_readable"})
    void whoForgotARoomReadsNothingOfIt(String visibility) {
        String room = left(visibility);
        String event = ada.send(room, "t1", "hello").text("event_id");
        assertThat(bob.get("/rooms/" + room + "/state").status()).isEqualTo(200);

        assertThat(bob.post("/rooms/" + room + "/forget", "{}").json().toString())
                .isEqualTo("{}");
        assertThat(bob.post("/rooms/" + room + "/forget", "{}").status())
                .as("again")
                .isEqualTo(200);

        for (String path :
                List.of("/state", "/messages?dir=b", "/members", "/state/m.room.create", "/joined_members")) {
            assertRefused(bob.get("/rooms/" + room + path), 403, "M_FORBIDDEN");
        }
        assertThat(bob.get("/rooms/" + room + "/event/" + event).status()).isNotEqualTo(200);
        assertThat(ada.get("/rooms/" + room + "/state").status()).isEqualTo(200);
    }

    @Test
    void joiningInvitingAndKnockingBringARoomBack() {
        for (String way : List.of("join", "invite", "knock")) {
            String room = left("world_readable");
            assertThat(bob.post("/rooms/" + room + "/forget", "{}").status()).isEqualTo(200);
            var back = switch (way) {
                case "join" -> bob.post("/rooms/" + room + "/join", "{}");
                case "invite" -> ada.post("/rooms/" + room + "/invite", BOBS);
                default -> {
                    ada.put("/rooms/" + room + "/state/m.room.join_rules", "{\"join_rule\":\"knock\"}");
                    yield bob.post("/knock/" + room, "{}");
                }
            };
            assertThat(back.status()).as(way).isEqualTo(200);
            assertThat(bob.get("/rooms/" + room + "/state").status()).as(way).isEqualTo(200);
        }
    }

    @Test
    void aBanDoesNotBringARoomBack() {
        String room = left("shared");
        assertThat(bob.post("/rooms/" + room + "/forget", "{}").status()).isEqualTo(200);
        assertThat(ada.post("/rooms/" + room + "/ban", BOBS).status()).isEqualTo(200);
        assertRefused(bob.get("/rooms/" + room + "/messages?dir=b"), 403, "M_FORBIDDEN");
    }

    @Test
    void onlyWhoIsOutsideForgets() {
        String room = ada.createRoom("{\"invite\":[\"@bob:example.org\"],"
                + "\"initial_state\":[{\"type\":\"m.room.join_rules\",\"content\":{\"join_rule\":\"knock\"}}]}");
        assertRefused(ada.post("/rooms/" + room + "/forget", "{}"), 400, "M_UNKNOWN");
        assertRefused(bob.post("/rooms/" + room + "/forget", "{}"), 400, "M_UNKNOWN");
        var eve = server.as("eve");
        assertRefused(eve.post("/rooms/" + room + "/forget", "{}"), 403, "M_FORBIDDEN");
        assertThat(eve.post("/knock/" + room, "{}").status()).isEqualTo(200);
        assertRefused(eve.post("/rooms/" + room + "/forget", "{}"), 400, "M_UNKNOWN");
        assertRefused(server.as("@ada:example.net").post("/rooms/" + room + "/forget", "{}"), 403, "M_FORBIDDEN");
        assertRefused(eve.post("/rooms/!AAAAAAAAAAAAAAAAAA:example.org/forget", "{}"), 403, "M_FORBIDDEN");
    }

    @Test
    void aRoomIsAbandonedWhenEverybodyHasLeftAndForgottenIt() {
        String room = left("shared");
        bob.post("/rooms/" + room + "/forget", "{}");
        assertThat(abandoned(1)).as("Ada is in it").doesNotContain(room);
        ada.post("/rooms/" + room + "/leave", "{}");
        assertThat(abandoned(1)).as("Ada remembers it").doesNotContain(room);
        ada.post("/rooms/" + room + "/forget", "{}");
        assertThat(abandoned(1)).contains(room);
        assertThat(abandoned(2)).isEmpty();
        bob.post("/rooms/" + room + "/join", "{}");
        assertThat(abandoned(1)).as("Bob is back").doesNotContain(room);
    }

    @Test
    void aRoomThatSomebodyKnocksAtIsNotAbandoned() {
        String room = ada.createRoom(
                "{\"initial_state\":[{\"type\":\"m.room.join_rules\",\"content\":{\"join_rule\":\"knock\"}}]}");
        bob.post("/knock/" + room, "{}");
        ada.post("/rooms/" + room + "/leave", "{}");
        ada.post("/rooms/" + room + "/forget", "{}");
        assertThat(abandoned(1)).doesNotContain(room);
        bob.post("/rooms/" + room + "/leave", "{}");
        assertThat(abandoned(1)).as("who only knocked has nothing to forget").contains(room);
    }

    private static List<String> abandoned(int tenant) {
        return server.internal("GET", "/internal/rooms/abandoned?tenant=" + tenant, null)
                .json()
                .path("rooms")
                .valueStream()
                .map(room -> room.asString())
                .toList();
    }

    /** A public room of that history visibility that Bob was in. */
    private static String left(String visibility) {
        String room =
                ada.createRoom("{\"preset\":\"public_chat\",\"initial_state\":[{\"type\":\"m.room.history_visibility\","
                        + "\"content\":{\"history_visibility\":\"" + visibility + "\"}}]}");
        assertThat(bob.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
        assertThat(bob.post("/rooms/" + room + "/leave", "{}").status()).isEqualTo(200);
        return room;
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.errcode()).isEqualTo(errcode);
    }
}
