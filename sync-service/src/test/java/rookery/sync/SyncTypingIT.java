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
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Typing in a sync over HTTP (contract.md 10.5, 10.7, 11.2). */
@SharesWorld
class SyncTypingIT {
    private static final int SHARD = 1;
    private static final TenantId TENANT = new TenantId(1);

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");
    private final UserId eve = World.user("eve");

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

    /** The query parameter for a filter of ephemeral events. */
    private static String ephemeral(String filter) {
        return "&filter=" + URLEncoder.encode("{\"room\":{\"ephemeral\":" + filter + "}}", StandardCharsets.UTF_8);
    }

    private static Answer next(UserId user, Answer last) {
        return sync(user, "timeout=30000&since=" + last.nextBatch());
    }

    private static CompletableFuture<Answer> waiting(UserId user, Answer last) {
        var waiting = node.getAsync(user, new DeviceId("D"), path("timeout=30000&since=" + last.nextBatch()));
        SyncNode.until(() -> node.meter("sync_waiters") > 0);
        return waiting;
    }

    private static long now() {
        return world.rooms.log().heads()[SHARD];
    }

    private static void type(RoomId room, UserId user, long millis) {
        world.type(TENANT, room, user, now(), millis);
    }

    /** The typing events of a room in an answer, each with its users. */
    private static List<List<String>> typing(Answer answer, RoomId room) {
        var told = new ArrayList<List<String>>();
        for (var event : answer.joined(room).path("ephemeral").path("events")) {
            if (event.path("type").asString().equals("m.typing")) {
                var ids = new ArrayList<String>();
                event.path("content").path("user_ids").forEach(id -> ids.add(id.stringValue()));
                told.add(ids);
            }
        }
        return told;
    }

    @Test
    void typingWakesTheMembersAndIsToldOnce() {
        var room = world.rooms.create(SHARD, ada, bob);
        var waiting = waiting(ada, sync(ada, ""));
        type(room, bob, 30_000);
        var told = waiting.join();
        assertThat(typing(told, room)).containsExactly(List.of(bob.value()));
        assertThat(told.timeline(room)).isEmpty();
        var later = sync(ada, "since=" + told.nextBatch());
        assertThat(later.joined(room).isMissingNode()).isTrue();
        type(room, bob, 40_000); // a repetition wakes no request
        type(room, eve, 30_000);
        assertThat(typing(next(ada, later), room)).containsExactly(List.of(bob.value(), eve.value()));
    }

    @Test
    void aMessageEndsTheTypingInTheSameAnswer() {
        var room = world.rooms.create(SHARD, ada, bob, eve);
        var first = sync(ada, "");
        type(room, bob, 30_000);
        var second = next(ada, first);
        world.rooms.send(room, eve, "of somebody else");
        var third = next(ada, second);
        assertThat(typing(third, room)).isEmpty();
        world.rooms.send(room, bob, "done");
        var fourth = next(ada, third);
        assertThat(fourth.timeline(room)).containsExactly("done");
        assertThat(typing(fourth, room)).containsExactly(List.of());
    }

    @Test
    void typingFromBeforeTheMessageComesTooLate() {
        var room = world.rooms.create(SHARD, ada, bob, eve);
        var first = sync(ada, "");
        long before = now();
        world.rooms.send(room, bob, "done");
        var second = next(ada, first);
        world.type(TENANT, room, bob, before, 30_000);
        type(room, eve, 30_000);
        var third = next(ada, second);
        assertThat(typing(third, room)).containsExactly(List.of(eve.value()));
        type(room, bob, 30_000);
        assertThat(typing(next(ada, third), room)).containsExactly(List.of(eve.value(), bob.value()));
    }

    @Test
    void itComesTooLateToARoomThatNobodyReadsToo() {
        var room = world.rooms.create(SHARD, bob, eve);
        var other = world.rooms.create(SHARD, ada);
        var first = sync(ada, "");
        long before = now();
        world.rooms.member(room, bob, bob, Membership.LEAVE);
        world.rooms.send(other, ada, "after that");
        next(ada, first); // so this node has followed the leave
        world.type(TENANT, room, bob, before, 30_000);
        type(room, eve, 30_000);
        var told = new Answer[1];
        SyncNode.until(() -> {
            told[0] = sync(eve, "");
            return !typing(told[0], room).isEmpty();
        });
        assertThat(typing(told[0], room)).containsExactly(List.of(eve.value()));
    }

    @Test
    void typingEndsByItself() {
        var room = world.rooms.create(SHARD, ada, bob);
        var first = sync(ada, "");
        type(room, bob, 3000); // longer than news gather
        var second = next(ada, first);
        assertThat(typing(second, room)).containsExactly(List.of(bob.value()));
        assertThat(typing(next(ada, second), room)).containsExactly(List.of());
    }

