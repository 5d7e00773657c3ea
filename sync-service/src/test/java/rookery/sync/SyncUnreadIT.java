// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.sync.testing.Answer;
import rookery.sync.testing.Events;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Unread counts in a sync over HTTP (contract.md 10.5, 10.8, 11.4). */
@SharesWorld
class SyncUnreadIT {
    private static final String BY_THREAD =
            "filter=" + encoded("{\"room\":{\"timeline\":{\"unread_thread_notifications\":true}}}");

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.node();
    }

    @AfterEach
    void everythingWorksAgain() {
        world.counts.goOn();
        world.pushService.setAway(false);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String path(String query) {
        return "/_api/client/v3/sync?" + query;
    }

    private static Answer sync(UserId user, String query) {
        return node.get(user, path(query));
    }

    private static CompletableFuture<Answer> waiting(UserId user, String device, String query) {
        var waiting = node.getAsync(user, new DeviceId(device), path("timeout=30000&" + query));
        SyncNode.until(() -> node.meter("sync_waiters") > 0);
        return waiting;
    }

    private static String counts(Answer answer, RoomId room) {
        var counts = answer.joined(room).path("unread_notifications");
        return counts.path("notification_count").asInt(-1) + "/"
                + counts.path("highlight_count").asInt(-1);
    }

    private void mention(RoomId room, String name) {
        var content = "{\"msgtype\":\"m.text\",\"body\":\"" + name + "\",\"m.mentions\":{\"user_ids\":[\"" + ada.value()
                + "\"]}}";
        world.rooms.send(room, Events.event(name, "m.room.message", bob, null, content));
    }

    private void reply(RoomId room, String root, String name) {
        world.rooms.send(room, Events.inThread(Events.message(name, bob), root));
    }

    @Test
    void theWholePictureHasTheCountsOfAllRooms() {
        var quiet = world.rooms.create(1, ada, bob);
        var room = world.rooms.create(1, ada, bob);
        world.rooms.send(room, bob, "one");
        mention(room, "two");
        var first = sync(ada, "");
        assertThat(counts(first, room)).isEqualTo("2/1");
        assertThat(counts(first, quiet)).isEqualTo("0/0");
        assertThat(first.joined(room).has("unread_thread_notifications")).isFalse();
    }

    @Test
    void anEventAndItsCountsAreInTheSameAnswerAndNobodyIsAsked() {
        var room = world.rooms.create(2, ada, bob);
        var since = sync(ada, "").nextBatch();
        int calls = world.pushService.calls("/internal/counts");
        double cold = node.coldCalls();
        world.counts.stopAt(2);
        for (int i = 1; i <= 5; i++) {
            var waiting = waiting(ada, "D", "since=" + since);
            mention(room, "hey" + i);
            var told = waiting.join();
            assertThat(told.timeline(room)).containsExactly("hey" + i);
            assertThat(counts(told, room)).isEqualTo(i + "/" + i);
            since = told.nextBatch();
        }
        assertThat(world.pushService.calls("/internal/counts")).isEqualTo(calls);
        assertThat(node.coldCalls()).isEqualTo(cold);
        assertThat(counts(sync(bob, ""), room)).isEqualTo("0/0");
    }

    @Test
    void threadsAreCountedApartIfThatIsWanted() {
        var room = world.rooms.create(3, ada, bob);
        world.rooms.send(room, bob, "root");
        var since = sync(ada, BY_THREAD).nextBatch();
        reply(room, "root", "inside");
        var told = sync(ada, BY_THREAD + "&since=" + since);
        assertThat(counts(told, room)).isEqualTo("1/0");
        assertThat(told.joined(room).path("unread_thread_notifications").toString())
                .isEqualTo("{\"$root\":{\"notification_count\":1,\"highlight_count\":0}}");
        assertThat(counts(sync(ada, "since=" + since), room)).isEqualTo("2/0");
        world.rooms.receipt(room, ada, "m.read", "inside", "$root");
        var read = sync(ada, BY_THREAD + "&since=" + told.nextBatch());
        assertThat(counts(read, room)).isEqualTo("1/0");
        assertThat(read.joined(room).path("unread_thread_notifications").toString())
                .isEqualTo("{}");
    }

    @Test
    void whatWasReadElsewhereMakesTheRoomAppearWithoutATimeline() {
        var room = world.rooms.create(4, ada, bob);
        world.rooms.send(room, bob, "hello");
        var noReceipts = "filter=" + encoded("{\"room\":{\"ephemeral\":{\"types\":[]}}}");
        var first = sync(ada, noReceipts);
        assertThat(counts(first, room)).isEqualTo("1/0");
        var waiting = waiting(ada, "OTHER", noReceipts + "&since=" + first.nextBatch());
        world.rooms.receipt(room, ada, "m.read.private", "hello", null);
        var told = waiting.join();
        assertThat(counts(told, room)).isEqualTo("0/0");
        assertThat(told.timeline(room)).isEmpty();
        assertThat(told.joined(room).path("ephemeral").path("events").size()).isZero();
        var next = sync(ada, noReceipts + "&since=" + told.nextBatch());
        assertThat(next.joined(room).isMissingNode()).isTrue();
    }

    @Test
    void whatWasReadElsewhereIsSeenByANodeThatHasNotHeardOfIt() {
        var room = world.rooms.create(15, ada, bob);
        world.rooms.send(room, bob, "hello there");
        var noReceipts = "filter=" + encoded("{\"room\":{\"ephemeral\":{\"types\":[]}}}");
        var first = sync(ada, noReceipts);
        assertThat(counts(first, room)).isEqualTo("1/0");
        world.rooms.receipt(room, ada, "m.read.private", "hello there", null);
        try (var other = world.startNode()) {
            var told = other.get(ada, path(noReceipts + "&since=" + first.nextBatch()));
            assertThat(counts(told, room)).isEqualTo("0/0");
            assertThat(told.joined(room).path("ephemeral").path("events").size())
                    .isZero();
        }
    }

    @Test
    void whatOneSendsIsReadAndWhatIsRedactedDoesNotCount() {
        var room = world.rooms.create(5, ada, bob);
        var since = sync(ada, "").nextBatch();
        world.rooms.send(room, bob, "one");
        world.rooms.send(room, ada, "mine");
        world.rooms.send(room, bob, "two");
        var told = sync(ada, "since=" + since);
        assertThat(counts(told, room)).isEqualTo("1/0");
        long two = world.rooms.log().find(5, room, Events.id("two"));
        world.rooms.send(room, Events.redaction("gone", bob, "two", two));
        assertThat(counts(sync(ada, "since=" + told.nextBatch()), room)).isEqualTo("0/0");
    }

    @Test
    void joiningAgainBeginsAnew() {
        var room = world.rooms.create(6, ada, bob);
        world.rooms.send(room, bob, "before");
        var first = sync(ada, "");
        assertThat(counts(first, room)).isEqualTo("1/0");
        world.rooms.member(room, ada, ada, Membership.LEAVE);
        var left = sync(ada, "since=" + first.nextBatch());
        world.rooms.send(room, bob, "meanwhile");
        world.rooms.member(room, ada, ada, Membership.JOIN);
        var joined = sync(ada, "since=" + left.nextBatch());
        assertThat(counts(joined, room)).isEqualTo("0/0");
        world.rooms.send(room, bob, "after");
        assertThat(counts(sync(ada, "since=" + joined.nextBatch()), room)).isEqualTo("1/0");
    }

    @Test
    void withoutPushServiceMessagesFlowAndCountsAreCorrectedLater() {
        var room = world.rooms.create(7, ada, bob);
        var other = world.rooms.create(8, ada, bob);
        world.rooms.send(room, bob, "long ago");
        world.rooms.send(other, bob, "long ago too");
        world.pushService.setAway(true);
        var first = sync(ada, "");
        assertThat(first.status()).isEqualTo(200);
        assertThat(counts(first, room)).isEqualTo("0/0");
        world.rooms.send(room, bob, "now");
        var second = sync(ada, "since=" + first.nextBatch());
        assertThat(counts(second, room)).isEqualTo("1/0");
        var waiting = waiting(ada, "D", "since=" + second.nextBatch());
        world.pushService.setAway(false);
        var corrected = waiting.join();
        assertThat(counts(corrected, room)).isEqualTo("2/0");
        assertThat(counts(corrected, other)).isEqualTo("1/0");
        assertThat(corrected.timeline(room)).isEmpty();
        var next = sync(ada, "since=" + corrected.nextBatch());
        assertThat(next.joined(room).isMissingNode()).isTrue();
        var again = sync(ada, "since=" + second.nextBatch()); // the first answer was lost
        assertThat(counts(again, other)).isEqualTo("1/0");
    }

    @Test
    void whatPushServiceDoesNotKnowYetIsCountedOnceItDoes() {
        var room = world.rooms.create(9, ada, bob);
        world.counts.stopAt(9);
        world.rooms.send(room, bob, "unknown there, and from before this user came here");
        var first = sync(ada, "");
        assertThat(counts(first, room)).isEqualTo("0/0");
        var waiting = waiting(ada, "D", "since=" + first.nextBatch());
        world.counts.goOn();
        assertThat(counts(waiting.join(), room)).isEqualTo("1/0");
    }

    @Test
    void aReceiptInTheMiddleOfWhatPushServiceToldIsCountedByIt() {
        var room = world.rooms.create(10, ada, bob);
        for (int i = 1; i <= 4; i++) {
            world.rooms.send(room, bob, "m" + i);
        }
        var first = sync(ada, "");
        assertThat(counts(first, room)).isEqualTo("4/0");
        world.counts.stopAt(10);
        world.rooms.receipt(room, ada, "m.read", "m3", null);
        assertThat(counts(sync(ada, "since=" + first.nextBatch()), room)).isEqualTo("1/0");
    }

    @Test
    void whoIsIgnoredDoesNotCountAnyMore() {
        var room = world.rooms.create(11, ada, bob);
        world.rooms.send(room, bob, "hello");
        var first = sync(ada, "");
        assertThat(counts(first, room)).isEqualTo("1/0");
        var waiting = waiting(ada, "D", "since=" + first.nextBatch());
        world.counts.ignore(bob);
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        var told = waiting.join();
        var later = told.joined(room).isMissingNode() ? sync(ada, "timeout=9000&since=" + told.nextBatch()) : told;
        assertThat(counts(later, room)).isEqualTo("0/0");
    }

    @Test
    void whoIsIgnoredDoesNotCountAnyMoreAlsoWhereItWasCountedHere() {
        var room = world.rooms.create(11, ada, bob);
        var first = sync(ada, "");
        world.rooms.send(room, bob, "hello");
        var second = sync(ada, "since=" + first.nextBatch());
        assertThat(counts(second, room)).isEqualTo("1/0");
        world.counts.ignore(bob);
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        var told = sync(ada, "timeout=9000&since=" + second.nextBatch());
        assertThat(counts(told, room)).isEqualTo("0/0");
    }

    @Test
    void aRuleAboutTheUsersNameGoesByTheNameInTheRoom() {
        var room = world.rooms.create(13, ada, bob);
        var member = Events.member("named", ada, ada, Membership.JOIN, Membership.JOIN, 2, 0);
        var json = member.eventJson().replace("{\"membership\"", "{\"displayname\":\"Countess\",\"membership\"");
        world.rooms.send(room, new EventAppended(member.meta(), json, null, null));
        var first = sync(ada, "");
        world.counts.stopAt(13);
        world.users.set(ada, null, "m.push_rules", """
                {"global":{"override":[{"rule_id":"name","default":false,"enabled":true,\
                "conditions":[{"kind":"contains_display_name"}],\
                "actions":["notify",{"set_tweak":"highlight"}]}]}}""");
        var second = sync(ada, "since=" + first.nextBatch());
        world.rooms.send(room, bob, "dear countess, hello");
        world.rooms.send(room, bob, "hello, accountess");
        assertThat(counts(sync(ada, "since=" + second.nextBatch()), room)).isEqualTo("2/1");
    }

    @Test
    void whereTheUsersNameIsNotKnownPushServiceIsAsked() {
        var room = world.rooms.create(0, ada, bob);
        var since = sync(ada, "").nextBatch();
        try (var other = world.startNode()) {
            var told = other.get(ada, path("since=" + since)); // without a member event that names her
            world.users.set(ada, null, "m.push_rules", """
                    {"global":{"override":[{"rule_id":"name","default":false,"enabled":true,\
                    "conditions":[{"kind":"contains_display_name"}],"actions":["notify"]}]}}""");
            for (int i = 1; i <= 3; i++) {
                int calls = world.pushService.calls("/internal/counts");
                world.rooms.send(room, bob, "dear countess " + i);
                told = other.get(ada, path("since=" + told.nextBatch()));
                assertThat(counts(told, room)).isEqualTo(i + "/0");
                assertThat(world.pushService.calls("/internal/counts")).isGreaterThan(calls);
            }
        }
        sync(ada, "since=" + since); // this node has received the name
        int calls = world.pushService.calls("/internal/counts");
        world.rooms.send(room, bob, "dear countess 4");
        assertThat(counts(sync(ada, "since=" + since), room)).isEqualTo("4/0");
        assertThat(world.pushService.calls("/internal/counts")).isEqualTo(calls);
    }

    @Test
    void twoNodesAgreeAndANewOneKnowsAsMuch() {
        var room = world.rooms.create(12, ada, bob);
        var token = sync(ada, "").nextBatch();
        world.rooms.send(room, bob, "one");
        mention(room, "two");
        try (var other = world.startNode()) {
            var there = other.get(ada, path("since=" + token));
            assertThat(counts(there, room)).isEqualTo("2/1");
            assertThat(counts(sync(ada, "since=" + token), room)).isEqualTo("2/1");
            world.rooms.receipt(room, ada, "m.read", "one", "main");
            assertThat(counts(other.get(ada, path("since=" + there.nextBatch())), room))
                    .isEqualTo("1/1");
            assertThat(counts(sync(ada, "since=" + there.nextBatch()), room)).isEqualTo("1/1");
        }
    }

    @Test
    void whatANodeOnlyGuessedIsMadeUpForByAnother() {
        var room = world.rooms.create(14, ada, bob);
        world.rooms.send(room, bob, "long ago");
        world.pushService.setAway(true);
        String since;
        try (var other = world.startNode()) {
            var guessed = other.get(ada, path(""));
            assertThat(counts(guessed, room)).isEqualTo("0/0");
            since = guessed.nextBatch();
        }
        world.pushService.setAway(false);
        var told = sync(ada, "timeout=30000&since=" + since); // no further event in the room
        assertThat(counts(told, room)).isEqualTo("1/0");
        assertThat(told.timeline(room)).isEmpty();
        var next = sync(ada, "since=" + told.nextBatch());
        assertThat(next.joined(room).isMissingNode()).isTrue();
    }
}
