// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Talk.assertRefused;
import static rookery.room.Talk.ids;
import static rookery.room.Talk.relate;
import static rookery.room.Talk.relatedIds;
import static rookery.room.Talk.relations;
import static rookery.room.Talk.reply;
import static rookery.room.Talk.say;
import static rookery.room.Talk.sent;
import static rookery.room.Talk.threadIds;
import static rookery.room.Talk.threads;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The endpoints that list relations and threads (contract.md 11.1), and bundles where events are listed. */
class RelationPagesIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static final Talk talk = new Talk(server);

    @Test
    void pagesOfRelationsNeitherOverlapNorLeaveHoles() {
        var ada = server.as("ada");
        String room = talk.room();
        String root = say(ada, room, "root");
        var all = new ArrayList<String>();
        for (int i = 0; i < 7; i++) {
            all.add(reply(ada, room, root, "r" + i));
        }
        for (String dir : List.of("b", "f")) {
            var read = new ArrayList<String>();
            String from = "";
            do {
                var page = relations(ada, room, root + "?limit=3&dir=" + dir + (from.isEmpty() ? "" : "&from=" + from));
                read.addAll(ids(page.json().path("chunk")));
                assertThat(page.text("prev_batch")).isEqualTo(from);
                from = page.text("next_batch");
            } while (!from.isEmpty());
            assertThat(read).isEqualTo(dir.equals("f") ? all : all.reversed());
        }
        var middle = relations(ada, room, root + "?limit=3").text("next_batch");
        assertThat(relatedIds(ada, room, root + "?to=" + middle))
                .isEqualTo(all.subList(4, 7).reversed());
    }

    @Test
    void relationsAreFilteredAndFollowed() {
        var ada = server.as("ada");
        String room = talk.room();
        String root = say(ada, room, "root");
        String reply = reply(ada, room, root, "reply");
        String reaction = sent(relate(ada, room, "m.annotation", root, ",\"key\":\"x\""));
        String second = sent(relate(ada, room, "m.annotation", reply, ",\"key\":\"x\""));
        String third = sent(relate(ada, room, "m.reference", second, ""));
        String fourth = sent(relate(ada, room, "m.reference", third, ""));

        assertThat(relatedIds(ada, room, root)).containsExactly(reaction, reply);
        assertThat(relatedIds(ada, room, root + "/m.thread")).containsExactly(reply);
        assertThat(relatedIds(ada, room, root + "/m.annotation/m.reaction")).containsExactly(reaction);
        assertThat(relatedIds(ada, room, root + "/m.annotation/m.sticker")).isEmpty();
        var deep = relations(ada, room, root + "?recurse=true");
        assertThat(ids(deep.json().path("chunk")))
                .containsExactly(third, second, reaction, reply)
                .doesNotContain(fourth);
        assertThat(deep.json().path("recursion_depth").intValue()).isEqualTo(3);
        assertThat(relations(ada, room, root).json().has("recursion_depth")).isFalse();
        assertThat(relatedIds(ada, room, root + "/m.annotation?recurse=true&dir=f"))
                .containsExactly(reaction, second);
    }

    @Test
    void threadsAreListedByTheirNewestReply() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = talk.room("bob");
        var roots = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            roots.add(say(ada, room, "root " + i));
        }
        roots.forEach(root -> reply(ada, room, root, "reply"));
        reply(bob, room, roots.get(1), "again");

        var order = List.of(roots.get(1), roots.get(4), roots.get(3), roots.get(2), roots.get(0));
        var listed = threads(bob, room, "");
        assertThat(ids(listed.json().path("chunk"))).isEqualTo(order);
        assertThat(listed.json().has("next_batch")).isFalse();
        assertThat(listed.json()
                        .path("chunk")
                        .get(0)
                        .path("unsigned")
                        .path("m.relations")
                        .path("m.thread")
                        .path("count")
                        .intValue())
                .isEqualTo(2);
        assertThat(threadIds(bob, room, "?include=participated")).containsExactly(roots.get(1));
        assertThat(threadIds(ada, room, "?include=participated")).isEqualTo(order);
        var read = new ArrayList<String>();
        String from = "";
        do {
            var page = threads(bob, room, "?limit=2" + (from.isEmpty() ? "" : "&from=" + from));
            read.addAll(ids(page.json().path("chunk")));
            from = page.text("next_batch");
        } while (!from.isEmpty());
        assertThat(read).isEqualTo(order);
    }

    @Test
    void badRequestsAndStrangersGetTheContractsCodes() {
        var ada = server.as("ada");
        String room = talk.room();
        String root = say(ada, room, "root");
        String other = talk.room();
        String unknown = "$" + "x".repeat(43);

        for (String query :
                List.of("?limit=0", "?limit=-3000000000", "?limit=x", "?dir=x", "?from=x", "?to=x", "?recurse=x")) {
            assertRefused(relations(ada, room, root + query), 400, "M_INVALID_PARAM");
        }
        for (String query : List.of("?limit=0", "?limit=-1", "?limit=x", "?include=x", "?from=x")) {
            assertRefused(threads(ada, room, query), 400, "M_INVALID_PARAM");
        }
        assertRefused(relations(ada, room, root + "/%00"), 400, "M_INVALID_PARAM");
        assertRefused(relations(ada, room, "nonsense"), 400, "M_INVALID_PARAM");
        assertRefused(relations(ada, room, unknown), 404, "M_NOT_FOUND");
        assertRefused(relations(ada, other, root), 404, "M_NOT_FOUND");
        for (String limit : List.of("100000", "3000000000", "99999999999999999999999")) {
            assertThat(relations(ada, room, root + "?limit=" + limit).status()).isEqualTo(200);
            assertThat(threads(ada, room, "?limit=" + limit).status()).isEqualTo(200);
        }
        for (var stranger : List.of(server.as("eve"), server.as("@ada:example.net"))) {
            assertRefused(relations(stranger, room, root), 403, "M_FORBIDDEN");
            assertRefused(threads(stranger, room, ""), 403, "M_FORBIDDEN");
        }
        String later = server.as("@ada:example.net").createRoom("{}");
        String foreign =
                relations(server.as("@ada:example.net"), later, unknown).errcode();
        assertThat(foreign).isEqualTo("M_NOT_FOUND");
    }

    @Test
    void pagesOfHistoryCarryBundles() {
        var ada = server.as("ada");
        String room = talk.room();
        String root = say(ada, room, "root");
        reply(ada, room, root, "reply");

        var page = ada.get("/rooms/" + room + "/messages?dir=b&limit=2").json().path("chunk");

        assertThat(page.get(1).path("event_id").stringValue()).isEqualTo(root);
        assertThat(page.get(1)
                        .path("unsigned")
                        .path("m.relations")
                        .path("m.thread")
                        .path("count")
                        .intValue())
                .isEqualTo(1);
        assertThat(page.get(0).path("unsigned").has("m.relations")).isFalse();
    }

    @Test
    void freshSyncsCarryBundles() {
        var ada = server.as("ada");
        String room = talk.room();
        String root = say(ada, room, "root");
        reply(ada, room, root, "reply");

        var timeline = talk.freshSync("ada", room)
                .path("timeline")
                .valueStream()
                .filter(event -> event.has("relations"))
                .toList();
        assertThat(timeline).hasSize(1);
        assertThat(timeline.getFirst().path("body").stringValue()).contains(root);
        assertThat(timeline.getFirst().path("relations").stringValue())
                .contains("\"count\":1")
                .doesNotContain("room_id");
    }
}
