// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Gap;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Receipts and read markers through the gateway, with two sync nodes (contract.md 11.3). */
@OnCluster
class ReceiptsE2E extends TwoInARoom {
    ReceiptsE2E(Rookery rookery) {
        super(rookery);
    }

    private Answer read(Session reader, String type, String event, Map<String, ?> body) throws IOException {
        return reader.call("POST", Paths.room(room, "/receipt/" + type + "/" + Paths.encoded(event)), body);
    }

    private static String token(JsonNode answer) {
        return answer.path("next_batch").asString();
    }

    private JsonNode joined(JsonNode answer) {
        return answer.path("rooms").path("join").path(room);
    }

    /** One user's receipts in a sync response, each as type, event and thread. */
    private List<String> receipts(JsonNode answer, Session of) {
        var receipts = new ArrayList<String>();
        for (var event : joined(answer).path("ephemeral").path("events")) {
            if (event.path("type").asString().equals("m.receipt")) {
                event.path("content")
                        .forEachEntry((id, types) -> types.forEachEntry((type, users) -> {
                            var receipt = users.path(of.userId());
                            if (!receipt.isMissingNode()) {
                                assertThat(receipt.path("ts").isIntegralNumber())
                                        .isTrue();
                                receipts.add(type + " " + id + " "
                                        + receipt.path("thread_id").asString("-"));
                            }
                        }));
            }
        }
        return receipts;
    }

