// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

/** Sync over HTTP, without faults. */
@SharesWorld
class SyncIT {
    private static final DeviceId DEVICE = new DeviceId("D");

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.node();
    }

    @Test
    void theFirstAnswerIsTheWholePicture() {
        var room = world.rooms.create(1, ada, bob);
        world.rooms.send(room, bob, "hello");
        var answer = sync(ada, "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.timeline(room)).endsWith("hello");
        assertThat(answer.joined(room)
                        .path("summary")
                        .path("m.joined_member_count")
                        .asInt())
                .isEqualTo(2);
        for (var section : List.of("join", "invite", "knock", "leave")) {
            assertThat(answer.json().path("rooms").path(section).isObject()).isTrue();
        }
        assertThat(answer.json().path("device_one_time_keys_count").toString()).isEqualTo("{\"signed_curve25519\":0}");
        assertThat(answer.json().path("device_unused_fallback_key_types").isArray())
                .isTrue();
        assertThat(answer.data("m.push_rules").toString()).contains("global");
        assertThat(answer.data("m.ignored_user_list").toString()).isEqualTo("{\"ignored_users\":{}}");
    }

    @Test
    void aMessageIsToldOnceAndWithoutAskingAnybody() {
        var room = world.rooms.create(1, ada, bob);
        var first = sync(ada, "");
        double cold = node.coldCalls();
        world.rooms.send(room, bob, "hello");
        var second = sync(ada, "timeout=20000&since=" + first.nextBatch());
        assertThat(second.timeline(room)).containsExactly("hello");
        assertThat(second.joined(room).path("timeline").path("limited").asBoolean(true))
                .isFalse();
        assertThat(second.joined(room).path("unread_notifications").toString())
                .isEqualTo("{\"notification_count\":1,\"highlight_count\":0}");
        var third = sync(ada, "timeout=1&since=" + second.nextBatch());
        assertThat(third.joined(room).isMissingNode()).isTrue();
        assertThat(node.coldCalls()).isEqualTo(cold);
    }

    @Test
    void whoWaitsIsToldAtOnce() {
        var room = world.rooms.create(2, ada, bob);
        var waiting = waiting(ada, sync(ada, "").nextBatch());
        world.rooms.send(room, bob, "hello");
        assertThat(waiting.join().timeline(room)).containsExactly("hello");
    }

    @Test
    void theSenderSeesTheirTransactionAndOthersDoNot() {
        var room = world.rooms.create(2, ada, bob);
        var adas = waiting(ada, sync(ada, "").nextBatch());
        var bobs = waiting(bob, sync(bob, "").nextBatch());
        world.rooms.send(room, bob, "hello");
        assertThat(unsigned(bobs.join(), room)).contains("\"transaction_id\":\"hello\"");
        assertThat(unsigned(adas.join(), room)).doesNotContain("transaction_id");
    }

    private static String unsigned(Answer answer, RoomId room) {
        return answer.joined(room)
                .path("timeline")
                .path("events")
                .path(0)
                .path("unsigned")
                .toString();
    }

    @Test
    void aUnitIsToldAllAtOnce() {
        var before = sync(ada, "").nextBatch();
        var waiting = waiting(ada, before);
        var room = world.rooms.create(3, ada, bob);
        assertThat(waiting.join().timeline(room)).hasSize(3);
    }

    @Test
    void aLongUnitIsToldAllAtOnceInHoweverManyPiecesItArrives() {
        var waiting = waiting(ada, sync(ada, "").nextBatch());
        var others = new UserId[400]; // the first user waits; more users than one poll of Kafka returns
        Arrays.setAll(others, i -> i == 0 ? ada : new UserId("@m" + i + ":s"));
        var room = world.rooms.create(3, bob, others);
        var events = waiting.join().joined(room).path("timeline").path("events");
        assertThat(events.path(events.size() - 1).path("state_key").asString()).isEqualTo("@m399:s");
    }

    @Test
    void anInviteAndAJoinAreTold() {
        var room = world.rooms.create(3, bob);
        var waiting = waiting(ada, sync(ada, "").nextBatch());
        world.rooms.member(room, bob, ada, Membership.INVITE);
        var invited = waiting.join();
        var invite = invited.json().path("rooms").path("invite").path(room.value());
        assertThat(invite.path("invite_state").path("events").size())
                .as(invited.body())
                .isEqualTo(1);
        var again = waiting(ada, invited.nextBatch());
        world.rooms.member(room, ada, ada, Membership.JOIN);
        var joined = again.join();
        assertThat(joined.timeline(room)).hasSize(4);
        assertThat(joined.json().path("rooms").path("invite").isEmpty()).isTrue();
        var more = waiting(ada, joined.nextBatch());
        world.rooms.send(room, bob, "welcome");
        assertThat(more.join().timeline(room)).containsExactly("welcome");
    }

    @Test
    void aKickIsToldOnceAndNothingAfterwards() {
        var room = world.rooms.create(3, bob, ada);
        var waiting = waiting(ada, sync(ada, "").nextBatch());
        world.rooms.member(room, bob, ada, Membership.LEAVE);
        world.rooms.send(room, bob, "gone");
        var kicked = waiting.join();
        var left = kicked.json().path("rooms").path("leave").path(room.value());
        assertThat(left.path("timeline").path("events").size()).isEqualTo(1);
        var after = sync(ada, "since=" + kicked.nextBatch());
        assertThat(after.json().path("rooms").path("leave").isEmpty()).isTrue();
        assertThat(after.joined(room).isMissingNode()).isTrue();
    }

    @Test
    void aGapIsLimitedAndItsStateIsExact() {
        var room = world.rooms.create(4, ada, bob);
        var since = sync(ada, "").nextBatch();
        world.rooms.state(room, bob, "m.room.topic", "topic" + ada.localpart());
        for (int i = 0; i < 12; i++) {
            world.rooms.send(room, bob, "m" + i);
        }
        double cold = node.coldCalls();
        var answer = sync(ada, "since=" + since);
        assertThat(answer.timeline(room)).hasSize(10).startsWith("m2").endsWith("m11");
        assertThat(answer.joined(room).path("timeline").path("limited").asBoolean(false))
                .isTrue();
        assertThat(Answer.names(answer.joined(room).path("state").path("events")))
                .containsExactly("topic" + ada.localpart());
        assertThat(node.coldCalls()).isEqualTo(cold);
    }

    @Test
    void whatTheFilterRemovesMovesTheTokenSilently() {
        var room = world.rooms.create(4, ada, bob);
        var since = sync(ada, "").nextBatch();
        var filter = encoded("{\"room\":{\"timeline\":{\"types\":[\"m.room.name\"]}}}");
        world.rooms.send(room, bob, "unwanted");
        var answer = sync(ada, "filter=" + filter + "&since=" + since);
        assertThat(answer.joined(room).isMissingNode()).isTrue();
        assertThat(sync(ada, "since=" + answer.nextBatch()).joined(room).isMissingNode())
                .isTrue();
        assertThat(sync(ada, "since=" + since).timeline(room)).containsExactly("unwanted");
    }

    @Test
    void accountDataIsToldWhenItChanges() {
        var room = world.rooms.create(5, ada);
        world.users.set(ada, null, "m.direct", "{\"a\":[]}");
        var first = sync(ada, "");
        assertThat(first.data("m.direct").toString()).isEqualTo("{\"a\":[]}");
        var waiting = waiting(ada, first.nextBatch());
        world.users.set(ada, room, "m.tag", "{\"tags\":{}}");
        var second = waiting.join();
        assertThat(second.joined(room).path("account_data").path("events").toString())
                .isEqualTo("[{\"type\":\"m.tag\",\"content\":{\"tags\":{}}}]");
        assertThat(second.data("m.direct").isMissingNode()).isTrue();
        assertThat(second.data("m.push_rules").isMissingNode()).isFalse();
        world.users.set(ada, null, "m.push_rules", "{\"global\":{\"mine\":[]}}");
        assertThat(sync(ada, "timeout=20000&since=" + second.nextBatch())
                        .data("m.push_rules")
                        .toString())
                .contains("mine");
    }

    @Test
    void deletionOfAccountDataIsToldToWhoHadThem() {
        var room = world.rooms.create(5, ada, bob);
        world.users.set(ada, null, "m.direct", "{\"a\":[]}");
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        world.users.set(ada, room, "m.x", "{\"a\":1}");
        var first = sync(ada, "");
        assertThat(first.joined(room).path("account_data").path("events")).hasSize(1);
        world.users.set(ada, null, "m.direct", "{}");
        world.users.set(ada, null, "m.ignored_user_list", "{}");
        world.users.set(ada, room, "m.x", "{}");

        var second = sync(ada, "timeout=20000&since=" + first.nextBatch());
        var initial = sync(ada, "");

        assertThat(second.data("m.direct").toString()).isEqualTo("{}");
        assertThat(second.joined(room).path("account_data").path("events").toString())
                .isEqualTo("[{\"type\":\"m.x\",\"content\":{}}]");
        assertThat(initial.data("m.direct").isMissingNode()).isTrue();
        assertThat(initial.joined(room).path("account_data").path("events").isEmpty())
                .isTrue();
        for (var answer : List.of(second, initial)) {
            assertThat(answer.data("m.ignored_user_list").toString()).isEqualTo("{\"ignored_users\":{}}");
        }
    }

    @Test
    void whoIsIgnoredIsNotHeard() {
        var room = world.rooms.create(5, ada, bob);
        var first = sync(ada, "");
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        var second = sync(ada, "timeout=20000&since=" + first.nextBatch());
        world.rooms.send(room, bob, "ignored");
        world.rooms.send(room, ada, "mine");
        assertThat(sync(ada, "since=" + second.nextBatch()).timeline(room)).containsExactly("mine");
    }

    @Test
    void nobodyIgnoresThemselves() {
        var room = world.rooms.create(5, ada, bob);
        var list = "{\"ignored_users\":{\"" + ada.value() + "\":{}}}";
        var first = sync(ada, "");
        world.users.set(ada, null, "m.ignored_user_list", list);
        var second = sync(ada, "timeout=20000&since=" + first.nextBatch());
        assertThat(second.data("m.ignored_user_list").toString()).isEqualTo(list);
        world.rooms.send(room, ada, "mine");
        assertThat(sync(ada, "since=" + second.nextBatch()).timeline(room)).containsExactly("mine");
    }

    @Test
    void stateOfWhoIsIgnoredIsToldAndMessagesWakeNobody() {
        var room = world.rooms.create(5, ada, bob);
        var first = sync(ada, "");
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        var second = sync(ada, "timeout=20000&since=" + first.nextBatch());
        var waiting = waiting(ada, second.nextBatch());
        world.rooms.send(room, bob, "noise");
        world.rooms.state(room, bob, "m.room.topic", "topic");
        var third = waiting.join();
        assertThat(third.timeline(room)).containsExactly("topic");
        assertThat(third.joined(room).path("timeline").path("limited").asBoolean(true))
                .isFalse();
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{}}");
        var fourth = sync(ada, "timeout=20000&since=" + third.nextBatch());
        world.rooms.send(room, bob, "heard");
        assertThat(sync(ada, "timeout=20000&since=" + fourth.nextBatch()).timeline(room))
                .containsExactly("heard");
    }

    @Test
    void theEndOfASessionEndsItsPolls() {
        var token = sync(ada, "").nextBatch();
        var waiting = waiting(ada, token);
        var other = node.getAsync(ada, new DeviceId("E"), "/_api/client/v3/sync?timeout=500&since=" + token);
        world.users.endSession(ada, DEVICE);
        var ended = waiting.join();
        assertThat(ended.status()).isEqualTo(401);
        assertThat(ended.json().path("errcode").asString()).isEqualTo("M_UNKNOWN_TOKEN");
        assertThat(ended.json().path("soft_logout").asBoolean(true)).isFalse();
        assertThat(other.join().status()).isEqualTo(200);
    }

    @Test
    void whoHangsUpIsForgotten() {
        var token = sync(ada, "").nextBatch();
        double before = node.meter("sync_waiters");
        var calls = java.util.stream.IntStream.range(0, 20)
                .mapToObj(_ -> node.getAsync(ada, DEVICE, "/_api/client/v3/sync?timeout=30000&since=" + token))
                .toList();
        SyncNode.until(() -> node.meter("sync_waiters") >= before + 20);
        calls.forEach(call -> call.cancel(true));
        SyncNode.until(() -> node.meter("sync_waiters") <= before);
    }

    @Test
    void aTokenOfSomebodyElseIsRefused() {
        var token = sync(ada, "").nextBatch();
        for (var bad : List.of("since=" + token + "x", "since=s1234")) {
            assertThat(sync(ada, bad).status()).isEqualTo(400);
        }
        var foreign = sync(bob, "since=" + token);
        assertThat(foreign.status()).isEqualTo(400);
        assertThat(foreign.json().path("errcode").asString()).isEqualTo("M_INVALID_PARAM");
    }

    @Test
    void anotherTenantsRoomsDoNotShow() {
        var theirs = new UserId("@" + ada.localpart() + ":other");
        var room = world.rooms.create(new TenantId(2), 1, theirs);
        assertThat(sync(theirs, "").timeline(room)).hasSize(2);
        assertThat(sync(ada, "").joined(room).isMissingNode()).isTrue();
    }

    @Test
    void filtersAreSavedAndUsed() {
        var room = world.rooms.create(6, ada, bob);
        var saved = node.post(ada, "/_api/client/v3/filter", "{\"room\":{\"timeline\":{\"limit\":1}}}");
        assertThat(saved.status()).isEqualTo(200);
        String id = saved.json().path("filter_id").asString();
        assertThat(node.get(ada, "/_api/client/v3/user/" + ada.value() + "/filter/" + id)
                        .json()
                        .toString())
                .isEqualTo("{\"room\":{\"timeline\":{\"limit\":1}}}");
        assertThat(node.get(bob, "/_api/client/v3/user/" + ada.value() + "/filter/" + id)
                        .status())
                .isEqualTo(403);
        assertThat(node.get(bob, "/_api/client/v3/filter/" + id).status()).isEqualTo(404);
        assertThat(sync(ada, "filter=" + id).timeline(room)).hasSize(1);
        assertThat(sync(ada, "filter=nosuch").status()).isEqualTo(400);
        assertThat(sync(ada, "filter=" + encoded("{nonsense"))
                        .json()
                        .path("errcode")
                        .asString())
                .isEqualTo("M_NOT_JSON");
        assertThat(sync(ada, "filter=" + encoded("{\"room\":1}"))
                        .json()
                        .path("errcode")
                        .asString())
                .isEqualTo("M_BAD_JSON");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Answer sync(UserId user, String query) {
        return node.get(user, "/_api/client/v3/sync?" + query);
    }

    /** Returns when the request waits. */
    private static CompletableFuture<Answer> waiting(UserId user, String since) {
        double before = node.meter("sync_waiters");
        var call = node.getAsync(user, DEVICE, "/_api/client/v3/sync?timeout=25000&since=" + since);
        SyncNode.until(() -> node.meter("sync_waiters") > before);
        return call;
    }
}
