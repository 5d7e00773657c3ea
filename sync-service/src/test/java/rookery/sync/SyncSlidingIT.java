// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.id.UserId;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;
import tools.jackson.databind.JsonNode;

/** Connections of sliding sync over two nodes (contract.md 10.9). */
class SyncSlidingIT {
    @RegisterExtension
    static final World world = World.own();

    private final UserId ada = World.user("ada");

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

    private JsonNode slide(SyncNode node, int timeoutMillis, @Nullable String pos) {
        var body = """
                {"conn_id": "main", "timeout": %d, "lists": {"all": {"range": [0, 99], "timeline_limit": 5,
                 "required_state": {"include": [{}]}}}%s}
                """.formatted(timeoutMillis, pos == null ? "" : ", \"pos\": \"" + pos + "\"");
        var answer = node.post(ada, "/_matrix/client/v4/sync", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static List<String> rooms(JsonNode answer) {
        return List.copyOf(answer.path("rooms").propertyNames());
    }
}
