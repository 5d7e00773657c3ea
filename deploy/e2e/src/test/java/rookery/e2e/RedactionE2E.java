// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Poller;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Whatever was redacted is nowhere to be read any more, on no node and with no token (contract.md 9.6). */
@OnCluster
class RedactionE2E extends TwoPeople {
    private static final Duration LONG = Duration.ofSeconds(30);

    RedactionE2E(Rookery rookery) {
        super(rookery);
    }

    private static String redact(Session session, String room, String event, String txnId) throws IOException {
        return session.put(Paths.room(room, "/redact/" + Paths.encoded(event) + "/" + txnId), Map.of("reason", "spam"))
                .path("event_id")
                .asString();
    }

    private List<Instance> nodes() {
        return List.of(
                Objects.requireNonNull(rookery.instance("sync-service-1")),
                Objects.requireNonNull(rookery.instance("sync-service-2")));
    }

    @Test
    void pollsHearOfItOnEveryNodeAndOldTokensShowNothingOld() throws Exception {
        var room = People.roomOf(ada, grace);
        var nodes = new Nodes(rookery);
        var before = grace.sync(SyncQuery.initial()).path("next_batch").asString();
        var secret = ada.say(room, "a secret word");
        ada.put(Paths.room(room, "/state/m.room.topic"), Map.of("topic", "a secret topic"));
        var topic = ada.put(Paths.room(room, "/state/m.room.topic"), Map.of("topic", "a plain topic"));
        assertThat(topic.has("event_id")).isTrue();
        for (var node : nodes()) { // both hold the room from now on
            assertThat(timeline(nodes.sync(node, grace, SyncQuery.since(before)).ok(), room))
                    .contains("a secret word", "a secret topic");
        }
        var since = grace.sync(SyncQuery.since(before)).path("next_batch").asString();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var parked = nodes().stream()
                    .map(node -> threads.submit((Callable<JsonNode>) () -> Poller.until(
                            query -> nodes.sync(node, grace, query).ok(),
                            since,
                            sync -> !Session.timeline(sync, room).isEmpty())))
                    .toList();

            var redaction = redact(ada, room, secret, "r1");

            for (var poll : parked) {
                var events = Session.timeline(poll.get(), room);
                assertThat(events).singleElement().satisfies(event -> {
                    assertThat(event.path("event_id").asString()).isEqualTo(redaction);
                    assertThat(event.path("redacts").asString()).isEqualTo(secret);
                    assertThat(event.path("content").path("redacts").asString()).isEqualTo(secret);
                });
            }
        }
        var oldTopic = ada.messages(room, "b", null, null, 100)
                .path("chunk")
                .valueStream()
                .filter(event ->
                        event.path("content").path("topic").asString("").equals("a secret topic"))
                .findFirst()
                .orElseThrow();
        var last = redact(ada, room, oldTopic.path("event_id").asString(), "r2");
        for (var node : nodes()) {
            assertThat(waitFor(nodes, node, since, room, last)).contains(last);
            var again = nodes.sync(node, grace, SyncQuery.since(before)).ok();
            assertThat(again.toString()).doesNotContain("secret word", "secret topic");
            assertThat(timeline(again, room)).contains(secret, "redacted_because", "a plain topic");
            assertThat(nodes.sync(node, grace, SyncQuery.initial()).ok().toString())
                    .doesNotContain("secret word", "secret topic");
        }
        assertThat(grace.messages(room, "b", null, null, 100).toString()).doesNotContain("secret word", "secret topic");
    }

    /** Syncs from a token at a node until the response contains the event. Returns the response. */
    private String waitFor(Nodes nodes, Instance node, String since, String room, String event) throws IOException {
        var token = since;
        var timelines = new StringBuilder();
        while (!timelines.toString().contains(event)) {
            var answer = nodes.sync(node, grace, SyncQuery.since(token).waiting(LONG))
                    .ok();
            token = answer.path("next_batch").asString();
            timelines.append(timeline(answer, room));
        }
        return timelines.toString();
    }

    private static String timeline(JsonNode sync, String room) {
        return Session.timeline(sync, room).toString();
    }

    @Test
    void aRepeatedRedactionIsTheSameAndAnotherOneLeavesTheFirst() throws Exception {
        var room = People.roomOf(ada, grace);
        var event = grace.say(room, "once");
        var first = redact(grace, room, event, "r1");

        assertThat(redact(grace, room, event, "r1")).isEqualTo(first);
        assertThat(redact(ada, room, event, "r2")).isNotEqualTo(first);
        assertThat(ada.get(Paths.room(room, "/event/" + Paths.encoded(event)))
                        .path("unsigned")
                        .path("redacted_because")
                        .path("event_id")
                        .asString())
                .isEqualTo(first);
    }

    @Test
    void whoMayNotRedactIsRefused() throws Exception {
        var room = People.roomOf(ada, grace);
        var event = ada.say(room, "stays");
        var path = Paths.room(room, "/redact/" + Paths.encoded(event) + "/r1");
        try (var otherHttp = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var eve = People.newcomer(otherHttp, "eve");

            assertThat(grace.call("PUT", path, Map.of()).errcode()).isEqualTo("M_FORBIDDEN");
            assertThat(eve.call("PUT", path, Map.of()).errcode()).isEqualTo("M_FORBIDDEN");
            assertThat(ada.get(Paths.room(room, "/event/" + Paths.encoded(event)))
                            .toString())
                    .contains("stays");
        }
    }

    @Test
    void anAdministratorOfTheTenantRedactsInTheirRooms() throws Exception {
        var admin = Steps.administrator(rookery, http);
        var room = People.roomOf(ada, admin);
        var event = ada.say(room, "not for long");

        redact(admin, room, event, "r1");

        assertThat(ada.messages(room, "b", null, null, 100).toString()).doesNotContain("not for long");
    }
}
