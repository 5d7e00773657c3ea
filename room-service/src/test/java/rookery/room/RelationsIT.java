// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Talk.assertRefused;
import static rookery.room.Talk.bundle;
import static rookery.room.Talk.content;
import static rookery.room.Talk.edit;
import static rookery.room.Talk.redact;
import static rookery.room.Talk.relate;
import static rookery.room.Talk.relatedIds;
import static rookery.room.Talk.relations;
import static rookery.room.Talk.replacement;
import static rookery.room.Talk.reply;
import static rookery.room.Talk.say;
import static rookery.room.Talk.send;
import static rookery.room.Talk.sent;
import static rookery.room.Talk.threadIds;
import static rookery.room.Talk.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;

/** Relations between events, row by row of contract.md 9.7. */
class RelationsIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static final Talk talk = new Talk(server);

    @Test
    void nobodyAnnotatesTwiceWithTheSameKey() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = talk.room("bob");
        String parent = say(ada, room, "nice");
        String other = say(ada, room, "other");
        String thumb = ",\"key\":\"👍\"";
        String first = sent(relate(bob, room, "m.annotation", parent, thumb));

        assertRefused(relate(bob, room, "m.annotation", parent, thumb), 400, "M_DUPLICATE_ANNOTATION");
        sent(relate(bob, room, "m.annotation", parent, ",\"key\":\"👎\""));
        sent(relate(bob, room, "m.annotation", other, thumb));
        sent(relate(ada, room, "m.annotation", parent, thumb));
        sent(send(bob, room, "org.example.reaction", content("m.annotation", parent, thumb)));
        String large = ",\"key\":\"\\u0000\\\\" + "x".repeat(20_000) + "\"";
        sent(relate(bob, room, "m.annotation", parent, large));
        assertRefused(relate(bob, room, "m.annotation", parent, large), 400, "M_DUPLICATE_ANNOTATION");
        redact(bob, room, first);
        sent(relate(bob, room, "m.annotation", parent, thumb));
        assertThat(bundle(ada, room, parent).isMissingNode()).isTrue();
    }

    @Test
    void ofManyWhoRaceOneAnnotates() throws Exception {
        String room = talk.room("bob");
        String parent = say(server.as("ada"), room, "race");
        try (var beside = server.another();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var bobs = List.of(server.as("bob"), beside.as("bob"));
            var answers = threads.invokeAll(IntStream.range(0, 12)
                    .mapToObj(i -> (Callable<Answer>)
                            () -> relate(bobs.get(i % 2), room, "m.annotation", parent, ",\"key\":\"1\""))
                    .toList());
            var codes = new ArrayList<String>();
            for (var answer : answers) {
                codes.add(answer.get().errcode());
            }
            assertThat(codes).containsOnlyOnce("").hasSize(12);
            assertThat(codes.stream().filter("M_DUPLICATE_ANNOTATION"::equals)).hasSize(11);
        }
    }

    @Test
    void noThreadBeginsAtWhatRelatesToSomething() {
        var ada = server.as("ada");
        String room = talk.room();
        String root = say(ada, room, "root");
        String reply = reply(ada, room, root, "reply");
        String reaction = sent(relate(ada, room, "m.annotation", root, ",\"key\":\"x\""));

        assertRefused(relate(ada, room, "m.thread", reply, ""), 400, "M_UNKNOWN");
        assertRefused(relate(ada, room, "m.thread", reaction, ""), 400, "M_UNKNOWN");
        assertThat(bundle(ada, room, root).path("m.thread").path("count").intValue())
                .isEqualTo(1);
    }

    @Test
    void whatRelatesToNothingInTheRoomIsAcceptedAndIgnored() {
        var ada = server.as("ada");
        String room = talk.room();
        String elsewhere = say(ada, talk.room(), "elsewhere");

        sent(relate(ada, room, "m.thread", elsewhere, ""));
        sent(relate(ada, room, "m.reference", "$" + "x".repeat(43), ""));
        sent(send(ada, room, "m.room.message", "{\"m.relates_to\":7}"));
        sent(send(ada, room, "m.room.message", "{\"m.relates_to\":{\"rel_type\":1,\"event_id\":{}}}"));
        sent(send(ada, room, "m.room.message", "{\"m.relates_to\":{\"rel_type\":\"m.thread\",\"event_id\":\"x\"}}"));
        sent(relate(ada, room, "x".repeat(3_000), say(ada, room, "parent"), ""));
        sent(relate(ada, room, "\\u0000", say(ada, room, "parent"), ""));

        assertThat(threads(ada, room, "").json().path("chunk").isEmpty()).isTrue();
        assertThat(relations(ada, room, elsewhere).status()).isEqualTo(404);
    }

    @Test
    void theNewestEditByTheSenderIsBundled() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = talk.room("bob");
        String message = say(ada, room, "original");
        edit(ada, room, message, "one");
        String second = edit(ada, room, message, "two");
        edit(bob, room, message, "forged");
        sent(send(ada, room, "org.example", replacement(message, "{}")));
        ada.put("/rooms/" + room + "/state/m.room.message/", replacement(message, "{}"));

        var bundle = bundle(bob, room, message);
        assertThat(bundle.propertyNames()).containsExactly("m.replace");
        assertThat(bundle.path("m.replace").path("event_id").stringValue()).isEqualTo(second);
        assertThat(bundle.path("m.replace").path("room_id").stringValue()).isEqualTo(room);
        assertThat(bundle.path("m.replace")
                        .path("content")
                        .path("m.new_content")
                        .path("body")
                        .stringValue())
                .isEqualTo("two");
        assertThat(bob.get("/rooms/" + room + "/event/" + message)
                        .json()
                        .path("content")
                        .path("body")
                        .stringValue())
                .isEqualTo("original");

        redact(ada, room, second);
        assertThat(bundle(bob, room, message).path("m.replace").toString()).contains("one");
        redact(ada, room, message);
        assertThat(bundle(bob, room, message).isMissingNode()).isTrue();
    }

    @Test
    void aThreadIsBundledWithItsNewestReplyAndItsCount() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        var cleo = server.as("cleo");
        String room = talk.room("bob", "cleo");
        String root = say(ada, room, "root");
        reply(bob, room, root, "first");
        String second = reply(bob, room, root, "second");
        edit(bob, room, second, "edited");
        sent(relate(cleo, room, "m.annotation", second, ",\"key\":\"x\""));

        var thread = bundle(cleo, room, root).path("m.thread");
        assertThat(thread.path("count").intValue()).isEqualTo(2);
        assertThat(thread.path("current_user_participated").booleanValue()).isFalse();
        assertThat(thread.path("latest_event").path("event_id").stringValue()).isEqualTo(second);
        assertThat(thread.path("latest_event")
                        .path("unsigned")
                        .path("m.relations")
                        .path("m.replace")
                        .toString())
                .contains("edited");
        for (var member : List.of(ada, bob)) {
            assertThat(bundle(member, room, root)
                            .path("m.thread")
                            .path("current_user_participated")
                            .booleanValue())
                    .isTrue();
        }
    }

    @Test
    void redactedRepliesCountNoMore() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = talk.room("bob");
        String root = say(ada, room, "root");
        String first = reply(bob, room, root, "first");
        String second = reply(ada, room, root, "second");
        String third = reply(bob, room, root, "third");

        redact(bob, room, third);
        var thread = bundle(ada, room, root).path("m.thread");
        assertThat(thread.path("count").intValue()).isEqualTo(2);
        assertThat(thread.path("latest_event").path("event_id").stringValue()).isEqualTo(second);
        redact(bob, room, third); // a second redaction does not count twice
        assertThat(bundle(ada, room, root).path("m.thread").path("count").intValue())
                .isEqualTo(2);
        redact(ada, room, root); // a thread stays when its root is redacted
        assertThat(bundle(ada, room, root).path("m.thread").path("count").intValue())
                .isEqualTo(2);
        redact(bob, room, first);
        assertThat(bundle(bob, room, root)
                        .path("m.thread")
                        .path("current_user_participated")
                        .booleanValue())
                .isFalse();
        redact(ada, room, second);
        assertThat(bundle(ada, room, root).isMissingNode()).isTrue();
        assertThat(threads(ada, room, "").json().path("chunk").isEmpty()).isTrue();
        assertThat(relatedIds(ada, room, root)).isEmpty();
    }

    @Test
    void referencesAreBundledByTheirIds() {
        var ada = server.as("ada");
        String room = talk.room();
        String poll = say(ada, room, "poll");
        String one = sent(relate(ada, room, "m.reference", poll, ""));
        String two = sent(relate(ada, room, "m.reference", poll, ""));

        assertThat(bundle(ada, room, poll).toString())
                .isEqualTo("{\"m.reference\":{\"chunk\":[{\"event_id\":\"%s\"},{\"event_id\":\"%s\"}]}}"
                        .formatted(one, two));
    }

    @Test
    void stateHasNothingBundled() {
        var ada = server.as("ada");
        String room = talk.room();
        String topic = ada.put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"x\"}")
                .text("event_id");
        sent(relate(ada, room, "m.reference", topic, ""));

        assertThat(bundle(ada, room, topic).isMissingNode()).isTrue();
        assertThat(relations(ada, room, topic).json().path("chunk").size()).isEqualTo(1);
    }

    @Test
    void whatIgnoredUsersSaidIsNotToldOf() {
        var ada = server.as("ada");
        var troll = server.as("troll");
        var calm = server.as("calm");
        String room = talk.room("troll", "calm");
        String root = say(ada, room, "root");
        String mine = reply(ada, room, root, "mine");
        reply(troll, room, root, "trolling");
        sent(relate(troll, room, "m.reference", root, ""));
        String quiet = say(ada, room, "quiet");
        reply(troll, room, quiet, "trolling");
        String trolls = say(troll, room, "trolls");
        reply(ada, room, trolls, "feeding");
        server.users.ignore("@calm:example.org", "@troll:example.org");

        var thread = bundle(calm, room, root).path("m.thread");
        assertThat(thread.path("count").intValue()).isEqualTo(1);
        assertThat(thread.path("latest_event").path("event_id").stringValue()).isEqualTo(mine);
        assertThat(bundle(calm, room, root).has("m.reference")).isFalse();
        assertThat(bundle(calm, room, quiet).isMissingNode()).isTrue();
        assertThat(relatedIds(calm, room, root)).containsExactly(mine);
        assertThat(threadIds(calm, room, "")).containsExactly(root);
        assertThat(threadIds(ada, room, "")).containsExactly(trolls, quiet, root);
    }

    @Test
    void whoeverHasLeftIsToldOfWhatWasThereByThen() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = talk.room("bob");
        String root = say(ada, room, "root");
        String seen = reply(ada, room, root, "seen");
        bob.post("/rooms/" + room + "/leave", "{}");
        reply(ada, room, root, "unseen");
        edit(ada, room, root, "unseen");
        String later = say(ada, room, "later");
        reply(ada, room, later, "unseen");

        var bundle = bundle(bob, room, root);
        assertThat(bundle.has("m.replace")).isFalse();
        assertThat(bundle.path("m.thread").path("count").intValue()).isEqualTo(1);
        assertThat(bundle.path("m.thread").path("latest_event").path("event_id").stringValue())
                .isEqualTo(seen);
        assertThat(relatedIds(bob, room, root)).containsExactly(seen);
        assertThat(threadIds(bob, room, "")).containsExactly(root);
        assertRefused(relations(bob, room, later), 404, "M_NOT_FOUND");
    }

    @Test
    void whatWasSaidInAnAbsenceIsHiddenWhereOnlyMembersSee() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = ada.createRoom("{\"preset\":\"public_chat\",\"initial_state\":[{\"type\":"
                + "\"m.room.history_visibility\",\"content\":{\"history_visibility\":\"joined\"}}]}");
        bob.post("/rooms/" + room + "/join", "{}");
        String root = say(ada, room, "root");
        String seen = reply(ada, room, root, "seen");
        String edit = edit(ada, room, root, "seen");
        sent(relate(ada, room, "m.reference", root, ""));
        bob.post("/rooms/" + room + "/leave", "{}");
        reply(ada, room, root, "unseen");
        edit(ada, room, root, "unseen");
        sent(relate(ada, room, "m.reference", root, ""));
        bob.post("/rooms/" + room + "/join", "{}");

        var bundle = bundle(bob, room, root);
        assertThat(bundle.toString()).doesNotContain("unseen");
        assertThat(bundle.path("m.replace").path("event_id").stringValue()).isEqualTo(edit);
        assertThat(bundle.path("m.thread").path("latest_event").path("event_id").stringValue())
                .isEqualTo(seen);
        assertThat(bundle.path("m.reference").path("chunk").size()).isEqualTo(1);
        assertThat(relations(bob, room, root).json().path("chunk").size()).isEqualTo(3);
        assertThat(relations(ada, room, root).json().path("chunk").size()).isEqualTo(6);
    }

    @Test
    void keptCountsAreWhatARecountGives() throws Exception {
        var ada = server.as("ada");
        String room = talk.room("bob", "cleo");
        String root = say(ada, room, "root");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var talks = List.of("ada", "bob", "cleo").stream()
                    .map(name -> threads.submit(() -> chatter(server.as(name), room, root)))
                    .toList();
            for (var talk : talks) {
                talk.get();
            }
        }
        var recount = server.bean(DatabaseClient.class)
                .sql("SELECT count(*) || ' ' || max(pos) FROM room.event WHERE parent = :root AND redacted IS NULL")
                .bind("root", root)
                .mapValue(String.class)
                .one()
                .block();
        var kept = server.bean(DatabaseClient.class)
                .sql("""
                        SELECT sum(replies) || ' ' || max(latest)
                          FROM room.thread_sender JOIN room.thread USING (tenant, room_id, root) WHERE root = :root
                        """)
                .bind("root", root)
                .mapValue(String.class)
                .one()
                .block();
        assertThat(kept).isEqualTo(recount).startsWith("39 ");
    }

    /** Sends twenty replies, and redacts seven. */
    private static void chatter(Client client, String room, String root) {
        for (int i = 0; i < 20; i++) {
            String reply = reply(client, room, root, "r" + i);
            if (i % 3 == 0) {
                redact(client, room, reply);
            }
        }
    }
}
