// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Unread counts on two sync nodes, beside those of push-service (contract.md 10.8, 11.4). */
@OnCluster
class UnreadE2E extends TwoInARoom {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final List<String> NODES = List.of("sync-service-1", "sync-service-2");

    UnreadE2E(Rookery rookery) {
        super(rookery);
    }

    private JsonNode sync(String node, SyncQuery query) throws Exception {
        return new Nodes(rookery)
                .sync(Objects.requireNonNull(rookery.instance(node)), ada, query)
                .ok();
    }

    private static SyncQuery after(JsonNode answer) {
        return SyncQuery.since(answer.path("next_batch").asString()).waiting(LONG);
    }

    private String counts(JsonNode answer) {
        var counts = answer.path("rooms").path("join").path(room).path("unread_notifications");
        return counts.path("notification_count").asInt(-1) + "/"
                + counts.path("highlight_count").asInt(-1);
    }

    /** What a new client is told, once push-service has come as far as the log. */
    private void everyNodeComesToSay(String expected) throws Exception {
        for (var node : NODES) {
            var answer = sync(node, SyncQuery.initial());
            while (!counts(answer).equals(expected)) {
                var sync = sync(
                        node,
                        after(answer)); // the corrected count ends the long poll; otherwise the poll would time out
                assertThat(sync.path("rooms").path("join").has(room)).isTrue();
                answer = sync;
            }
        }
    }

    @Test
    void eventsBringTheirCountsAndPushServiceCountsTheSame() throws Exception {
        var answers = new HashMap<String, JsonNode>();
        for (var node : NODES) {
            answers.put(node, sync(node, SyncQuery.initial()));
        }
        for (int i = 1; i <= 4; i++) {
            var content = Map.of("body", "line " + i, "m.mentions", Map.of("user_ids", List.of(ada.userId())));
            var event =
                    grace.send(room, "txn" + i, content).ok().path("event_id").asString();
            for (var node : NODES) {
                var sync = sync(node, after(Objects.requireNonNull(answers.get(node))));
                assertThat(Session.timeline(sync, room))
                        .extracting(each -> each.path("event_id").asString())
                        .containsExactly(event);
                assertThat(counts(sync)).as(node).isEqualTo(i + "/" + i);
                answers.put(node, sync);
            }
        }
        everyNodeComesToSay("4/4");
    }

    @Test
    void whatIsReadOnOneDeviceIsReadOnAllAndInTheWholePicture() throws Exception {
        grace.say(room, "one");
        var second = grace.say(room, "two");
        grace.say(room, "three");
        everyNodeComesToSay("3/0");
        var before = sync(NODES.getFirst(), SyncQuery.initial());
        var path = Paths.room(room, "/receipt/m.read.private/" + Paths.encoded(second));
        ada.call("POST", path, Map.of()).ok();
        var sync = sync(NODES.getFirst(), after(before));
        assertThat(Session.timeline(sync, room)).isEmpty();
        everyNodeComesToSay("1/0");
        ada.say(room, "answer");
        everyNodeComesToSay("0/0");
    }
}
