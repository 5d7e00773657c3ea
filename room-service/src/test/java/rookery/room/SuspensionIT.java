// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Talk.assertRefused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;

/** What is judged here of a suspended user's requests (contract.md 5.5); the gateway has judged their paths. */
class SuspensionIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private final Talk talk = new Talk(server);
    private final Client ada = server.as("ada");

    @Test
    void suspendedUserRedactsWhatTheySentAndNothingElse() {
        String room = talk.room("bob");
        String own = Talk.say(ada, room, "own");
        String others = Talk.say(server.as("bob"), room, "other");
        var suspended = ada.asSuspended();

        assertRefused(redact(suspended, room, others, "s1"), 403, "M_USER_SUSPENDED");
        assertRefused(
                suspended.put("/rooms/" + room + "/send/m.room.redaction/s2", "{\"redacts\":\"" + others + "\"}"),
                403,
                "M_USER_SUSPENDED");
        assertRefused(redact(suspended, room, "$" + "A".repeat(43), "s3"), 403, "M_USER_SUSPENDED");
        var done = redact(suspended, room, own, "s4");

        assertThat(done.status()).isEqualTo(200);
        assertThat(redact(suspended, room, own, "s4")).as("a repeated request").isEqualTo(done);
        assertThat(body(room, own).isMissingNode()).isTrue();
        assertThat(body(room, others).isMissingNode()).isFalse();
    }

    private static Answer redact(Client client, String room, String event, String txn) {
        return client.put("/rooms/" + room + "/redact/" + event + "/" + txn, "{}");
    }

    private JsonNode body(String room, String event) {
        return ada.get("/rooms/" + room + "/event/" + event)
                .json()
                .path("content")
                .path("body");
    }
}
