// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Receipts in a sync over HTTP (contract.md 10.5, 10.7). */
@SharesWorld
class SyncReceiptsIT {
    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.node();
    }

    private static String path(String query) {
        return "/_api/client/v3/sync?" + query;
    }

    private static Answer sync(UserId user, String query) {
        return node.get(user, path(query));
    }

    private static CompletableFuture<Answer> waiting(UserId user, String since) {
        var waiting = node.getAsync(user, new DeviceId("D"), path("timeout=30000&since=" + since));
        SyncNode.until(() -> node.meter("sync_waiters") > 0);
        return waiting;
    }

    private static List<String> ephemeral(Answer answer, RoomId room) {
        var events = new ArrayList<String>();
        answer.joined(room).path("ephemeral").path("events").forEach(event -> events.add(event.toString()));
        return events;
    }

    private static String receipt(String event, String type, UserId user) {
        return "{\"type\":\"m.receipt\",\"content\":{\"$%s\":{\"%s\":{\"%s\":{\"ts\":1000}}}}}"
                .formatted(event, type, user.value());
    }

    @Test
    void aReceiptWakesTheMembersAndBringsNoTimeline() {
        var room = world.rooms.create(1, ada, bob);
        world.rooms.send(room, ada, "hello");
        var first = sync(ada, "");
        double cold = node.coldCalls();
        var waiting = waiting(ada, first.nextBatch());
        world.rooms.receipt(room, bob, "m.read", "hello", null);
        var second = waiting.join();
        assertThat(ephemeral(second, room)).containsExactly(receipt("hello", "m.read", bob));
        assertThat(second.timeline(room)).isEmpty();
        assertThat(second.joined(room).path("timeline").path("limited").booleanValue())
                .isFalse();
        var third = sync(ada, "since=" + second.nextBatch());
        assertThat(third.joined(room).isMissingNode()).isTrue();
        assertThat(node.coldCalls()).isEqualTo(cold);
    }

    @Test
    void receiptsComeInOneEventWithTheTimelineOfTheirRoom() {
        var room = world.rooms.create(1, ada, bob);
        var first = sync(ada, "");
        world.rooms.send(room, bob, "one");
        world.rooms.receipt(room, bob, "m.read", "old", null);
        world.rooms.receipt(room, bob, "m.read", "one", null);
        world.rooms.receipt(room, ada, "m.read", "one", null);
        var second = sync(ada, "since=" + first.nextBatch());
        assertThat(second.timeline(room)).containsExactly("one");
        assertThat(ephemeral(second, room)).hasSize(1);
        assertThat(ephemeral(second, room).getFirst())
                .contains("$one", ada.value(), bob.value())
                .doesNotContain("$old");
    }

    @Test
    void aPrivateReceiptReachesItsUsersDevicesOnly() {
        var room = world.rooms.create(2, ada, bob);
        world.rooms.send(room, ada, "hello");
        var adas = waiting(ada, sync(ada, "").nextBatch());
        var bobs = waiting(bob, sync(bob, "").nextBatch());
        world.rooms.receipt(room, bob, "m.read.private", "hello", null);
        assertThat(ephemeral(bobs.join(), room)).containsExactly(receipt("hello", "m.read.private", bob));
        world.rooms.send(room, bob, "later");
        var told = adas.join();
        assertThat(told.timeline(room)).containsExactly("later");
        assertThat(ephemeral(told, room)).isEmpty();
        assertThat(ephemeral(sync(ada, ""), room)).isEmpty();
    }

    @Test
    void aPrivateReceiptFromBeforeItsUserConnectedIsNotLost() {
        var room = world.rooms.create(2, ada, bob);
        var token = sync(bob, "").nextBatch();
        sync(ada, "");
        try (var other = world.startNode()) {
            other.get(ada, path("since=" + sync(ada, "").nextBatch())); // keeps the room, without knowing Bob
            world.rooms.receipt(room, bob, "m.read.private", "hello", null);
            world.rooms.send(room, bob, "later");
            var told = other.get(bob, path("since=" + token));
            assertThat(told.timeline(room)).containsExactly("later");
            assertThat(ephemeral(told, room)).containsExactly(receipt("hello", "m.read.private", bob));
        }
    }

    @Test
    void whoeverKnowsNothingOfARoomIsToldAllItsReceipts() {
        var room = world.rooms.create(3, ada);
        var before = sync(bob, "");
        world.rooms.receipt(room, ada, "m.read", "hello", null);
        assertThat(ephemeral(sync(ada, ""), room)).containsExactly(receipt("hello", "m.read", ada));
        world.rooms.member(room, bob, bob, Membership.JOIN);
        assertThat(ephemeral(sync(bob, "since=" + before.nextBatch()), room))
                .containsExactly(receipt("hello", "m.read", ada));
    }

    @Test
    void aNodeThatDoesNotReachBackAsksTheOwner() {
        var room = world.rooms.create(3, ada, bob);
        var token = sync(ada, "").nextBatch();
        world.rooms.receipt(room, bob, "m.read", "hello", null);
        try (var other = world.startNode()) {
            assertThat(ephemeral(other.get(ada, path("since=" + token)), room))
                    .containsExactly(receipt("hello", "m.read", bob));
        }
    }

    @Test
    void whatTheFilterLeavesOutWakesNobodyAndMovesTheToken() {
        var room = world.rooms.create(4, ada, bob);
        for (var ephemeral :
                List.of("\"not_types\":[\"m.receipt\"]", "\"types\":[]", "\"not_rooms\":[\"" + room.value() + "\"]")) {
            var filter = "filter="
                    + URLEncoder.encode("{\"room\":{\"ephemeral\":{" + ephemeral + "}}}", StandardCharsets.UTF_8);
            var first = sync(ada, filter);
            assertThat(ephemeral(first, room)).isEmpty();
            var waiting = node.getAsync(
                    ada, new DeviceId("D"), path("timeout=30000&since=" + first.nextBatch() + "&" + filter));
            SyncNode.until(() -> node.meter("sync_waiters") > 0);
            world.rooms.receipt(room, bob, "m.read", "hello", null);
            world.rooms.send(room, bob, "later" + ephemeral.length());
            var told = waiting.join();
            assertThat(told.timeline(room)).containsExactly("later" + ephemeral.length());
            assertThat(ephemeral(told, room)).isEmpty();
        }
    }

    @Test
    void oneUsersReceiptsOfSeveralThreadsAtOneEventAreAllTold() {
        var room = world.rooms.create(4, ada, bob);
        var first = sync(ada, "");
        world.rooms.receipt(room, bob, "m.read", "hello", null);
        world.rooms.receipt(room, bob, "m.read", "hello", "main");
        var told = ephemeral(sync(ada, "since=" + first.nextBatch()), room);
        assertThat(told).hasSize(2);
        assertThat(told.get(0)).isEqualTo(receipt("hello", "m.read", bob));
        assertThat(told.get(1)).contains("\"thread_id\":\"main\"");
    }

    @Test
    void receiptsOfIgnoredUsersStay() {
        var room = world.rooms.create(5, ada, bob);
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        var first = sync(ada, "");
        world.rooms.receipt(room, bob, "m.read", "hello", null);
        assertThat(ephemeral(sync(ada, "since=" + first.nextBatch()), room))
                .containsExactly(receipt("hello", "m.read", bob));
    }
}
