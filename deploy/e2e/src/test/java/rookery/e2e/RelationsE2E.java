// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Threads, edits and reactions as clients meet them, through the gateway (contract.md 9.7, 11.1). */
@OnOneJvm
class RelationsE2E extends TwoPeople {
    RelationsE2E(Rookery rookery) {
        super(rookery);
    }

    private static String relate(Session session, String room, String relType, String parent, String text)
            throws IOException {
        var relation = Map.of("rel_type", relType, "event_id", parent);
        return session.send(room, text, Map.of("msgtype", "m.text", "body", text, "m.relates_to", relation))
                .ok()
                .path("event_id")
                .asString();
    }

    private static String v1(String room, String rest) {
        return Paths.room(room, rest).replace("/v3/", "/v1/");
    }

    private static List<String> ids(JsonNode answer) {
        return answer.path("chunk")
                .valueStream()
                .map(event -> event.path("event_id").asString())
                .toList();
    }

    private static JsonNode bundle(Session session, String room, String event) throws IOException {
        return session.get(Paths.room(room, "/event/" + Paths.encoded(event)))
                .path("unsigned")
                .path("m.relations");
    }

    @Test
    void aThreadIsFollowedFromItsRootToItsReplies() throws Exception {
        var room = People.roomOf(ada, grace);
        var root = ada.say(room, "root");
        var other = ada.say(room, "other root");
        var first = relate(ada, room, "m.thread", root, "first");
        relate(ada, room, "m.thread", other, "elsewhere");
        var second = relate(grace, room, "m.thread", root, "second");

        assertThat(ids(grace.get(v1(room, "/threads")))).containsExactly(root, other);
        assertThat(ids(grace.get(v1(room, "/threads?include=participated")))).containsExactly(root);
        var relations = v1(room, "/relations/" + Paths.encoded(root));
        assertThat(ids(ada.get(relations + "/m.thread"))).containsExactly(second, first);
        assertThat(ids(ada.get(relations + "/m.thread/m.room.message?dir=f"))).containsExactly(first, second);
        var thread = bundle(ada, room, root).path("m.thread");
        assertThat(thread.path("count").intValue()).isEqualTo(2);
        assertThat(thread.path("latest_event").path("event_id").asString()).isEqualTo(second);
    }

    @Test
    void aTokenOfASyncIsAPlaceAmongRelations() throws Exception {
        var room = People.roomOf(ada, grace);
        var root = ada.say(room, "root");
        var before = relate(ada, room, "m.thread", root, "before");
        var token = ada.sync(SyncQuery.initial()).path("next_batch").asString();
        var after = relate(ada, room, "m.thread", root, "after");
        var relations = v1(room, "/relations/" + Paths.encoded(root));

        assertThat(ids(ada.get(relations + "?from=" + token))).containsExactly(before);
        assertThat(ids(ada.get(relations + "?dir=f&from=" + token))).containsExactly(after);
        assertThat(grace.call("GET", relations + "?from=" + token, null).errcode())
                .isEqualTo("M_INVALID_PARAM");
    }

    @Test
    void anEditComesWithTheMessageInAFreshSync() throws Exception {
        var room = People.roomOf(ada, grace);
        var message = ada.say(room, "tpyo");
        var content = Map.of(
                "msgtype",
                "m.text",
                "body",
                "* typo",
                "m.new_content",
                Map.of("msgtype", "m.text", "body", "typo"),
                "m.relates_to",
                Map.of("rel_type", "m.replace", "event_id", message));
        var edit = ada.send(room, "typo", content).ok().path("event_id").asString();

        var edited = Session.timeline(grace.sync(SyncQuery.initial()), room).stream()
                .filter(event -> event.path("event_id").asString().equals(message))
                .findFirst()
                .orElseThrow();

        assertThat(edited.path("content").path("body").asString()).isEqualTo("tpyo");
        assertThat(edited.path("unsigned")
                        .path("m.relations")
                        .path("m.replace")
                        .path("event_id")
                        .asString())
                .isEqualTo(edit);
    }

    @Test
    void whoIsIgnoredIsNotCountedFromTheNextAnswerOn() throws Exception {
        var room = People.roomOf(ada, grace);
        var root = ada.say(room, "root");
        relate(grace, room, "m.thread", root, "hear me");
        assertThat(bundle(ada, room, root).path("m.thread").path("count").intValue())
                .isEqualTo(1);

        ada.put(
                "/v3/user/" + Paths.encoded(ada.userId()) + "/account_data/m.ignored_user_list",
                Map.of("ignored_users", Map.of(grace.userId(), Map.of())));

        assertThat(bundle(ada, room, root).isMissingNode()).isTrue();
        assertThat(ids(ada.get(v1(room, "/threads")))).isEmpty();
        assertThat(ids(ada.get(v1(room, "/relations/" + Paths.encoded(root))))).isEmpty();
    }

    @Test
    void nobodyReactsTwiceAlikeWhereverTheyAsk() throws Exception {
        var room = People.roomOf(ada, grace);
        var message = ada.say(room, "nice");
        var reaction = Map.of("m.relates_to", Map.of("rel_type", "m.annotation", "event_id", message, "key", "+1"));
        var path = Paths.room(room, "/send/m.reaction/");

        grace.put(path + "1", reaction);
        assertThat(grace.call("PUT", path + "2", reaction).errcode()).isEqualTo("M_DUPLICATE_ANNOTATION");
        assertThat(grace.call("PUT", path + "1", reaction).status()).isEqualTo(200);
    }

    @Test
    void anotherTenantReadsNeitherThreadsNorRelations() throws Exception {
        var room = People.roomOf(ada, grace);
        var root = ada.say(room, "root");
        relate(ada, room, "m.thread", root, "reply");
        try (var otherHttp = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var eve = People.newcomer(otherHttp, "eve");
            assertThat(eve.call("GET", v1(room, "/threads"), null).errcode()).isEqualTo("M_FORBIDDEN");
            assertThat(eve.call("GET", v1(room, "/relations/" + Paths.encoded(root)), null)
                            .errcode())
                    .isEqualTo("M_FORBIDDEN");
        }
    }
}
