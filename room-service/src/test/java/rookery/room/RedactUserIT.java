// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** Redactions of all messages of a user by an administrator (contract.md 5.3). */
class RedactUserIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private final Talk talk = new Talk(server);

    @Test
    void messagesOfTheUserAreRedactedInAllRoomsInTheNameOfTheAdministrator() {
        String one = talk.room("spam1");
        String two = talk.room("spam1");
        String other = Talk.say(server.as("ada"), one, "kept");
        var messages = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            messages.add(Talk.say(server.as("spam1"), one, "spam " + i));
        }
        Talk.redact(server.as("spam1"), one, messages.removeLast());
        server.as("spam1").post("/rooms/" + two + "/leave", "{}");

        finished(start("spam1", ",\"reason\":\"spam\""));

        for (String message : messages) {
            var event = event(one, message);
            assertThat(event.path("content").isEmpty()).isTrue();
            var because = event.at("/unsigned/redacted_because");
            assertThat(because.path("sender").asString()).isEqualTo("@root:example.org");
            assertThat(because.at("/content/reason").asString()).isEqualTo("spam");
        }
        assertThat(event(one, other).at("/content/body").asString()).isEqualTo("kept");
        assertThat(redactions(one)).as("redactions in the room").isEqualTo(3);
        assertThat(server.as("ada")
                        .get("/rooms/" + one + "/state/m.room.member/@spam1:example.org")
                        .text("membership"))
                .isEqualTo("join");

        finished(start("spam1", ""));
        assertThat(redactions(one)).as("nothing is redacted twice").isEqualTo(3);
    }

    @Test
    void limitTakesTheNewestAndRoomsAreChosen() {
        String one = talk.room("spam2");
        String two = talk.room("spam2");
        String old = Talk.say(server.as("spam2"), one, "old");
        String recent = Talk.say(server.as("spam2"), one, "new");
        String elsewhere = Talk.say(server.as("spam2"), two, "elsewhere");

        finished(start("spam2", ",\"limit\":1,\"rooms\":[\"" + one + "\"]"));

        assertThat(event(one, recent).path("content").isEmpty()).isTrue();
        assertThat(event(one, old).path("content").isEmpty()).isFalse();
        assertThat(event(two, elsewhere).path("content").isEmpty()).isFalse();
    }

    @Test
    void redactionGoesOnAfterARestartAndWithTwoInstances() {
        String room = talk.room("spam3");
        server.as("spam3").sendMany(room, 450);
        String id = start("spam3", "");
        server.restart();
        try (var _ = server.another()) {
            finished(id);
        }
        assertThat(redactions(room)).isEqualTo(450);
    }

    @Test
    void userWithoutRoomsIsDoneAtOnceAndUnknownJobsAreNotFound() {
        finished(start("nowhere", ""));
        assertThat(server.internal("POST", "/internal/admin/users/redactions", "{\"tenant\":1,\"id\":\"x\"}")
                        .errcode())
                .isEqualTo("M_NOT_FOUND");
        for (String wrong : List.of(",\"limit\":0", ",\"reason\":\"" + "x".repeat(2001) + "\"")) {
            assertThat(server.internal("POST", "/internal/admin/users/redact", request("nowhere", wrong))
                            .errcode())
                    .isEqualTo("M_INVALID_PARAM");
        }
    }

    private static String start(String user, String more) {
        return server.internal("POST", "/internal/admin/users/redact", request(user, more))
                .text("redact_id");
    }

    private static String request(String user, String more) {
        return "{\"tenant\":1,\"user\":\"@%s:example.org\",\"by\":\"@root:example.org\"%s}".formatted(user, more);
    }

    private static void finished(String id) {
        var question = "{\"tenant\":1,\"id\":\"" + id + "\"}";
        assertThat(Deadline.in(PATIENCE).until(() -> {
                    var state = server.internal("POST", "/internal/admin/users/redactions", question);
                    assertThat(state.status()).isEqualTo(200);
                    assertThat(state.json().path("failed_redactions").isEmpty()).isTrue();
                    return state.text("status").equals("complete");
                }))
                .isTrue();
    }

    private static JsonNode event(String room, String event) {
        return server.as("ada").get("/rooms/" + room + "/event/" + event).json();
    }

    private static int redactions(String room) {
        int redactions = 0;
        String from = "";
        do {
            var page = server.as("ada")
                    .get("/rooms/" + room
                            + "/messages?dir=b&limit=100&filter=%7B%22types%22:%5B%22m.room.redaction%22%5D%7D"
                            + (from.isEmpty() ? "" : "&from=" + from));
            redactions += page.json().path("chunk").size();
            from = page.text("end");
        } while (!from.isEmpty());
        return redactions;
    }
}
