// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
import tools.jackson.databind.JsonNode;

/** Device lists in sync answers and {@code /keys/changes} (contract.md 13.5). */
@SharesWorld
class SyncDeviceListsIT {
    private static final String SYNC = "/_api/client/v3/sync?";
    private static final String NO_ROOMS =
            "filter=" + URLEncoder.encode("{\"room\":{\"rooms\":[]}}", StandardCharsets.UTF_8) + "&";
    private static final String COLD = "/internal/device-lists";
    private static final int SHARD = 21;
    private static final int OTHER_SHARD = 22;

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");
    private final UserId cyd = World.user("cyd");

    @BeforeAll
    static void start() {
        node = world.node();
    }

    private record Lists(List<String> changed, List<String> left) {}

    @Test
    void bothListsAreThereAndEmptyAtFirst() {
        world.rooms.create(SHARD, ada, bob);
        var first = now(ada, null);
        assertThat(lists(first)).isEqualTo(nothing());
        assertThat(first.json().path("device_lists").propertyNames()).containsExactlyInAnyOrder("changed", "left");
        assertThat(lists(now(ada, first))).isEqualTo(nothing());
    }

    @Test
    void aChangeWakesWhoSharesARoomAndNobodyElseAndIsToldOnce() {
        world.rooms.create(SHARD, ada, bob);
        var room = world.rooms.create(SHARD, cyd);
        var first = now(ada, null);
        var stranger = node.getAsync(
                cyd,
                new DeviceId("D"),
                SYNC + "timeout=60000&since=" + now(cyd, null).nextBatch());
        var waiting = node.getAsync(ada, new DeviceId("D"), SYNC + "timeout=60000&since=" + first.nextBatch());
        int asked = world.roomService.calls(COLD);

        world.rooms.changeDevices(bob);

        var told = waiting.join();
        assertThat(lists(told)).isEqualTo(changed(bob));
        assertThat(told.json().path("rooms").path("join").isEmpty()).isTrue();
        assertThat(lists(now(ada, told))).isEqualTo(nothing());
        assertThat(lists(now(ada, first))).as("the answer was lost").isEqualTo(changed(bob));
        assertThat(world.roomService.calls(COLD)).as("from memory").isEqualTo(asked);
        assertThat(stranger.isDone()).isFalse();
        world.rooms.send(room, cyd, "end" + cyd.value());
        assertThat(lists(stranger.join())).isEqualTo(nothing());
    }

    @Test
    void onesOwnChangesAreToldByTheUserLogAlsoWithoutRooms() {
        var first = now(ada, null);
        var waiting = node.getAsync(ada, new DeviceId("D"), SYNC + "timeout=60000&since=" + first.nextBatch());
        world.users.changeKeys(ada, ada);
        var told = waiting.join();
        assertThat(lists(told)).isEqualTo(changed(ada));
        assertThat(lists(now(ada, told))).isEqualTo(nothing());
        world.users.changeKeys(ada, bob); // Ada has signed Bob's keys
        assertThat(lists(now(ada, told))).isEqualTo(changed(bob));
        assertThat(lists(now(ada, first))).isEqualTo(changed(ada, bob));
        assertThat(lists(world.startNode().get(ada, SYNC + "since=" + first.nextBatch())))
                .as("a node that has not heard of it")
                .isEqualTo(changed(ada, bob));
    }

    @Test
    void whoJoinsIsToldToAllAndToldOfAll() {
        var room = world.rooms.create(SHARD, ada, bob);
        var mine = now(ada, null);
        var theirs = now(cyd, null);
        var waiting =
                node.getAsync(ada, new DeviceId("D"), SYNC + NO_ROOMS + "timeout=60000&since=" + mine.nextBatch());
        world.rooms.member(room, cyd, cyd, Membership.JOIN);
        assertThat(lists(waiting.join())).as("whatever is shown of rooms").isEqualTo(changed(cyd));
        assertThat(lists(now(ada, mine))).isEqualTo(changed(cyd));
        assertThat(lists(now(cyd, theirs))).isEqualTo(changed(ada, bob));
        var after = now(ada, null);
        world.rooms.member(room, cyd, cyd, Membership.JOIN);
        assertThat(lists(now(ada, after))).as("another name").isEqualTo(nothing());
    }

    @Test
    void whoLeavesTheLastSharedRoomHasLeft() {
        var first = world.rooms.create(SHARD, ada, bob, cyd);
        var second = world.rooms.create(OTHER_SHARD, ada, bob);
        var before = now(ada, null);
        var strangers = now(cyd, null);

        world.rooms.member(first, bob, bob, Membership.LEAVE);

        assertThat(lists(now(ada, before))).as("another one is shared").isEqualTo(nothing());
        assertThat(lists(now(cyd, strangers))).isEqualTo(left(bob));

        var between = now(ada, before);
        world.rooms.member(second, bob, bob, Membership.BAN);

        assertThat(lists(now(ada, between))).isEqualTo(left(bob));
        assertThat(lists(now(ada, before))).as("both at once").isEqualTo(left(bob));
    }

    @Test
    void whoLeavesIsToldOfAllWithWhomTheyShareNoRoom() {
        var room = world.rooms.create(SHARD, ada, bob, cyd);
        world.rooms.create(OTHER_SHARD, ada, cyd);
        var before = now(ada, null);
        world.rooms.member(room, ada, ada, Membership.LEAVE);
        assertThat(lists(now(ada, before))).isEqualTo(left(bob));
        world.rooms.changeDevices(bob);
        assertThat(lists(now(ada, now(ada, before)))).isEqualTo(nothing());
    }