    @Test
    void aReceiptReachesTheOthersThroughEveryNode() throws Exception {
        var event = ada.say(room, "hello");
        var since = token(ada.sync(SyncQuery.initial()));
        try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = thread.submit(
                    () -> ada.syncUntil(since, sync -> joined(sync).has("ephemeral")));
            assertThat(read(grace, "m.read", event, Map.of()).text()).isEqualTo("{}");
            var sync = waiting.get();
            assertThat(receipts(sync, grace)).containsExactly("m.read " + event + " -");
            assertThat(Session.timeline(sync, room)).isEmpty();
            assertThat(joined(sync).path("timeline").path("limited").asBoolean(true))
                    .isFalse();
        }
        var nodes = new Nodes(rookery);
        for (var node : List.of("sync-service-1", "sync-service-2")) {
            var instance = Objects.requireNonNull(rookery.instance(node));
            for (var query : List.of(SyncQuery.since(since), SyncQuery.initial())) {
                assertThat(receipts(nodes.sync(instance, ada, query).ok(), grace))
                        .containsExactly("m.read " + event + " -");
            }
        }
    }

    @Test
    void aPrivateReceiptIsSeenByItsUsersDevicesOnly() throws Exception {
        var event = ada.say(room, "hello");
        var tablet = Session.login(http, grace.userId());
        var graces = token(tablet.sync(SyncQuery.initial()));
        var adas = token(ada.sync(SyncQuery.initial()));
        assertThat(read(grace, "m.read.private", event, Map.of()).status()).isEqualTo(200);
        assertThat(receipts(tablet.sync(SyncQuery.since(graces)), grace))
                .containsExactly("m.read.private " + event + " -");
        for (var query : List.of(SyncQuery.since(adas), SyncQuery.initial())) {
            assertThat(ada.trySync(query).text()).doesNotContain("m.read.private");
        }
    }

    @Test
    void receiptsLeaveNoTraceInTimelinesAndGaps() throws Exception {
        var since = token(grace.sync(SyncQuery.initial()));
        var sent = new ArrayList<String>();
        for (int i = 0; i < 12; i++) {
            sent.add(ada.say(room, "line " + i));
            read(grace, "m.read", sent.getLast(), Map.of());
            read(ada, "m.read.private", sent.getLast(), Map.of());
        }
        var answer = grace.sync(SyncQuery.since(since).timelineLimit(3));
        var gap = Objects.requireNonNull(Gap.in(joined(answer), room, since));
        var all = new ArrayList<String>();
        gap.events(grace, 4).forEach(event -> all.add(event.path("event_id").asString()));
        Session.timeline(answer, room)
                .forEach(event -> all.add(event.path("event_id").asString()));
        assertThat(all).isEqualTo(sent);
        assertThat(receipts(answer, grace)).containsExactly("m.read " + sent.getLast() + " -");
        assertThat(receipts(answer, ada)).isEmpty();
    }

    @Test
    void readMarkersMoveForwardOnEveryDevice() throws Exception {
        var first = ada.say(room, "one");
        var second = ada.say(room, "two");
        var tablet = Session.login(http, grace.userId());
        var since = token(tablet.sync(SyncQuery.initial()));
        var all = Map.of("m.fully_read", second, "m.read", second, "m.read.private", second);
        assertThat(grace.post(Paths.room(room, "/read_markers"), all).toString())
                .isEqualTo("{}");
        var sync = tablet.sync(SyncQuery.since(since));
        assertThat(receipts(sync, grace))
                .containsExactlyInAnyOrder("m.read " + second + " -", "m.read.private " + second + " -");
        assertThat(fullyRead(sync)).containsExactly(second);
        grace.post(Paths.room(room, "/read_markers"), Map.of("m.fully_read", first, "m.read", first));
        read(tablet, "m.fully_read", first, Map.of());
        assertThat(fullyRead(tablet.sync(SyncQuery.initial()))).containsExactly(second);
        assertThat(receipts(tablet.sync(SyncQuery.initial()), grace))
                .containsExactlyInAnyOrder("m.read " + second + " -", "m.read.private " + second + " -");
        assertThat(fullyRead(ada.sync(SyncQuery.initial()))).isEmpty();
    }

    private List<String> fullyRead(JsonNode answer) {
        return joined(answer)
                .path("account_data")
                .path("events")
                .valueStream()
                .filter(event -> event.path("type").asString().equals("m.fully_read"))
                .map(event -> event.path("content").path("event_id").asString())
                .toList();
    }

    @Test
    void threadsAreReadOneByOne() throws Exception {
        var root = ada.say(room, "root");
        var relation = Map.of("rel_type", "m.thread", "event_id", root);
        var reply = ada.send(room, "reply", Map.of("body", "reply", "m.relates_to", relation))
                .ok()
                .path("event_id")
                .asString();
        read(grace, "m.read", root, Map.of("thread_id", "main")).ok();
        read(grace, "m.read", reply, Map.of("thread_id", root)).ok();
        assertThat(receipts(ada.sync(SyncQuery.initial()), grace))
                .containsExactlyInAnyOrder("m.read " + root + " main", "m.read " + reply + " " + root);
        assertThat(read(grace, "m.read", reply, Map.of("thread_id", "main")).errcode())
                .isEqualTo("M_INVALID_PARAM");
    }

    @Test
    void whoIsNotInTheRoomHasReadNothing() throws Exception {
        var event = ada.say(room, "hello");
        var eve = People.newcomer(http, "eve");
        try (var otherHttp = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var stranger = People.newcomer(otherHttp, "stranger");
            for (var outsider : List.of(eve, stranger)) {
                assertThat(read(outsider, "m.read", event, Map.of()).errcode()).isEqualTo("M_FORBIDDEN");
                assertThat(outsider.call("POST", Paths.room(room, "/read_markers"), Map.of("m.fully_read", event))
                                .errcode())
                        .isEqualTo("M_FORBIDDEN");
            }
        }
        assertThat(read(grace, "m.read", "$unknown", Map.of()).errcode()).isEqualTo("M_NOT_FOUND");
        assertThat(read(grace, "m.seen", event, Map.of()).errcode()).isEqualTo("M_INVALID_PARAM");
        assertThat(receipts(ada.sync(SyncQuery.initial()), grace)).isEmpty();
    }
}
