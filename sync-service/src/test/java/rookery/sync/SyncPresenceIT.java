// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.sync.presence.PresenceSets;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Presence (contract.md 13.5), on two nodes that publish to each other. */
@SharesWorld
class SyncPresenceIT {
    private static final DeviceId DEVICE = new DeviceId("D");
    private static final String SYNC = "/_api/client/v3/sync?";

    /** A renewal would hide a change that was not published. */
    private static final String NEVER_REPEATED = "--rookery.sync.presence.repeat-every=1h";

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;
    private static SyncNode other;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        // without gathering, which would skip states of a few hundred milliseconds
        node = world.startNode(
                "--rookery.sync.presence.round=50ms",
                "--rookery.sync.presence.offline-after=300ms",
                "--rookery.sync.gathering.least=0",
                "--rookery.sync.gathering.interval=0",
                NEVER_REPEATED);
        other = world.startNode(
                "--rookery.sync.presence.round=50ms",
                "--rookery.sync.presence.offline-after=300ms",
                "--rookery.sync.gathering.least=0",
                "--rookery.sync.gathering.interval=0",
                NEVER_REPEATED,
                "--rookery.tenants[1].presence=false");
    }

    private static JsonNode content(Answer answer, UserId user) {
        for (var event : answer.json().path("presence").path("events")) {
            if (event.path("sender").asString("").equals(user.value())) {
                assertThat(event.path("type").stringValue()).isEqualTo("m.presence");
                return event.path("content");
            }
        }
        return JsonMapper.shared().missingNode();
    }

    /** Polls until an answer has the user in the state; returns the event. */
    private static JsonNode seen(SyncNode at, UserId reader, String since, UserId user, String state) {
        String token = since;
        for (int i = 0; i < 200; i++) {
            var answer = at.get(reader, SYNC + "set_presence=offline&timeout=2000&since=" + token);
            if (content(answer, user).path("presence").asString("").equals(state)) {
                return content(answer, user);
            }
            token = answer.nextBatch();
        }
        throw new AssertionError(user + " was never seen as " + state);
    }

    private static String unseen(SyncNode at, UserId user, String query) {
        return at.get(user, SYNC + "set_presence=offline" + query).nextBatch();
    }

    private static CompletableFuture<Answer> polling(SyncNode at, UserId user, String since) {
        return at.getAsync(user, DEVICE, SYNC + "timeout=25000&since=" + since);
    }

    @Test
    void whoComesAndGoesIsSeenByThoseInARoomWithThemAndByNobodyElse() {
        world.rooms.create(1, ada, bob);
        var stranger = World.user("stranger");
        world.rooms.create(2, stranger);
        var since = unseen(node, ada, "");
        var strangers = unseen(node, stranger, "");
        var bobs = other.get(bob, SYNC).nextBatch();
        var content = seen(node, ada, since, bob, "online");
        assertThat(content.path("currently_active").booleanValue()).isTrue();
        assertThat(content.path("last_active_ago").longValue()).isNotNegative();
        seen(node, ada, since, bob, "offline"); // Bob is offline
        var back = polling(other, bob, bobs);
        seen(node, ada, since, bob, "online"); // the first request waits by now
        var told = node.get(stranger, SYNC + "since=" + strangers);
        assertThat(content(told, bob).isMissingNode()).isTrue();
        back.cancel(true);
    }

    @Test
    void whoSyncsAsOfflineIsNotSeenAndWhoIsUnavailableIsSeenSo() {
        world.rooms.create(3, ada, bob);
        var since = unseen(node, ada, "");
        unseen(other, bob, "");
        other.get(bob, SYNC + "set_presence=unavailable");
        seen(node, ada, since, bob, "unavailable");
        assertThat(status(node, ada, bob).path("presence").stringValue()).isNotEqualTo("online");
    }

    @Test
    void aStatusIsSetAndToldOnBothNodes() {
        world.rooms.create(4, ada, bob);
        var sinceHere = unseen(node, ada, "");
        var sinceThere = unseen(other, ada, "");
        var poll = polling(node, bob, node.get(bob, SYNC).nextBatch());
        var set = node.put(bob, path(bob), "{\"presence\":\"online\",\"status_msg\":\"at tea\"}");
        assertThat(set.status() + set.body()).isEqualTo("200{}");
        SyncNode.until(
                () -> status(other, ada, bob).path("status_msg").asString("").equals("at tea"));
        SyncNode.until(
                () -> status(node, ada, bob).path("status_msg").asString("").equals("at tea"));
        seen(node, ada, sinceHere, bob, "online");
        seen(other, ada, sinceThere, bob, "online");
        poll.cancel(true);
    }

    @Test
    void inALargeRoomPresenceIsToldWithTheNextAnswerHoweverOftenTheRequestWasWokenBefore() {
        var room = world.rooms.create(5, ada, bob);
        try (var large =
                world.startNode("--rookery.sync.presence.round=50ms", "--rookery.sync.presence.wake-readers-max=0")) {
            large.get(bob, SYNC);
            var filter = URLEncoder.encode("{\"account_data\":{\"types\":[]}}", StandardCharsets.UTF_8);
            var waiting = large.getAsync(
                    ada,
                    DEVICE,
                    SYNC + "set_presence=offline&timeout=25000&filter=" + filter + "&since=" + unseen(large, ada, ""));
            SyncNode.until(() -> large.meter("sync_waiters") > 0);
            large.put(bob, path(bob), "{\"presence\":\"online\",\"status_msg\":\"at tea\"}");
            SyncNode.until(() -> content(large.get(ada, SYNC + "set_presence=offline"), bob)
                    .path("status_msg")
                    .asString("")
                    .equals("at tea"));
            world.users.set(ada, null, "org.example.unwanted", "{\"n\":1}");
            SyncNode.until(
                    () -> large.get(ada, SYNC + "set_presence=offline").body().contains("org.example.unwanted"));
            large.get(ada, SYNC + "set_presence=offline"); // the waiting request has probably looked by now
            world.rooms.send(room, bob, "back" + ada.localpart());
            assertThat(content(waiting.join(), bob).path("status_msg").asString(""))
                    .isEqualTo("at tea");
        }
    }

    /** Both users are online before, and their presence does not change. */
    @Test
    void whoJoinsIsSeenByTheMembersAndSeesThem() {
        var room = world.rooms.create(8, ada);
        world.rooms.create(9, bob);
        var adas = polling(node, ada, node.get(ada, SYNC).nextBatch());
        var bobs = polling(other, bob, other.get(bob, SYNC).nextBatch());
        for (var each : List.of(node, other)) {
            SyncNode.until(() -> isOnline(each, ada) && isOnline(each, bob));
        }
        var seenByAda = unseen(node, ada, "");
        var seenByBob = unseen(other, bob, "");
        world.rooms.member(room, bob, bob, Membership.JOIN);
        assertThat(seen(node, ada, seenByAda, bob, "online")
                        .path("currently_active")
                        .booleanValue())
                .isTrue();
        seen(other, bob, seenByBob, ada, "online");
        adas.cancel(true);
        bobs.cancel(true);
    }

    /** Whether the node has the user as online. */
    private static boolean isOnline(SyncNode at, UserId user) {
        var said = at.bean(PresenceSets.class).find(new TenantId(1), user);
        return said != null && said.state().equals("online");
    }

    @Test
    void aNewNameIsToldWithPresence() {
        world.rooms.create(5, ada, bob);
        var since = unseen(node, ada, "");
        var poll = polling(other, bob, other.get(bob, SYNC).nextBatch());
        seen(node, ada, since, bob, "online");
        world.users.rename(bob, "Robert");
        String token = since;
        while (true) {
            var answer = node.get(ada, SYNC + "set_presence=offline&timeout=2000&since=" + token);
            if (content(answer, bob).path("displayname").asString("").equals("Robert")) {
                break;
            }
            token = answer.nextBatch();
        }
        poll.cancel(true);
    }

    @Test
    void theIgnoredAreNotSeenAndFiltersHold() {
        world.rooms.create(6, ada, bob);
        var poll = polling(node, bob, node.get(bob, SYNC).nextBatch());
        SyncNode.until(
                () -> status(node, ada, bob).path("presence").asString("").equals("online"));
        SyncNode.until(() ->
                !content(node.get(ada, SYNC + "set_presence=offline"), bob).isMissingNode());
        for (var filter : List.of(
                "{\"types\":[]}",
                "{\"not_types\":[\"m.pres*\"]}",
                "{\"senders\":[]}",
                "{\"not_senders\":[\"" + bob.value() + "\"]}")) {
            assertThat(filtered(filter).isMissingNode()).as(filter).isTrue();
        }
        for (var filter : List.of(
                "{\"types\":[\"m.presence\"]}", "{\"senders\":[\"" + bob.value() + "\"]}", "{\"contains_url\":true}")) {
            assertThat(filtered(filter).isMissingNode()).as(filter).isFalse();
        }
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"" + bob.value() + "\":{}}}");
        SyncNode.until(
                () -> content(node.get(ada, SYNC + "set_presence=offline"), bob).isMissingNode());
        poll.cancel(true);
    }

    private JsonNode filtered(String presence) {
        var filter = URLEncoder.encode("{\"presence\":" + presence + "}", StandardCharsets.UTF_8);
        return content(node.get(ada, SYNC + "set_presence=offline&filter=" + filter), bob);
    }

    @Test
    void onlyWhoSharesARoomMayAskAndOnlyOneselfMaySet() {
        world.rooms.create(7, ada);
        assertThat(node.get(ada, path(bob)).status()).isEqualTo(403);
        assertThat(node.get(ada, path(new UserId("@nobody:s"))).status()).isEqualTo(403);
        assertThat(node.get(ada, "/_api/client/v3/presence/nonsense/status").status())
                .isEqualTo(403);
        assertThat(node.get(ada, path(new UserId("@" + ada.localpart() + ":other")))
                        .status())
                .isEqualTo(403);
        assertThat(node.put(ada, path(bob), "{\"presence\":\"online\"}").status())
                .isEqualTo(403);
        assertThat(node.put(ada, path(ada), "{\"presence\":\"away\"}").status()).isEqualTo(400);
        assertThat(node.put(ada, path(ada), "{}").status()).isEqualTo(400);
        assertThat(node.put(ada, path(ada), "{\"presence\":1}").status()).isEqualTo(400);
        assertThat(status(node, ada, ada).path("presence").stringValue()).isNotNull();
    }

    @Test
    void oneIsToldOfOneselfAlsoWhenAlone() {
        var since = unseen(node, ada, "");
        var poll = polling(node, ada, since);
        assertThat(seen(node, ada, since, ada, "online").path("presence").stringValue())
                .isEqualTo("online");
        poll.cancel(true);
    }

    @Test
    void aTenantWithoutPresenceTellsNothing() {
        var eve = new UserId("@" + World.user("eve").localpart() + ":other");
        assertThat(other.put(eve, path(eve), "{\"presence\":\"online\"}").status())
                .isEqualTo(200);
        assertThat(status(other, eve, eve).toString()).isEqualTo("{\"presence\":\"offline\"}");
        assertThat(other.get(eve, SYNC).json().path("presence").path("events").size())
                .isZero();
    }

    private static String path(UserId user) {
        return "/_api/client/v3/presence/" + user.value() + "/status";
    }

    private static JsonNode status(SyncNode at, UserId caller, UserId user) {
        var answer = at.get(caller, path(user));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }
}
