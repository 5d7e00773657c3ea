// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Talk.bundle;
import static rookery.room.Talk.content;
import static rookery.room.Talk.edit;
import static rookery.room.Talk.relate;
import static rookery.room.Talk.relatedIds;
import static rookery.room.Talk.replacement;
import static rookery.room.Talk.reply;
import static rookery.room.Talk.say;
import static rookery.room.Talk.send;
import static rookery.room.Talk.sent;
import static rookery.room.Talk.threads;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which edits are bundled: valid edits as the standard defines them (contract.md 9.7). */
class EditsIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static final Talk talk = new Talk(server);

    @Test
    void anEditWithoutNewContentIsNotBundled() {
        var ada = server.as("ada");
        String room = talk.room();
        String message = say(ada, room, "original");
        String valid = edit(ada, room, message, "valid");
        sent(relate(ada, room, "m.replace", message, ""));
        sent(send(ada, room, "m.room.message", replacement(message, "\"text\"")));
        sent(send(ada, room, "m.room.message", replacement(message, "null")));

        assertThat(bundledEdit(ada, room, message)).isEqualTo(valid);
        assertThat(relatedIds(ada, room, message + "/m.replace")).hasSize(4);
        String unedited = say(ada, room, "unedited");
        sent(relate(ada, room, "m.replace", unedited, ""));
        assertThat(bundle(ada, room, unedited).isMissingNode()).isTrue();
    }

    @Test
    void anEncryptedEditIsBundled() {
        var ada = server.as("ada");
        String room = talk.room();
        String message = sent(send(ada, room, "m.room.encrypted", "{\"ciphertext\":\"x\"}"));
        sent(send(ada, room, "m.room.message", replacement(message, "{}")));
        String edit = sent(send(ada, room, "m.room.encrypted", content("m.replace", message, "")));

        assertThat(bundledEdit(ada, room, message)).isEqualTo(edit);
    }

    @Test
    void anEditIsNotEdited() {
        var ada = server.as("ada");
        String room = talk.room();
        String message = say(ada, room, "original");
        String edit = edit(ada, room, message, "edit");
        edit(ada, room, edit, "edit of the edit");
        String editOfNothing = edit(ada, room, "$" + "x".repeat(43), "edit of nothing");
        edit(ada, room, editOfNothing, "edit of the edit of nothing");

        assertThat(bundledEdit(ada, room, message)).isEqualTo(edit);
        assertThat(bundle(ada, room, edit).isMissingNode()).isTrue();
        assertThat(bundle(ada, room, editOfNothing).isMissingNode()).isTrue();
    }

    @Test
    void everyReadingEndpointBundlesTheValidEdit() {
        var ada = server.as("ada");
        String room = talk.room();
        String root = say(ada, room, "uncommonword");
        String valid = edit(ada, room, root, "valid");
        sent(relate(ada, room, "m.replace", root, ""));
        String reply = reply(ada, room, root, "reply");
        String validOfReply = edit(ada, room, reply, "valid");
        sent(relate(ada, room, "m.replace", reply, ""));

        String search = "{\"search_categories\":{\"room_events\":{\"search_term\":\"uncommonword\"}}}";
        for (var answer : List.of(
                ada.get("/rooms/" + room + "/messages?dir=b").json(),
                ada.get("/rooms/" + room + "/context/" + root).json(),
                ada.post("/search", search).json(),
                threads(ada, room, "").json(),
                bundlesOfSync(room))) {
            assertThat(answer.findValues("m.replace").stream()
                            .map(edit -> edit.path("event_id").stringValue())
                            .distinct())
                    .as(answer.toString())
                    .containsExactlyInAnyOrder(valid, validOfReply);
        }
    }

    private static JsonNode bundlesOfSync(String room) {
        var texts = talk.freshSync("ada", room).findValues("relations");
        return JsonMapper.shared()
                .readTree(texts.stream().map(JsonNode::stringValue).collect(Collectors.joining(",", "[", "]")));
    }

    private static String bundledEdit(Client client, String room, String event) {
        return bundle(client, room, event).path("m.replace").path("event_id").stringValue();
    }
}
