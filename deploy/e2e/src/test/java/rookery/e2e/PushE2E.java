// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** From a message to a push gateway, and to the counts and notifications that go with it (contract.md 11.4, 11.5, 12.7). */
@BreaksOneJvm("begins an epoch of the room log")
class PushE2E {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Rookery rookery;
    private final PushProgress followed;
    private final PushInbox inbox = new PushInbox();
    private Http http;
    private Session ada;
    private Session bob;
    private String room;
    private String phone;

    PushE2E(Rookery rookery) {
        this.rookery = rookery;
        this.followed = new PushProgress(rookery);
    }

    @BeforeEach
    void register() throws Exception {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        bob = People.newcomer(http, "bob");
        room = People.roomOf(ada, bob);
        phone = "phone of " + bob.userId();
        inbox.hears(bob, phone, Map.of("brand", "Fine"));
    }

    @AfterEach
    void close() {
        http.close();
        inbox.close();
    }

    private String mention(String txnId, String body) throws IOException {
        var content =
                Map.of("msgtype", "m.text", "body", body, "m.mentions", Map.of("user_ids", List.of(bob.userId())));
        return ada.send(room, txnId, content).ok().path("event_id").asString();
    }

    private void read(Session reader, String event) throws IOException {
        reader.post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(event)), Map.of());
    }

    private static String counts(Session user, String room) throws IOException {
        var counts = user.sync(SyncQuery.initial())
                .path("rooms")
                .path("join")
                .path(room)
                .path("unread_notifications");
        return counts.path("notification_count").asInt(-1) + "/"
                + counts.path("highlight_count").asInt(-1);
    }

    private void awaitCounts(Session user, String expected) {
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> expected.equals(countsNow(user))))
                .as("%s has %s, and not %s", user, expected, countsNow(user))
                .isTrue();
    }

    private String countsNow(Session user) {
        try {
            return counts(user, room);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<JsonNode> notifications(Session user, String query) throws IOException {
        return user.get("/v3/notifications" + query)
                .path("notifications")
                .valueStream()
                .toList();
    }

    /** Waits for the outcome of an event's pushes. */
    private void awaitOutcome(String event, String outcome) {
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> outcomes(event).equals(List.of(outcome))))
                .as("%s is %s, and not %s", event, outcome, outcomes(event))
                .isTrue();
    }

    private List<String> outcomes(String event) {
        return rookery.database("push-service")
                .texts("SELECT outcome FROM push.unit WHERE tenant = 1 AND event_id = '%s' ORDER BY id"
                        .formatted(event));
    }

    /** As if the minutes until the next attempt were over. */
    private void passTime(String event) {
        rookery.database("push-service")
                .execute("UPDATE push.unit SET due_at = now() WHERE event_id = '%s' AND outcome = 'pending'"
                        .formatted(event));
    }

    @Test
    void mentionIsPushedCountedAndListed() throws Exception {
        var event = mention("txn", "tea, bob?");
        var notification = inbox.awaitEvent(phone, event).notification();
        assertThat(notification.path("room_id").asString()).isEqualTo(room);
        assertThat(notification.path("type").asString()).isEqualTo("m.room.message");
        assertThat(notification.path("sender").asString()).isEqualTo(ada.userId());
        assertThat(notification.path("sender_display_name").asString())
                .isEqualTo(ada.userId().substring(1, ada.userId().indexOf(':')));
        assertThat(notification.path("room_name").asString()).isEqualTo("Tea");
        assertThat(notification.path("prio").asString()).isEqualTo("high");
        assertThat(notification.path("content").path("body").asString()).isEqualTo("tea, bob?");
        assertThat(notification.path("counts").toString()).isEqualTo("{\"unread\":1}");
        assertThat(notification.has("user_is_target")).isFalse();
        assertThat(notification.path("devices")).hasSize(1);
        var device = notification.path("devices").path(0);
        assertThat(device.path("app_id").asString()).isEqualTo(PushInbox.APP);
        assertThat(device.path("pushkey").asString()).isEqualTo(phone);
        assertThat(device.path("pushkey_ts").isIntegralNumber()).isTrue();
        assertThat(device.path("data").toString()).isEqualTo("{\"brand\":\"Fine\"}");
        assertThat(device.path("tweaks").path("sound").asString()).isEqualTo("default");
        assertThat(device.path("tweaks").path("highlight").asBoolean()).isTrue();
        awaitCounts(bob, "1/1");

        var listed = notifications(bob, "").getFirst();
        assertThat(listed.path("event").path("event_id").asString()).isEqualTo(event);
        assertThat(listed.path("event").has("room_id")).isFalse();
        assertThat(listed.path("event").path("content").path("body").asString()).isEqualTo("tea, bob?");
        assertThat(listed.path("room_id").asString()).isEqualTo(room);
        assertThat(listed.path("read").asBoolean(true)).isFalse();
        assertThat(notifications(ada, "")).isEmpty();
    }

    @Test
    void whatIsReadElsewhereChangesTheNumberOnTheIcon() throws Exception {
        var first = mention("first", "tea, bob?");
        var second = mention("second", "or coffee?");
        inbox.awaitEvent(phone, second);
        awaitCounts(bob, "2/2");
        var laptop = Session.login(http, bob.userId());
        read(laptop, first);
        var badge = inbox.awaitBadge(phone, 1).notification();
        assertThat(badge.propertyNames()).containsExactlyInAnyOrder("counts", "devices", "prio");
        assertThat(badge.path("prio").asString()).isEqualTo("low");
        read(laptop, second);
        inbox.awaitBadge(phone, 0);
        awaitCounts(bob, "0/0");
        assertThat(notifications(bob, "?only=highlight"))
                .allMatch(listed -> listed.path("read").asBoolean(false))
                .hasSize(2);
        assertThat(notifications(bob, "?only=unread")).isEmpty();
        assertThat(inbox.events(phone)).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void pusherForIdsIsToldNothingElse() throws Exception {
        var bare = "bare " + phone;
        inbox.hears(bob, bare, Map.of("format", "event_id_only"));
        var event = mention("txn", "secret");
        var notification = inbox.awaitEvent(bare, event).notification();
        assertThat(notification.propertyNames()).containsExactlyInAnyOrder("event_id", "room_id", "counts", "devices");
        assertThat(notification.toString()).doesNotContain("secret").contains("\"unread\":1");
        inbox.awaitEvent(phone, event);
    }

    @Test
    void mutedRoomPushesNothing() throws Exception {
        var rule = "/v3/pushrules/global/room/" + Paths.encoded(room);
        bob.put(rule, Map.of("actions", List.of()));
        var all = "/v3/pushrules/global/override/mute";
        var here = Map.of("kind", "event_match", "key", "room_id", "pattern", room);
        bob.put(all, Map.of("actions", List.of(), "conditions", List.of(here)));
        followed.everything();
        mention("muted", "nobody hears this");
        followed.everything();
        bob.call("DELETE", all, null).ok();
        bob.call("DELETE", rule, null).ok();
        followed.everything();
        var loud = mention("loud", "and everybody this");
        inbox.awaitEvent(phone, loud);
        assertThat(inbox.events(phone)).containsExactly(loud);
        awaitCounts(bob, "1/1");
    }

    @Test
    void ignoredSenderPushesNothing() throws Exception {
        var eve = People.newcomer(http, "eve");
        ada.invite(room, eve.userId());
        eve.join(room);
        var path = "/v3/user/" + Paths.encoded(bob.userId()) + "/account_data/m.ignored_user_list";
        bob.put(path, Map.of("ignored_users", Map.of(eve.userId(), Map.of())));
        followed.everything();
        eve.say(room, "listen to me");
        eve.send(
                        room,
                        "named",
                        Map.of(
                                "msgtype",
                                "m.text",
                                "body",
                                "bob!",
                                "m.mentions",
                                Map.of("user_ids", List.of(bob.userId()))))
                .ok();
        var eventId = ada.say(room, "hello");
        assertThat(inbox.awaitEvent(phone, eventId).unread()).isEqualTo(1);
        assertThat(inbox.events(phone)).containsExactly(eventId);
        awaitCounts(bob, "1/0");
    }

    @Test
    void otherTenantHearsNothing() throws Exception {
        try (var other = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var name = bob.userId().substring(1, bob.userId().indexOf(':'));
            var namesake = Session.register(other, name);
            var host = People.newcomer(other, "ada");
            var theirs = People.roomOf(host, namesake);
            inbox.hears(namesake, "other " + phone, Map.of());
            inbox.hears(namesake, phone, Map.of()); // the same key, which takes nothing away from the other tenant
            var ours = mention("txn", "for one of them");
            inbox.awaitEvent(phone, ours);
            followed.everything();
            var eventId = host.say(theirs, "for the other");
            assertThat(inbox.awaitEvent("other " + phone, eventId).unread()).isEqualTo(1);
            assertThat(inbox.events("other " + phone)).containsExactly(eventId);
            inbox.awaitEvent(phone, eventId);
            assertThat(inbox.events(phone)).containsExactly(ours, eventId);
        }
    }

    @Test
    void pushesEndWithTheDeviceAndNotWithItsToken() throws Exception {
        var named = Map.of("device_id", "TABLET");
        var tablet = tablet(named);
        var pushkey = "tablet of " + bob.userId();
        inbox.hears(tablet, pushkey, Map.of());
        var again = tablet(named);
        assertThat(tablet.call("GET", "/v3/pushers", null).status()).isEqualTo(401);
        followed.everything();
        var first = ada.say(room, "to both");
        inbox.awaitEvent(phone, first);
        inbox.awaitEvent(pushkey, first);

        again.logout();
        followed.everything();
        assertThat(bob.get("/v3/pushers").path("pushers")).hasSize(1);
        var second = ada.say(room, "to one");
        inbox.awaitEvent(phone, second);
        followed.everything();
        assertThat(outcomes(second)).hasSize(1);
        assertThat(inbox.events(pushkey)).containsExactly(first);
    }

    private Session tablet(Map<String, ?> named) throws IOException {
        var login = Steps.login(http, bob.userId(), Steps.PASSWORD, named).ok().path("access_token");
        return Session.known(http, bob.userId(), "TABLET", login.asString());
    }

    private static boolean isDone(Session who, String path) {
        try {
            return who.call("POST", path, Map.of()).isOk();
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void blockedUserHearsOnlyWhatComesAfterwards() throws Exception {
        var root = Steps.administrator(rookery, http);
        var path = "/v3/admin/users/" + Paths.encoded(bob.userId());
        // other tests kill databases: 503 says to come again
        assertThat(Deadline.in(PATIENCE).until(() -> isDone(root, path + "/block")))
                .isTrue();
        followed.everything();
        var missed = mention("missed", "where are you?");
        followed.everything();
        root.post(path + "/unblock", Map.of());
        followed.everything();
        var eventId = mention("heard", "there you are");
        assertThat(inbox.awaitEvent(phone, eventId).unread()).isEqualTo(2);
        assertThat(outcomes(missed)).isEmpty();
        assertThat(inbox.events(phone)).containsExactly(eventId);
        awaitCounts(bob, "2/2");
    }

    @Test
    void deactivatedUserHearsNothingAndLeavesNothing() throws Exception {
        var carl = People.newcomer(http, "carl");
        ada.invite(room, carl.userId());
        carl.join(room);
        var other = "phone of " + carl.userId();
        inbox.hears(carl, other, Map.of());
        var first = ada.say(room, "to both");
        inbox.awaitEvent(phone, first);
        inbox.awaitEvent(other, first);
        Steps.withPassword(bob, "POST", "/v3/account/deactivate", Map.of()).ok();
        followed.everything();
        var second = mention("second", "bob?");
        inbox.awaitEvent(other, second);
        assertThat(outcomes(second)).hasSize(1);
        assertThat(inbox.events(phone)).containsExactly(first);
        for (var table : List.of("pusher", "member", "exception", "read_position", "reader", "pause")) {
            var rows = "SELECT user_id FROM push.%s WHERE tenant = 1 AND user_id = '%s'".formatted(table, bob.userId());
            assertThat(rookery.database("push-service").texts(rows)).as(table).isEmpty();
        }
    }

    @Test
    void refusedPushIsMadeAgainUnlessItWasRedactedOrReadMeanwhile() throws Exception {
        inbox.refuse(phone, true);
        var redacted = ada.say(room, "a slip");
        inbox.awaitEvent(phone, redacted);
        ada.put(Paths.room(room, "/redact/" + Paths.encoded(redacted) + "/undo"), Map.of());
        awaitOutcome(redacted, "superseded");
        var seen = ada.say(room, "seen");
        inbox.awaitEvent(phone, seen);
        read(bob, seen);
        awaitOutcome(seen, "superseded");
        var eventId = ada.say(room, "wanted");
        inbox.awaitEvent(phone, eventId);
        awaitNoted(eventId);
        inbox.refuse(phone, false);
        List.of(redacted, seen, eventId).forEach(this::passTime);
        awaitOutcome(eventId, "delivered");
        assertThat(inbox.events(phone)).containsExactly(redacted, seen, eventId, eventId);
    }

    /** The gateway's answer has been written down. */
    private void awaitNoted(String event) {
        var noted = "SELECT last_status::text FROM push.unit WHERE event_id = '%s' AND last_status IS NOT NULL"
                .formatted(event);
        assertThat(Deadline.in(PATIENCE)
                        .until(
                                PAUSE,
                                () -> rookery.database("push-service")
                                        .texts(noted)
                                        .equals(List.of("502"))))
                .isTrue();
    }

    @Test
    void logThatIsFollowedFromItsBeginningAgainPushesNothingTwice() throws Exception {
        var event = mention("txn", "once");
        inbox.awaitEvent(phone, event);
        awaitOutcome(event, "delivered");
        rookery.database("room-service").execute("UPDATE room.shard SET epoch = epoch + 1");
        followed.everything();
        awaitCounts(bob, "1/1");
        var next = mention("next", "and again");
        assertThat(inbox.awaitEvent(phone, next).unread()).isEqualTo(2);
        assertThat(inbox.events(phone)).containsExactly(event, next);
        awaitCounts(bob, "2/2");
        Epochs.awaitEverywhere(rookery);
    }
}
