// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import rookery.model.filter.RoomFilter;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Users who answer, react to, edit and redact each other, in the rooms of one service. */
final class Talk {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final AtomicInteger TXN = new AtomicInteger();

    private final RoomServer server;

    Talk(RoomServer server) {
        this.server = server;
    }

    /** A room of ada with these guests. */
    String room(String... guests) {
        String room = server.as("ada").createRoom("{\"preset\":\"public_chat\"}");
        for (String guest : guests) {
            assertThat(server.as(guest).post("/rooms/" + room + "/join", "{}").status())
                    .isEqualTo(200);
        }
        return room;
    }

    static String txn() {
        return "t" + TXN.incrementAndGet();
    }

    static Answer send(Client client, String room, String type, String content) {
        return client.put("/rooms/" + room + "/send/" + type + "/" + txn(), content);
    }

    static String say(Client client, String room, String text) {
        return sent(send(client, room, "m.room.message", "{\"body\":\"" + text + "\"}"));
    }

    static String sent(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.text("event_id");
    }

    static Answer relate(Client client, String room, String relType, String parent, String more) {
        return send(client, room, type(relType), content(relType, parent, more));
    }

    static String type(String relType) {
        return relType.equals("m.annotation") ? "m.reaction" : "m.room.message";
    }

    static String content(String relType, String parent, String more) {
        return "{\"body\":\"child\",\"m.relates_to\":{\"rel_type\":\"%s\",\"event_id\":\"%s\"%s}}"
                .formatted(relType, parent, more);
    }

    static String reply(Client client, String room, String root, String text) {
        return sent(send(
                client,
                room,
                "m.room.message",
                "{\"body\":\"%s\",\"m.relates_to\":{\"rel_type\":\"m.thread\",\"event_id\":\"%s\"}}"
                        .formatted(text, root)));
    }

    static String edit(Client client, String room, String target, String text) {
        return sent(send(
                client,
                room,
                "m.room.message",
                "{\"m.new_content\":{\"body\":\"%s\"},\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":\"%s\"}}"
                        .formatted(text, target)));
    }

    static String replacement(String target, String newContent) {
        return "{\"m.new_content\":%s,\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":\"%s\"}}"
                .formatted(newContent, target);
    }

    static void redact(Client client, String room, String event) {
        sent(client.put("/rooms/" + room + "/redact/" + event + "/" + txn(), "{}"));
    }

    static JsonNode bundle(Client client, String room, String event) {
        var answer = client.get("/rooms/" + room + "/event/" + event);
        assertThat(answer.status()).isEqualTo(200);
        return answer.json().path("unsigned").path("m.relations");
    }

    static Answer relations(Client client, String room, String rest) {
        return client.get("/v1/rooms/" + room + "/relations/" + rest);
    }

    static Answer threads(Client client, String room, String query) {
        return client.get("/v1/rooms/" + room + "/threads" + query);
    }

    static List<String> relatedIds(Client client, String room, String rest) {
        return ids(relations(client, room, rest).json().path("chunk"));
    }

    static List<String> threadIds(Client client, String room, String query) {
        return ids(threads(client, room, query).json().path("chunk"));
    }

    static List<String> ids(JsonNode events) {
        return events.valueStream()
                .map(event -> event.path("event_id").stringValue())
                .toList();
    }

    static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.errcode() + " " + answer.status()).isEqualTo(errcode + " " + status);
    }

    /** The room in an initial sync. */
    JsonNode freshSync(String user, String room) {
        var request = JSON.createObjectNode();
        request.put("tenant", 1).put("user", "@" + user + ":" + RoomServer.ORG);
        request.putNull("since").putNull("upto");
        request.putArray("rooms").add(room);
        request.put("full_state", false).put("state_after", false);
        request.set("filter", JSON.valueToTree(RoomFilter.ALL));
        request.putArray("ignored");
        var answer = server.internal("POST", "/internal/sync", request.toString());
        assertThat(answer.status()).isEqualTo(200);
        return answer.json().path("rooms").path(0);
    }
}
