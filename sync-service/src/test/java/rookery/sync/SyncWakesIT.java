// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

/** Wakes of waiting requests (contract.md 10.7). A request without a wake gets an empty answer at its timeout. */
@SharesWorld
class SyncWakesIT {
    private static final String SYNC = "/_api/client/v3/sync?timeout=25000&since=";
    private static final int SHARD = 3;

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.node();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "join/timeline:message",
                "join/timeline:topic",
                "join/timeline:kick of bob",
                "join/ephemeral:receipt of bob",
                "join/ephemeral:receipt of ada",
                "join/ephemeral:private receipt of ada",
                "join/ephemeral:typing",
                "join/account_data:tag",
                "leave/timeline:kick of ada"
            })
    void whatHappensInARoomEndsTheWaiting(String what) {
        var room = world.rooms.create(SHARD, bob, ada);
        world.rooms.send(room, bob, "old" + ada.localpart());
        var waiting = waiting(ada, "");

        happen(room, what.substring(what.indexOf(':') + 1));

        var answer = waiting.join();
        var place = what.substring(0, what.indexOf(':')).split("/", -1);
        var part = answer.json()
                .path("rooms")
                .path(place[0])
                .path(room.value())
                .path(place[1])
                .path("events");
        assertThat(part.size()).as(answer.body()).isEqualTo(1);
        if (place[1].equals("ephemeral")) {
            assertThat(part.path(0).propertyNames()).containsExactlyInAnyOrder("type", "content");
        }
    }

    private void happen(RoomId room, String what) {
        var old = "old" + ada.localpart();
        switch (what) {
            case "message" -> world.rooms.send(room, bob, "new" + ada.localpart());
            case "topic" -> world.rooms.state(room, bob, "m.room.topic", "topic" + ada.localpart());
            case "kick of bob" -> world.rooms.member(room, ada, bob, Membership.LEAVE);
            case "kick of ada" -> world.rooms.member(room, bob, ada, Membership.LEAVE);
            case "receipt of bob" -> world.rooms.receipt(room, bob, "m.read", old, null);
            case "receipt of ada" -> world.rooms.receipt(room, ada, "m.read", old, null);
            case "private receipt of ada" -> world.rooms.receipt(room, ada, "m.read.private", old, null);
            case "typing" ->
                world.type(new TenantId(1), room, bob, world.rooms.log().heads()[SHARD], 30_000);
            case "tag" -> world.users.set(ada, room, "m.tag", "{\"tags\":{}}");
            default -> throw new IllegalArgumentException(what);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"invite", "knock", "join"})
    void aRoomThatOneComesToEndsTheWaiting(String section) {
        var room = world.rooms.create(SHARD, bob);
        var waiting = waiting(ada, "");
        var membership = Membership.of(section).orElseThrow();
        world.rooms.member(room, section.equals("invite") ? bob : ada, ada, membership);
        assertThat(waiting.join().json().path("rooms").path(section).has(room.value()))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"m.direct", "m.push_rules", "m.ignored_user_list"})
    void globalAccountDataEndsTheWaiting(String type) {
        var waiting = waiting(ada, "");
        var content = "{\"changed\":{}}";
        world.users.set(ada, null, type, content);
        assertThat(waiting.join().data(type).toString()).isEqualTo(content);
    }

    @Test
    void whatIsNotWantedEndsNothingAndIsNotToldLaterEither() {
        var room = world.rooms.create(SHARD, bob, ada);
        var filter = "{\"room\":{\"timeline\":{\"types\":[\"m.room.topic\"]},\"ephemeral\":{\"types\":[]},"
                + "\"account_data\":{\"types\":[]}},\"account_data\":{\"types\":[]}}";
        var waiting = waiting(ada, "&filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8));
        happen(room, "message");
        happen(room, "receipt of bob");
        happen(room, "typing");
        happen(room, "tag");
        world.users.set(ada, null, "m.direct", "{}");
        happen(room, "topic");
        var told = waiting.join();
        assertThat(told.timeline(room)).containsExactly("topic" + ada.localpart());
        assertThat(told.joined(room).path("ephemeral").path("events").isEmpty()).isTrue();
        assertThat(told.joined(room).path("account_data").path("events").isEmpty())
                .isTrue();
        assertThat(told.data("m.direct").isMissingNode()).isTrue();
    }

    @Test
    void whoComesToASmallRoomIsCountedWhetherOrNotMembersAreWanted() {
        var room = world.rooms.create(SHARD, bob, ada);
        var filter = "{\"room\":{\"timeline\":{\"types\":[\"m.room.message\"]},\"state\":{\"types\":[]}}}";
        var waiting = waiting(ada, "&filter=" + URLEncoder.encode(filter, StandardCharsets.UTF_8));
        var eve = World.user("eve");
        world.rooms.member(room, eve, eve, Membership.JOIN);
        var told = waiting.join().joined(room);
        assertThat(told.path("summary").path("m.joined_member_count").asInt()).isEqualTo(3);
        assertThat(told.path("summary").path("m.heroes").toString()).contains(eve.value());
        assertThat(told.path("timeline").path("events").isEmpty()).isTrue();
    }

    @Test
    void whatWasHeldBackIsToldOnceItsSenderIsNotIgnoredAnyMore() {
        var room = world.rooms.create(SHARD, bob, ada);
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        world.counts.ignore(bob); // push-service's counts would wake the request
        SyncNode.until(() -> node.get(ada, "/_api/client/v3/sync").body().contains("{\"" + bob.value() + "\":{}}"));
        var waiting = waiting(ada, "");
        happen(room, "message");
        var filter = URLEncoder.encode("{\"room\":{\"timeline\":{\"limit\":1}}}", StandardCharsets.UTF_8);
        node.get(ada, "/_api/client/v3/sync?filter=" + filter); // the waiting request has probably looked by now
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{}}");
        assertThat(waiting.join().timeline(room)).containsExactly("new" + ada.localpart());
    }

    /** Counts by a newer ignore list must not complete a look whose events were filtered by the older list. */
    @Test
    void aLookThatHasTakenAnOlderIgnoreListDoesNotCountByANewerOne() {
        try (var cold = world.startNode(
                "--rookery.tenants[0].presence=false",
                "--rookery.sync.ring.fill-entries=0",
                "--rookery.sync.ring.entries-max=2")) {
            var room = world.rooms.create(SHARD, bob, ada);
            var busy = world.rooms.create(SHARD, bob, ada);
            world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
            world.counts.ignore(bob);
            var since = cold.get(ada, "/_api/client/v3/sync").nextBatch();
            happen(room, "message");
            for (int i = 0; i < 3; i++) { // more than the ring keeps
                world.rooms.send(busy, bob, "busy" + i + ada.localpart());
            }
            var other = cold.get(ada, "/_api/client/v3/sync");
            int calls = world.roomService.calls("/internal/sync");
            world.roomService.hold("/internal/sync");
            var waiting = cold.getAsync(ada, new DeviceId("D"), SYNC + since);
            SyncNode.until(() -> world.roomService.calls("/internal/sync") > calls);
            world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{}}");
            var seen = cold.get(ada, "/_api/client/v3/sync?since=" + other.nextBatch());
            assertThat(seen.body()).contains("{\"ignored_users\":{}}");
            world.roomService.release();
            var told = waiting.join();
            assertThat(told.timeline(room)).as(told.body()).containsExactly("new" + ada.localpart());
            assertThat(told.timeline(busy)).hasSize(3);
        }
    }

    @Test
    void theRoomsOfOthersEndNothing() {
        var theirs = world.rooms.create(SHARD, bob);
        var mine = world.rooms.create(SHARD, ada, bob);
        var waiting = waiting(ada, "");
        world.rooms.send(theirs, bob, "theirs" + ada.localpart());
        world.users.set(bob, null, "m.direct", "{}");
        world.rooms.send(mine, bob, "mine" + ada.localpart());
        var rooms = waiting.join().json().path("rooms");
        assertThat(rooms.path("join").propertyNames()).containsExactly(mine.value());
        assertThat(names(rooms.path("join").path(mine.value()))).containsExactly("mine" + ada.localpart());
    }

    @Test
    void moreThanTheNodeHoldsAreToldToComeBack() {
        try (var small = world.startNode("--rookery.sync.waiting.requests-max=2")) {
            var since = small.get(ada, "/_api/client/v3/sync").nextBatch();
            var first = small.getAsync(ada, new DeviceId("D"), SYNC + since);
            var second = small.getAsync(ada, new DeviceId("E"), SYNC + since);
            SyncNode.until(() -> small.meter("sync_waiters") == 2);
            var refused = small.get(bob, "/_api/client/v3/sync");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"errcode\":\"M_UNKNOWN\"", "try again");
            assertThat(small.bean(MeterRegistry.class)
                            .get("sync_failures")
                            .counter()
                            .count())
                    .isEqualTo(1);
            world.users.set(ada, null, "m.direct", "{}");
            assertThat(first.join().status()).isEqualTo(200);
            assertThat(second.join().status()).isEqualTo(200);
            SyncNode.until(() -> small.get(bob, "/_api/client/v3/sync").status() == 200);
        }
    }

    private static Iterable<String> names(JsonNode room) {
        return Answer.names(room.path("timeline").path("events"));
    }

    /** Returns when the request waits. */
    private static CompletableFuture<Answer> waiting(UserId user, String more) {
        var since = node.get(user, "/_api/client/v3/sync").nextBatch();
        double before = node.meter("sync_waiters");
        var call = node.getAsync(user, new DeviceId("D"), SYNC + since + more);
        SyncNode.until(() -> node.meter("sync_waiters") > before);
        return call;
    }
}
