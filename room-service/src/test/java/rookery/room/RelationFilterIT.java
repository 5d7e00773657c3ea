// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Talk.assertRefused;
import static rookery.room.Talk.edit;
import static rookery.room.Talk.ids;
import static rookery.room.Talk.relate;
import static rookery.room.Talk.reply;
import static rookery.room.Talk.say;
import static rookery.room.Talk.sent;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Answer;

/** Timelines filtered by relation types: contract.md 10.6, MSC3874. */
class RelationFilterIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Answer page(String room, String path, String filter) {
        return server.as("ada")
                .get("/rooms/" + room + path + "dir=f&filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8));
    }

    @Test
    void eventsPassByHowTheyRelateToOthers() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        String root = say(ada, room, "root");
        String reply = reply(ada, room, root, "reply");
        String edit = edit(ada, room, root, "edit");
        String reaction = sent(relate(ada, room, "m.annotation", root, ",\"key\":\"x\""));
        String word = say(ada, room, "rel_type");

        for (String prefix : List.of("", "org.matrix.msc3874.")) {
            assertThat(filtered(room, prefix, "rel_types", "\"m.thread\"")).containsExactly(reply);
            assertThat(filtered(room, prefix, "rel_types", "\"m.thread\",\"m.replace\""))
                    .containsExactly(reply, edit);
            assertThat(filtered(room, prefix, "rel_types", "")).isEmpty();
            assertThat(filtered(room, prefix, "not_rel_types", "\"m.thread\",\"m.replace\""))
                    .contains(root, reaction, word)
                    .doesNotContain(reply, edit);
            assertThat(filtered(room, prefix, "not_rel_types", "")).contains(root, reply, edit, reaction, word);
        }
        assertThat(ids(page(room, "/context/" + root + "?", "{\"rel_types\":[\"m.annotation\"]}")
                        .json()
                        .path("events_after")))
                .containsExactly(reaction);
        assertRefused(page(room, "/messages?", "{\"rel_types\":\"m.thread\"}"), 400, "M_BAD_JSON");
    }

    private static List<String> filtered(String room, String prefix, String name, String types) {
        return ids(page(room, "/messages?", "{\"" + prefix + name + "\":[" + types + "]}")
                .json()
                .path("chunk"));
    }

    @Test
    void relationsAndSummariesAreUnderTheirFormerNames() {
        var ada = server.as("ada");
        String room = ada.createRoom("{\"preset\":\"public_chat\",\"name\":\"Tea\"}");
        String root = say(ada, room, "root");
        String reply = reply(ada, room, root, "reply");
        for (String rest : List.of("", "/m.thread", "/m.thread/m.room.message")) {
            var relations = ada.get("/unstable/rooms/" + room + "/relations/" + root + rest);
            assertThat(ids(relations.json().path("chunk"))).containsExactly(reply);
        }
        for (String path : List.of("/summary/" + room, "/rooms/" + room + "/summary")) {
            var summary =
                    server.as("bob").get("/unstable/im.nheko.summary" + path).json();
            assertThat(summary.path("name").stringValue()).isEqualTo("Tea");
            assertThat(summary.path("room_version").stringValue())
                    .isEqualTo(summary.path("im.nheko.summary.room_version").stringValue());
            assertThat(summary.has("membership")).isFalse();
        }
        assertRefused(
                server.as("bob").get("/unstable/im.nheko.summary/summary/!nowhere:example.org"), 404, "M_NOT_FOUND");
    }
}
