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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of contract.md 10.1 to 10.8, one by one. */
@SharesWorld
class SyncRulesIT {
    private static final String SYNC = "/_api/client/v3/sync?";
    private static final DeviceId DEVICE = new DeviceId("D");
    private static final String EMPTY =
            "{\"presence\":{\"events\":[]},\"to_device\":{\"events\":[]},\"device_lists\":{\"changed\":[],\"left\":[]},"
                    + "\"device_one_time_keys_count\":{\"signed_curve25519\":0},\"device_unused_fallback_key_types\":[],"
                    + "\"rooms\":{\"join\":{},\"invite\":{},\"knock\":{},\"leave\":{}}}";

    @RegisterExtension
    static final World world = World.shared();

    private static SyncNode node;
    private static SyncNode other;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.node();
        other = world.startNode();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timeout=-1",
                "timeout=NaN",
                "timeout=1.5",
                "timeout=1e3",
                "timeout=%D9%A3",
                "full_state=1",
                "full_state=True",
                "use_state_after=yes",
                "set_presence=busy",
                "since=nonsense",
                "since=s",
                "since=sAAAA",
                "since=%00",
                "since=s%FF%FE",
                "since=s%F0%9F%90%A6",
                "since=%20",
                "filter=nosuch"
            })
    void whatIsNoValueIsRefused(String query) {
        assertRefused(get(ada, query), 400, "M_INVALID_PARAM");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timeout=0&full_state=false&use_state_after=false&set_presence=online",
                "timeout=&full_state=&use_state_after=&set_presence=&since=&filter=",
                "timeout=00000000000000000000000000",
                "set_presence=unavailable",
                "set_presence=offline",
                "unknown=1&timeout=0"
            })
    void whatIsAValueIsTaken(String query) {
        assertThat(get(ada, query).status()).isEqualTo(200);
    }

    @Test
    void onlyATokenOfTheSameUserAndKindIsTaken() {
        var room = world.rooms.create(1, ada, bob);
        var first = get(ada, "");
        var token = first.nextBatch();
        var page = first.joined(room).path("timeline").path("prev_batch").stringValue();
        assertThat(page).isNotEmpty();
        var namesake = new UserId("@" + ada.localpart() + ":other");
        assertRefused(get(bob, "since=" + token), 400, "M_INVALID_PARAM");
        assertRefused(get(namesake, "since=" + token), 400, "M_INVALID_PARAM");
        assertRefused(get(ada, "since=" + page), 400, "M_INVALID_PARAM");
        for (int at = 1; at < token.length(); at += 7) {
            char changed = token.charAt(at) == 'A' ? 'B' : 'A';
            var damaged = token.substring(0, at) + changed + token.substring(at + 1);
            assertRefused(get(ada, "since=" + damaged), 400, "M_INVALID_PARAM");
            assertRefused(get(ada, "since=" + token.substring(0, at)), 400, "M_INVALID_PARAM");
        }
        assertThat(token).hasSizeLessThanOrEqualTo(255).matches("[0-9A-Za-z._~-]+");
        assertThat(get(ada, "since=" + token).status()).isEqualTo(200);
    }

    @Test
    void whoWaitedForNothingIsAnsweredWithEverythingEmpty() {
        world.rooms.create(2, ada, bob);
        var since = get(ada, "").nextBatch();
        var answer = get(ada, "timeout=50&since=" + since);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(types(answer.json())).containsExactlyInAnyOrder("m.push_rules", "m.ignored_user_list");
        var rest = (ObjectNode) answer.json();
        rest.remove(List.of("next_batch", "account_data"));
        assertThat(rest).isEqualTo(new Answer(200, EMPTY).json());
        assertThat(get(ada, "since=" + answer.nextBatch()).status()).isEqualTo(200);
    }

    @Test
    void whoAsksForAllStateIsToldOfRoomsInWhichNothingHappened() {
        var room = world.rooms.create(2, ada, bob);
        var since = get(ada, "").nextBatch();
        assertThat(get(ada, "since=" + since).joined(room).isMissingNode()).isTrue();
        var answer = get(ada, "timeout=25000&full_state=true&since=" + since);
        var told = answer.joined(room);
        assertThat(told.path("timeline").path("events").size()).isZero();
        assertThat(told.path("timeline").path("limited").asBoolean(true)).isFalse();
        assertThat(told.path("state").path("events").size()).isEqualTo(3);
        assertThat(told.path("summary").path("m.joined_member_count").asInt()).isEqualTo(2);
        assertThat(told.path("unread_notifications").has("highlight_count")).isTrue();
    }

    @Test
    void aJoinedRoomHasAllItsParts() {
        var room = world.rooms.create(3, ada, bob);
        var since = get(ada, "").nextBatch();
        world.rooms.send(room, bob, "hello" + ada.localpart());
        var told = get(ada, "since=" + since).joined(room);
        assertThat(told.propertyNames())
                .containsExactlyInAnyOrder(
                        "summary", "state", "timeline", "ephemeral", "account_data", "unread_notifications");
        assertThat(told.path("summary").isEmpty()).as("nothing of it changed").isTrue();
        assertThat(told.path("timeline").propertyNames()).containsExactlyInAnyOrder("events", "limited", "prev_batch");
        var byThread = get(
                ada,
                "since=" + since + "&filter="
                        + encoded("{\"room\":{\"timeline\":{\"unread_thread_notifications\":true}}}"));
        assertThat(byThread.joined(room).path("unread_thread_notifications").isObject())
                .isTrue();
    }

    @Test
    void aNewNameOfAMemberIsNoNewsOfTheSummary() {
        var room = world.rooms.create(3, ada, bob);
        var since = get(ada, "").nextBatch();
        world.rooms.member(room, bob, bob, Membership.JOIN);
        double cold = node.coldCalls();
        var renamed = get(ada, "since=" + since);
        assertThat(renamed.timeline(room)).hasSize(1);
        assertThat(renamed.joined(room).path("summary").isEmpty()).isTrue();
        assertThat(node.coldCalls()).isEqualTo(cold);
        world.rooms.member(room, bob, bob, Membership.LEAVE);
        assertThat(get(ada, "since=" + renamed.nextBatch())
                        .joined(room)
                        .path("summary")
                        .path("m.joined_member_count")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void stateAfterTakesThePlaceOfState() {
        var room = world.rooms.create(4, ada, bob);
        var since = get(ada, "").nextBatch();
        world.rooms.state(room, bob, "m.room.topic", "one" + ada.localpart());
        world.rooms.send(room, bob, "text" + ada.localpart());
        world.rooms.state(room, bob, "m.room.topic", "two" + ada.localpart());

        var before = get(ada, "since=" + since).joined(room);
        var after = get(ada, "use_state_after=true&since=" + since);
        var unstable = get(ada, "org.matrix.msc4222.use_state_after=true&since=" + since)
                .joined(room);
        assertThat(unstable.has("state")).isFalse();
        assertThat(names(unstable.path("org.matrix.msc4222.state_after"))).containsExactly("two" + ada.localpart());

        assertThat(before.has("state_after")).isFalse();
        assertThat(before.path("state").path("events").isEmpty()).isTrue();
        assertThat(after.joined(room).has("state")).isFalse();
        assertThat(names(after.joined(room).path("state_after"))).containsExactly("two" + ada.localpart());
        assertThat(after.joined(room).path("timeline"))
                .hasSize(before.path("timeline").size());
        world.rooms.send(room, bob, "more" + ada.localpart());
        var none = get(ada, "use_state_after=true&since=" + after.nextBatch()).joined(room);
        assertThat(none.path("state_after").path("events").isArray()).isTrue();
        assertThat(none.path("state_after").path("events").isEmpty()).isTrue();
        world.rooms.member(room, bob, ada, Membership.LEAVE);
        var left = get(ada, "use_state_after=true&since=" + after.nextBatch());
        assertThat(left.json().path("rooms").path("leave").path(room.value()).has("state_after"))
                .isTrue();
    }

    @Test
    void anEmptyTimelineMayBeginWhereTheReaderStands() {
        var room = world.rooms.create(4, ada, bob);
        var since = get(ada, "").nextBatch();
        world.users.set(ada, room, "m.tag", "{\"tags\":{}}");
        var timeline = get(ada, "timeout=20000&since=" + since).joined(room).path("timeline");
        assertThat(timeline.path("events").isEmpty()).isTrue();
        assertThat(timeline.path("limited").asBoolean(true)).isFalse();
        assertThat(timeline.path("prev_batch").asString("")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "JOIN, LEAVE, own",
        "JOIN, LEAVE, other",
        "JOIN, BAN, other",
        "INVITE, LEAVE, own",
        "INVITE, LEAVE, other",
        "INVITE, BAN, other",
        "KNOCK, LEAVE, own",
        "KNOCK, LEAVE, other",
        "KNOCK, BAN, other"
    })
    void whoeverGoesIsWokenAndToldOnce(Membership before, Membership after, String by) {
        var room = world.rooms.create(5, bob);
        world.rooms.member(room, before == Membership.INVITE ? bob : ada, ada, before);
        var first = get(ada, "");
        assertThat(first.json().path("rooms").path(before.word).has(room.value()))
                .isTrue();
        var waiting = waiting(ada, first.nextBatch());
        world.rooms.member(room, by.equals("own") ? ada : bob, ada, after);
        world.rooms.send(room, bob, "later" + ada.localpart());

        var told = waiting.join();

        var sections = told.json().path("rooms");
        var left = sections.path("leave").path(room.value());
        assertThat(left.propertyNames()).containsExactlyInAnyOrder("state", "timeline", "account_data");
        var last = left.path("timeline").path("events").valueStream().toList().getLast();
        assertThat(last.path("content").path("membership").stringValue()).isEqualTo(after.word);
        for (var section : List.of("join", "invite", "knock")) {
            assertThat(sections.path(section).isEmpty()).as(section).isTrue();
        }
        assertThat(get(ada, "since=" + told.nextBatch())
                        .json()
                        .path("rooms")
                        .path("leave")
                        .isEmpty())
                .isTrue();
        assertThat(get(ada, "").json().path("rooms").path("leave").isEmpty()).isTrue();
    }

    @Test
    void aKnockWakesWhoKnockedAndIsToldOnce() {
        var room = world.rooms.create(6, bob);
        var waiting = waiting(ada, get(ada, "").nextBatch());
        world.rooms.member(room, ada, ada, Membership.KNOCK);
        var told = waiting.join();
        var knock = told.json().path("rooms").path("knock").path(room.value());
        assertThat(knock.propertyNames()).containsExactly("knock_state");
        assertThat(knock.path("knock_state").path("events").size()).isEqualTo(1);
        assertThat(get(ada, "since=" + told.nextBatch())
                        .json()
                        .path("rooms")
                        .path("knock")
                        .isEmpty())
                .isTrue();
        assertThat(get(ada, "").json().path("rooms").path("knock").has(room.value()))
                .isTrue();
        var accepted = waiting(ada, told.nextBatch());
        world.rooms.member(room, bob, ada, Membership.INVITE);
        assertThat(accepted.join().json().path("rooms").path("invite").has(room.value()))
                .isTrue();
    }

    @Test
    void aRoomThatIsLeftBringsItsAccountData() {
        var room = world.rooms.create(6, ada, bob);
        var since = get(ada, "").nextBatch();
        world.users.set(ada, room, "m.tag", "{\"tags\":{\"m.lowpriority\":{}}}");
        world.rooms.member(room, ada, ada, Membership.LEAVE);
        var left = get(ada, "since=" + since).json().path("rooms").path("leave").path(room.value());
        assertThat(left.path("account_data").path("events").toString())
                .contains("m.tag")
                .contains("m.lowpriority");
    }

    @Test
    void eachTypeOfAccountDataIsThereOnceAndTheTwoAlways() {
        var since = get(ada, "").nextBatch();
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"@z:s\":{},\"@a:s\":{}}}");
        world.users.set(ada, null, "m.push_rules", "{\"global\":{\"mine\":[]}}");
        world.users.set(ada, null, "m.direct", "{\"a\":[]}");
        world.users.set(ada, null, "m.direct", "{\"b\":[]}");
        for (var query : List.of("", "since=" + since, "full_state=true&since=" + since)) {
            var answer = get(ada, query);
            assertThat(types(answer.json()))
                    .as(query)
                    .containsExactlyInAnyOrder("m.push_rules", "m.ignored_user_list", "m.direct");
            assertThat(answer.data("m.direct").toString()).isEqualTo("{\"b\":[]}");
            assertThat(answer.data("m.push_rules").toString()).contains("mine");
        }
    }

    @Test
    void theIgnoredStandInOneOrderInEveryAnswerOfEveryNode() {
        get(ada, "");
        world.users.set(ada, null, "m.ignored_user_list", "{\"ignored_users\":{\"@z:s\":{},\"@a:s\":{},\"@m:s\":{}}}");
        var heard = get(ada, "")
                .data("m.ignored_user_list")
                .toString(); // this node followed the change, the other node must ask
        assertThat(get(ada, "").data("m.ignored_user_list").toString()).isEqualTo(heard);
        assertThat(other.get(ada, SYNC).data("m.ignored_user_list").toString()).isEqualTo(heard);
    }

    @Test
    void theSameTokenIsToldTheSameAgain() {
        var room = world.rooms.create(7, ada, bob);
        var since = get(ada, "").nextBatch();
        world.rooms.send(room, bob, "one" + ada.localpart());
        assertThat(get(ada, "since=" + since).timeline(room)).containsExactly("one" + ada.localpart());
        assertThat(other.get(ada, SYNC + "since=" + since).timeline(room)).containsExactly("one" + ada.localpart());
        world.rooms.send(room, bob, "two" + ada.localpart());
        assertThat(get(ada, "since=" + since).timeline(room))
                .containsExactly("one" + ada.localpart(), "two" + ada.localpart());
    }

    @Test
    void severalRequestsWithOneTokenAreAllAnswered() {
        var room = world.rooms.create(7, ada, bob);
        var since = get(ada, "").nextBatch();
        var one = waiting(ada, since);
        var two = waiting(ada, since);
        var three = waiting(ada, since);
        three.cancel(true);
        world.rooms.send(room, bob, "hello" + ada.localpart());
        assertThat(one.join().timeline(room)).containsExactly("hello" + ada.localpart());
        assertThat(two.join().timeline(room)).containsExactly("hello" + ada.localpart());
    }

    @Test
    void whoIsBlockedIsRefusedWhereverTheyWait() {
        var since = get(ada, "").nextBatch();
        var waiting = waiting(ada, since);
        world.users.lockSession(ada, DEVICE);
        var ended = waiting.join();
        assertRefused(ended, 401, "M_USER_LOCKED");
        assertThat(ended.json().path("soft_logout").asBoolean(false)).isTrue();
    }

    private static List<String> types(JsonNode answer) {
        return answer.path("account_data")
                .path("events")
                .valueStream()
                .map(item -> item.path("type").stringValue())
                .toList();
    }

    private static List<String> names(JsonNode part) {
        return Answer.names(part.path("events"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Answer get(UserId user, String query) {
        return node.get(user, SYNC + query);
    }

    /** Returns when the request waits. */
    private static CompletableFuture<Answer> waiting(UserId user, String since) {
        double before = node.meter("sync_waiters");
        var call = node.getAsync(user, DEVICE, SYNC + "timeout=25000&since=" + since);
        SyncNode.until(() -> node.meter("sync_waiters") > before);
        return call;
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.json().path("errcode").asString("")).isEqualTo(errcode);
    }
}
