// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Deadline;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;

/** Requests about delayed events, and the messages that they made. */
final class Delays {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final String DELAY = "?org.matrix.msc4140.delay=";
    static final String HOUR = DELAY + "3600000";
    static final String EVENTS = "/unstable/org.matrix.msc4140/delayed_events";

    private Delays() {}

    static String room(Client owner) {
        return owner.createRoom("{\"preset\":\"public_chat\"}");
    }

    static Answer later(Client client, String room, String txn, String delay) {
        return client.put("/rooms/" + room + "/send/m.room.message/" + txn + delay, "{\"body\":\"" + txn + "\"}");
    }

    static String delayId(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().propertyNames()).containsExactly("delay_id");
        return answer.text("delay_id");
    }

    /** All at once, as if an hour had passed. */
    static void makeDue(RoomServer server, String... delayIds) {
        server.bean(DatabaseClient.class)
                .sql("UPDATE room.delayed_event SET due_ms = due_ms - 3600000 WHERE delay_id = ANY (:ids)")
                .bind("ids", delayIds)
                .then()
                .block();
    }

    static Answer act(Client client, String delayId, String action) {
        return client.post(EVENTS + "/" + delayId + "/" + action, "{}");
    }

    static List<JsonNode> messages(Client reader, String room) {
        return reader.get("/rooms/" + room + "/messages?dir=f&limit=100")
                .json()
                .path("chunk")
                .valueStream()
                .filter(event -> event.path("type").asString().equals("m.room.message"))
                .toList();
    }

    static List<String> bodies(Client reader, String room) {
        return messages(reader, room).stream()
                .map(event -> event.path("content").path("body").asString())
                .toList();
    }

    static void awaitBodies(Client reader, String room, int number) {
        assertThat(Deadline.in(PATIENCE).until(() -> bodies(reader, room).size() >= number))
                .isTrue();
    }

    static JsonNode event(Client client, String delayId) {
        return client.get(EVENTS + "/" + delayId).json();
    }

    static JsonNode finished(Client client, String delayId) {
        assertThat(Deadline.in(PATIENCE).until(() -> event(client, delayId).has("origin_server_ts")))
                .isTrue();
        return event(client, delayId);
    }
}