    @Test
    void whoseDevicesChangeAndWhoThenLeavesHasOnlyLeft() {
        var room = world.rooms.create(SHARD, ada, bob);
        var before = now(ada, null);
        world.rooms.changeDevices(bob);
        world.rooms.member(room, bob, bob, Membership.LEAVE);
        assertThat(lists(now(ada, before))).isEqualTo(left(bob));
        world.rooms.member(room, bob, bob, Membership.JOIN);
        assertThat(lists(now(ada, before))).isEqualTo(changed(bob));
    }

    @Test
    void manyWhoLeaveAreAskedForAtOnce() {
        var members = Stream.generate(() -> World.user("member")).limit(12).toArray(UserId[]::new);
        var room = world.rooms.create(SHARD, ada, members);
        var before = now(ada, null);
        for (var member : members) {
            world.rooms.member(room, member, member, Membership.LEAVE);
        }
        int asked = world.roomService.calls(COLD);
        assertThat(lists(now(ada, before))).isEqualTo(left(members));
        assertThat(world.roomService.calls(COLD)).isEqualTo(asked + 1);
    }

    @Test
    void anOldTokenIsAnsweredFromTheDatabase() {
        var room = world.rooms.create(SHARD, ada, bob);
        var before = now(ada, null);
        world.rooms.changeDevices(bob);
        world.rooms.member(room, cyd, cyd, Membership.JOIN);
        var fresh = world.startNode();
        int asked = world.roomService.calls(COLD);
        assertThat(lists(fresh.get(ada, SYNC + "since=" + before.nextBatch()))).isEqualTo(changed(bob, cyd));
        assertThat(world.roomService.calls(COLD)).isEqualTo(asked + 1);
    }

    @Test
    void nobodyOfAnotherTenantIsNamed() {
        var there = new UserId("@" + bob.localpart() + ":other");
        RoomId room = world.rooms.create(new TenantId(2), SHARD, there);
        world.rooms.create(SHARD, ada, bob);
        var before = now(ada, null);
        world.rooms.changeDevices(there);
        world.rooms.send(room, there, "said" + bob.value());
        assertThat(lists(now(ada, before))).isEqualTo(nothing());
        assertThat(lists(changes(before, now(ada, before)))).isEqualTo(nothing());
    }

    @Test
    void keyChangesAgreeWithSync() {
        var room = world.rooms.create(SHARD, ada, bob);
        var dan = World.user("dan");
        world.rooms.member(room, dan, dan, Membership.JOIN);
        var first = now(ada, null);
        world.rooms.changeDevices(bob);
        world.users.changeKeys(ada, ada);
        var second = now(ada, first);
        world.rooms.member(room, cyd, cyd, Membership.JOIN);
        world.rooms.member(room, dan, dan, Membership.LEAVE);
        var third = now(ada, second);
        assertThat(lists(second)).isEqualTo(changed(ada, bob));
        assertThat(lists(changes(first, second))).isEqualTo(lists(second));
        assertThat(lists(changes(second, third))).isEqualTo(lists(third));
        assertThat(lists(changes(first, third))).isEqualTo(new Lists(ids(ada, bob, cyd), ids(dan)));
        assertThat(lists(changes(third, third))).isEqualTo(nothing());
        assertThat(lists(changes(third, first))).isEqualTo(nothing());
    }

    @Test
    void keyChangesNeedTwoTokensOfTheCaller() {
        String mine = now(ada, null).nextBatch();
        String path = "/_api/client/v3/keys/changes";
        assertThat(refusal(path)).isEqualTo("400 M_MISSING_PARAM");
        assertThat(refusal(path + "?from=" + mine)).isEqualTo("400 M_MISSING_PARAM");
        assertThat(refusal(path + "?to=" + mine)).isEqualTo("400 M_MISSING_PARAM");
        assertThat(refusal(path + "?from=" + mine + "&to=x")).isEqualTo("400 M_INVALID_PARAM");
        assertThat(refusal(path + "?to=" + mine + "&from=")).isEqualTo("400 M_MISSING_PARAM");
        assertThat(refusal(path + "?to=" + mine + "&from=" + now(bob, null).nextBatch()))
                .isEqualTo("400 M_INVALID_PARAM");
    }

    private String refusal(String path) {
        var answer = node.get(ada, path);
        return answer.status() + " " + answer.json().path("errcode").asString();
    }

    private Answer changes(Answer from, Answer to) {
        var answer = node.get(ada, "/_api/client/v3/keys/changes?from=" + from.nextBatch() + "&to=" + to.nextBatch());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private static Answer now(UserId user, @org.jspecify.annotations.Nullable Answer since) {
        var answer = node.get(user, SYNC + "timeout=0" + (since == null ? "" : "&since=" + since.nextBatch()));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private static Lists lists(Answer answer) {
        var lists = answer.json().has("device_lists") ? answer.json().path("device_lists") : answer.json();
        return new Lists(users(lists.path("changed")), users(lists.path("left")));
    }

    private static List<String> users(JsonNode list) {
        var users = new ArrayList<String>();
        list.forEach(user -> users.add(user.asString()));
        users.sort(String::compareTo);
        return users;
    }

    private static Lists nothing() {
        return new Lists(List.of(), List.of());
    }

    private static Lists changed(UserId... users) {
        return new Lists(ids(users), List.of());
    }

    private static Lists left(UserId... users) {
        return new Lists(List.of(), ids(users));
    }

    private static List<String> ids(UserId... users) {
        return Stream.of(users).map(UserId::value).sorted().toList();
    }
}
