// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.ScriptedService;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;
import tools.jackson.databind.JsonNode;

/** Connections of sliding sync over two nodes (contract.md 10.9). */
class SyncSlidingIT {
    @RegisterExtension
    static final World world = World.own();

    private static final int STEADY_POLLS = 10;
    private static final String STEADY = """
            {"conn_id": "steady", "timeout": 20000, "lists": {"all": {"range": [0, 99], "timeline_limit": 5,
             "required_state": {"include": [{}], "lazy_members": true}}},
             "extensions": {"to_device": {"enabled": true%s}, "e2ee": {"enabled": true}, "account_data": {"enabled": true},
              "receipts": {"enabled": true}, "typing": {"enabled": true}}%s}
            """;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    /** A request that may wait does not read the end of the log, so a node behind the client's token has to notice. */
    @Test
    void aConnectionKeepsItsRoomsAtANodeThatIsBehind() {
        var one = world.node();
        var two = world.startNode();
        var known = world.rooms.create(4, ada);
        var first = slide(one, 0, null);
        slide(two, 0, first.path("pos").stringValue()); // has the user's memberships from now on
        var fresh = world.rooms.createUnannounced(4, ada);
        var second = slide(one, 0, first.path("pos").stringValue());
        assertThat(rooms(second)).containsExactly(fresh.value());
        assertThat(second.path("rooms").path(fresh.value()).path("initial").asBoolean())
                .isTrue();

        var third = slide(two, 1, second.path("pos").stringValue());
        assertThat(rooms(third)).isEmpty();
        world.rooms.send(fresh, ada, "news of " + fresh);
        world.rooms.send(known, ada, "news of " + known);
        var last = slide(two, 0, third.path("pos").stringValue());
        assertThat(rooms(last)).containsExactlyInAnyOrder(fresh.value(), known.value());
        assertThat(last.toString()).doesNotContain("initial");
    }

    /** The database part is in {@code SlidingE2E}. */
    @Test
    void aSteadyPollCallsNoOtherService() {
        var node = world.node();
        var room = world.rooms.create(5, ada, bob);
        var body = STEADY.formatted("", "");
        var answer = slide(node, body);
        List<Map<String, Integer>> calls = List.of();
        for (int i = 0; i < 2 + STEADY_POLLS; i++) {
            if (i == 2) { // the first polls read push rules and key counts, and acknowledge old messages
                SyncNode.until(() -> world.authService.calls("/internal/to-device/acknowledge") == 1);
                calls = callsBesideLogs();
            }
            var name = "steady" + i;
            world.rooms.send(room, bob, name);
            List<String> shown;
            do {
                answer = slide(
                        node,
                        STEADY.formatted(
                                ", \"since\": \"%s\"".formatted(nextMessages(answer)),
                                ", \"pos\": \"%s\"".formatted(answer.path("pos").stringValue())));
                shown = Answer.names(answer.path("rooms").path(room.value()).path("timeline_events"));
            } while (shown.isEmpty());
            assertThat(shown).containsExactly(name);
        }
        assertThat(callsBesideLogs()).isEqualTo(calls);
    }

    private static String nextMessages(JsonNode answer) {
        return answer.path("extensions").path("to_device").path("next_batch").stringValue();
    }

    private static List<Map<String, Integer>> callsBesideLogs() {
        return Stream.of(world.roomService, world.authService, world.pushService)
                .map(ScriptedService::callsBesideLogs)
                .toList();
    }

    private JsonNode slide(SyncNode node, int timeoutMillis, @Nullable String pos) {
        var body = """
                {"conn_id": "main", "timeout": %d, "lists": {"all": {"range": [0, 99], "timeline_limit": 5,
                 "required_state": {"include": [{}]}}}%s}
                """.formatted(timeoutMillis, pos == null ? "" : ", \"pos\": \"" + pos + "\"");
        return slide(node, body);
    }

    private JsonNode slide(SyncNode node, String body) {
        var answer = node.post(ada, "/_matrix/client/v4/sync", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static List<String> rooms(JsonNode answer) {
        return List.copyOf(answer.path("rooms").propertyNames());
    }
}