    @Test
    void whoStopsOrIsGoneDoesNotType() {
        var room = world.rooms.create(SHARD, ada, bob, eve);
        var first = sync(ada, "");
        type(room, bob, 30_000);
        var second = next(ada, first);
        type(room, bob, 0);
        var third = next(ada, second);
        assertThat(typing(third, room)).containsExactly(List.of());
        type(room, eve, 30_000);
        var fourth = next(ada, third);
        assertThat(typing(fourth, room)).containsExactly(List.of(eve.value()));
        world.rooms.member(room, ada, eve, Membership.LEAVE);
        assertThat(typing(next(ada, fourth), room)).containsExactly(List.of());
    }

    @Test
    void whatAnotherProcessPublishesTooLateBeginsNothing() {
        var room = world.rooms.create(SHARD, ada, bob, eve);
        var first = sync(ada, "");
        long begun = System.currentTimeMillis();
        world.type(TENANT, room, bob, now(), 0, begun + 1);
        world.type(TENANT, room, bob, now(), 30_000, begun);
        type(room, eve, 30_000);
        assertThat(typing(next(ada, first), room)).containsExactly(List.of(eve.value()));
    }

    @Test
    void whoeverKnowsNothingOfARoomIsToldWhoTypes() {
        var room = world.rooms.create(SHARD, ada, bob);
        var before = sync(eve, "");
        assertThat(typing(sync(ada, ""), room)).isEmpty();
        type(room, bob, 60_000);
        SyncNode.until(() -> !typing(sync(ada, ""), room).isEmpty());
        assertThat(typing(sync(ada, ""), room)).containsExactly(List.of(bob.value()));
        world.rooms.member(room, eve, eve, Membership.JOIN);
        assertThat(typing(sync(eve, "since=" + before.nextBatch()), room)).containsExactly(List.of(bob.value()));
    }

    @Test
    void anotherNodeTellsItAnewAndFromBeforeItsStart() {
        var room = world.rooms.create(SHARD, ada, bob);
        var quiet = world.rooms.create(SHARD, ada, bob);
        var first = sync(ada, "");
        type(quiet, bob, 30_000);
        type(quiet, bob, 0);
        type(room, bob, 60_000);
        var second = first;
        while (typing(second, room).isEmpty()) {
            second = next(ada, second);
        }
        try (var other = world.startNode()) {
            var fromThere = new Answer[] {second};
            SyncNode.until(
                    () -> { // the node follows the topic in its own time
                        fromThere[0] = other.get(ada, path("since=" + fromThere[0].nextBatch()));
                        return !typing(fromThere[0], room).isEmpty();
                    });
            assertThat(typing(fromThere[0], room)).containsExactly(List.of(bob.value()));
            var after = other.get(ada, path("since=" + fromThere[0].nextBatch()));
            assertThat(after.joined(room).isMissingNode()).isTrue();
            // another node's mark is unknown here: the node sends all sets again, including empty ones
            var back = sync(ada, "since=" + after.nextBatch());
            assertThat(typing(back, room)).containsExactly(List.of(bob.value()));
            assertThat(typing(back, quiet)).containsExactly(List.of());
        }
    }

    @Test
    void theTypingOfIgnoredUsersIsWithheld() {
        var room = world.rooms.create(SHARD, ada, bob, eve);
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        var first = sync(ada, "");
        type(room, bob, 60_000);
        type(room, eve, 60_000);
        assertThat(typing(next(ada, first), room)).containsExactly(List.of(eve.value()));
        assertThat(typing(sync(ada, ""), room)).containsExactly(List.of(eve.value()));
    }

    @Test
    void aFilterCanLeaveTypingOut() {
        var room = world.rooms.create(SHARD, ada, bob);
        String filter = ephemeral("{\"not_types\":[\"m.typing\"]}");
        var first = sync(ada, filter);
        type(room, bob, 60_000);
        SyncNode.until(() -> !typing(sync(ada, ""), room).isEmpty());
        assertThat(sync(ada, "since=" + first.nextBatch() + filter).joined(room).isMissingNode())
                .isTrue();
        assertThat(typing(sync(ada, filter), room)).isEmpty();
    }

    @Test
    void aLimitLeavesTypingOutAndNoReceipt() {
        var room = world.rooms.create(SHARD, ada, bob);
        String filter = ephemeral("{\"limit\":1}");
        var first = sync(ada, filter);
        type(room, bob, 60_000);
        SyncNode.until(() -> !typing(sync(ada, ""), room).isEmpty());
        assertThat(typing(sync(ada, "since=" + first.nextBatch() + filter), room))
                .containsExactly(List.of(bob.value()));
        world.rooms.receipt(room, eve, "m.read", "hello", null);
        world.rooms.receipt(room, eve, "m.read", "hello", "main");
        var told = sync(ada, "since=" + first.nextBatch() + filter);
        assertThat(typing(told, room)).isEmpty();
        assertThat(told.joined(room).path("ephemeral").path("events"))
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.path("type").asString()).isEqualTo("m.receipt"));
    }

    @Test
    void anotherTenantsTypingIsNotSeen() {
        var room = world.rooms.create(SHARD, ada, bob);
        var first = sync(ada, "");
        world.type(new TenantId(2), room, eve, now(), 60_000);
        type(room, bob, 60_000);
        assertThat(typing(next(ada, first), room)).containsExactly(List.of(bob.value()));
    }
}
