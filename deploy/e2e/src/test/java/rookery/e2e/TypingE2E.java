// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** Typing through the gateway, with two room and two sync nodes (contract.md 11.2). */
@OnCluster
class TypingE2E extends TypingRoom {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    TypingE2E(Rookery rookery) {
        super(rookery);
    }

    private JsonNode received(Session reader, String since) throws IOException {
        return reader.syncUntil(since, sync -> !typing(sync).isEmpty());
    }

    @Test
    void typingIsSeenUntilTheMessageComes() throws Exception {
        var since = token(ada.sync(SyncQuery.initial()));
        try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = thread.submit(() -> received(ada, since));
            assertThat(type(grace, Map.of("typing", true, "timeout", 60_000)).text())
                    .isEqualTo("{}");
            var answer = waiting.get();
            assertThat(typing(answer)).containsExactly(List.of(grace.userId()));
            assertThat(Session.timeline(answer, room)).isEmpty();
            grace.say(room, "done");
            var after = ada.syncUntil(
                    token(answer),
                    sync -> !Session.timeline(sync, room).isEmpty()
                            || !typing(sync).isEmpty());
            assertThat(Session.timeline(after, room)).hasSize(1);
            assertThat(typing(after)).containsExactly(List.of());
        }
    }

    @Test
    void bothNodesHearOfIt() throws Exception {
        type(grace, Map.of("typing", true, "timeout", 120_000)).ok();
        var nodes = new Nodes(rookery);
        for (var node : List.of("sync-service-1", "sync-service-2")) {
            var instance = Objects.requireNonNull(rookery.instance(node));
            assertThat(Deadline.in(PATIENCE).until(() -> {
                        try {
                            var answer = nodes.sync(instance, ada, SyncQuery.initial());
                            return typing(answer.ok()).equals(List.of(List.of(grace.userId())));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }))
                    .isTrue();
        }
    }

    @Test
    void typingEndsByItselfAndWhenItsUserSaysSo() throws Exception {
        var began = receivedWhileTyping();
        var ended = received(ada, token(began));
        assertThat(typing(ended)).containsExactly(List.of());
        type(grace, Map.of("typing", true)).ok();
        var again = received(ada, token(ended));
        type(grace, Map.of("typing", false, "timeout", "ignored")).ok();
        assertThat(typing(received(ada, token(again)))).containsExactly(List.of());
    }

    /** Types for the shortest time, again if this machine was too slow to see the beginning. */
    private JsonNode receivedWhileTyping() throws IOException {
        var since = token(ada.sync(SyncQuery.initial()));
        for (var deadline = Deadline.in(PATIENCE); !deadline.passed(); ) {
            type(grace, Map.of("typing", true, "timeout", 1)).ok();
            var received = received(ada, since);
            if (typing(received).equals(List.of(List.of(grace.userId())))) {
                return received;
            }
            since = token(received);
        }
        throw new AssertionError("nobody saw the typing before its end");
    }

    @Test
    void whoLeavesStopsTyping() throws Exception {
        var since = token(ada.sync(SyncQuery.initial()));
        type(grace, Map.of("typing", true, "timeout", 60_000)).ok();
        var began = received(ada, since);
        grace.leave(room);
        assertThat(typing(received(ada, token(began)))).containsExactly(List.of());
        assertThat(type(grace, Map.of("typing", true)).errcode()).isEqualTo("M_FORBIDDEN");
    }

    @Test
    void everyWrongTypingIsRefused() throws Exception {
        for (Map<String, ?> body : List.<Map<String, ?>>of(
                Map.of("typing", "yes"),
                Map.of("typing", true, "timeout", "long"),
                Map.of("typing", true, "timeout", 1.5))) {
            assertThat(type(grace, body).errcode()).isEqualTo("M_BAD_JSON");
        }
        assertThat(type(grace, Map.of()).errcode()).isEqualTo("M_MISSING_PARAM");
        var body = Map.of("typing", true);
        assertThat(grace.call("PUT", path(ada.userId()), body).errcode()).isEqualTo("M_FORBIDDEN");
        var eve = People.newcomer(http, "eve");
        assertThat(type(eve, body).errcode()).isEqualTo("M_FORBIDDEN");
        try (var otherHttp = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var stranger = People.newcomer(otherHttp, "stranger");
            assertThat(type(stranger, body).errcode()).isEqualTo("M_FORBIDDEN");
        }
        assertThat(typing(ada.sync(SyncQuery.initial()))).isEmpty();
    }
}
