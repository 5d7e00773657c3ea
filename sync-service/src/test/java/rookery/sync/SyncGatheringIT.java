// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;
import rookery.sync.typing.TypingSets;

/**
 * Receipts and typing of others in the answers of a node that gathers them for longer than the tests take. A request whose wait
 * they would end at once is answered too early, and a lost one is missing in the next answer.
 */
@SharesWorld
class SyncGatheringIT {
    private static final DeviceId DEVICE = new DeviceId("D");
    private static final int SHARD = 5;
    private static final int MEMBERS = 60;

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.startNode(
                "--rookery.tenants[0].presence=false",
                "--rookery.sync.ring.fill-entries=0",
                "--rookery.sync.gathering.least=10m",
                "--rookery.sync.gathering.interval=10m");
    }

    private static String path(String query) {
        return "/_api/client/v3/sync?" + query;
    }

    private CompletableFuture<Answer> waiting(String since, long timeoutMillis) {
        var call = node.getAsync(ada, DEVICE, path("timeout=" + timeoutMillis + "&since=" + since));
        SyncNode.until(() -> node.meter("sync_waiters") > 0);
        return call;
    }

    /** Waits until the node has read the shard to its end. */
    private static void followed() {
        SyncNode.until(() ->
                node.roomLog().now().positions().at(SHARD) >= world.rooms.log().heads()[SHARD]);
    }

    private static List<String> ephemeral(Answer answer, RoomId room) {
        var events = new ArrayList<String>();
        answer.joined(room).path("ephemeral").path("events").forEach(event -> events.add(event.toString()));
        return events;
    }

    @Test
    void receiptsOfSixtyMembersComeInOneAnswerWithTheNextMessage() {
        var room = world.rooms.create(SHARD, ada, bob);
        var call = waiting(node.get(ada, path("")).nextBatch(), 30_000);
        for (int i = 0; i < MEMBERS; i++) {
            world.rooms.receipt(room, World.user("reader"), "m.read", "hello", null);
        }
        followed();
        assertThat(call).isNotDone();
        world.rooms.send(room, bob, "news");
        var answer = call.join();
        assertThat(answer.timeline(room)).containsExactly("news");
        assertThat(ephemeral(answer, room)).hasSize(1);
        assertThat(answer.joined(room)
                        .path("ephemeral")
                        .path("events")
                        .path(0)
                        .path("content")
                        .path("$hello")
                        .path("m.read")
                        .size())
                .isEqualTo(MEMBERS);
        assertThat(ephemeral(node.get(ada, path("since=" + answer.nextBatch())), room))
                .isEmpty();
    }

    @Test
    void theTimeoutBringsWhatGathers() {
        var room = world.rooms.create(SHARD, ada, bob);
        var call = waiting(node.get(ada, path("")).nextBatch(), 3_000);
        world.rooms.receipt(room, bob, "m.read", "hello", null);
        followed();
        assertThat(ephemeral(call.join(), room)).singleElement().asString().contains(bob.value());
    }

    @Test
    void aRequestThatFindsReceiptsWaitsLikeOneThatIsWokenByThem() {
        var room = world.rooms.create(SHARD, ada, bob);
        var first = node.get(ada, path("")).nextBatch();
        world.rooms.receipt(room, bob, "m.read", "hello", null);
        followed();
        var call = waiting(first, 30_000);
        assertThat(call).isNotDone();
        world.users.set(ada, null, "m.direct", "{}"); // urgent
        assertThat(ephemeral(call.join(), room)).singleElement().asString().contains(bob.value());
        assertThat(ephemeral(node.get(ada, path("since=" + first)), room)).hasSize(1); // without a timeout: at once
    }

    @Test
    void ownReceiptsComeAtOnceAndBringThoseOfOthersAndTyping() {
        var room = world.rooms.create(SHARD, ada, bob);
        world.rooms.send(room, bob, "hello");
        var call = waiting(node.get(ada, path("")).nextBatch(), 30_000);
        world.rooms.receipt(room, bob, "m.read", "hello", null);
        world.type(new TenantId(1), room, bob, world.rooms.log().heads()[SHARD], 30_000);
        SyncNode.until(() -> node.bean(TypingSets.class).isTypedIn(new TenantRoom(new TenantId(1), room)));
        followed();
        assertThat(call).isNotDone();
        world.rooms.receipt(room, ada, "m.read.private", "hello", null);
        var answer = call.join();
        assertThat(ephemeral(answer, room)).hasSize(2);
        assertThat(ephemeral(answer, room).getFirst()).contains(ada.value(), bob.value(), "m.read.private");
        assertThat(ephemeral(answer, room).getLast()).contains("m.typing", bob.value());
    }

    @Test
    void aStoppingNodeSendsWhatGathers() {
        var room = world.rooms.create(SHARD, ada, bob);
        CompletableFuture<Answer> call;
        try (var stopping = world.startNode(
                "--rookery.tenants[0].presence=false",
                "--rookery.sync.ring.fill-entries=0",
                "--rookery.sync.gathering.least=10m",
                "--rookery.sync.waiting.drain-spread=1ms")) {
            var first = stopping.get(ada, path("")).nextBatch();
            call = stopping.getAsync(ada, DEVICE, path("timeout=30000&since=" + first));
            SyncNode.until(() -> stopping.meter("sync_waiters") > 0);
            world.rooms.receipt(room, bob, "m.read", "hello", null);
            SyncNode.until(() -> stopping.roomLog().now().positions().at(SHARD)
                    >= world.rooms.log().heads()[SHARD]);
            assertThat(call).isNotDone();
        }
        assertThat(ephemeral(call.join(), room)).hasSize(1);
    }
}
