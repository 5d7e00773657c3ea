// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.sync.testing.Answer;
import rookery.sync.testing.Events;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** Filters, saved and with the request (contract.md 10.1, 10.6). */
@SharesWorld
class SyncFilterIT {
    private static final String SAVE = "/_api/client/v3/filter";

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
                "{\"event_fields\":7}",
                "{\"event_format\":\"xml\"}",
                "{\"presence\":1}",
                "{\"account_data\":{\"types\":\"m.direct\"}}",
                "{\"room\":[]}",
                "{\"room\":{\"rooms\":{}}}",
                "{\"room\":{\"include_leave\":\"yes\"}}",
                "{\"room\":{\"state\":{\"lazy_load_members\":1}}}",
                "{\"room\":{\"timeline\":{\"limit\":\"10\"}}}",
                "{\"room\":{\"timeline\":{\"limit\":99999999999999999999}}}",
                "{\"room\":{\"timeline\":{\"contains_url\":0}}}",
                "{\"room\":{\"timeline\":{\"types\":[\"\\ud800\"]}}}",
                "{\"room\":{\"ephemeral\":{\"not_senders\":[1]}}}",
            })
    void aWrongTypeIsBadJsonWhereverTheFilterStands(String filter) {
        assertRefused(node.post(ada, SAVE, filter), 400, "M_BAD_JSON");
        assertRefused(sync(ada, "filter=" + encoded(filter)), 400, "M_BAD_JSON");
    }

    @Test
    void whatIsNoJsonIsSaidSo() {
        for (var filter : List.of("{", "{\"room\":}", "{} {}")) {
            assertRefused(node.post(ada, SAVE, filter), 400, "M_NOT_JSON");
            assertRefused(sync(ada, "filter=" + encoded(filter)), 400, "M_NOT_JSON");
        }
        for (var filter : List.of("[]", "null", "\"a\"", "7")) {
            assertRefused(node.post(ada, SAVE, filter), 400, "M_BAD_JSON");
        }
        assertRefused(node.post(ada, SAVE, deep()), 400, "M_BAD_JSON");
        assertRefused(sync(ada, "filter=" + encoded(deep())), 400, "M_BAD_JSON");
    }

    private static String deep() {
        return "{\"a\":" + "[".repeat(200) + "]".repeat(200) + "}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"nosuch", "%00", "%F0%9F%90%A6", "[]", "%20%7B%7D"})
    void anIdOfNothingIsRefused(String id) {
        assertRefused(sync(ada, "filter=" + id), 400, "M_INVALID_PARAM");
    }

    @Test
    void anIdOfNothingIsNotFound() {
        for (var id : List.of("nosuch", "%00", "%F0%9F%90%A6", "a".repeat(2000))) {
            assertRefused(node.get(ada, SAVE + "/" + id), 404, "M_NOT_FOUND");
            assertRefused(node.get(ada, own(ada) + "/" + id), 404, "M_NOT_FOUND");
        }
    }

    @Test
    void theFiltersOfOthersAreTheirs() {
        var id = saved(ada, "{\"room\":{\"timeline\":{\"limit\":1}}}");
        var namesake = new UserId("@" + ada.localpart() + ":other");
        assertRefused(sync(bob, "filter=" + id), 400, "M_INVALID_PARAM");
        assertRefused(sync(namesake, "filter=" + id), 400, "M_INVALID_PARAM");
        assertRefused(node.get(namesake, SAVE + "/" + id), 404, "M_NOT_FOUND");
        assertRefused(node.get(bob, own(ada) + "/" + id), 403, "M_FORBIDDEN");
        assertRefused(node.post(bob, own(ada), "{}"), 403, "M_FORBIDDEN");
        assertRefused(node.post(bob, own(ada), "{\"room\":1}"), 400, "M_BAD_JSON");
    }

    @Test
    void whatIsUnknownIsIgnoredAndKept() {
        var filter = "{\"org.example\":{\"a\":[1.5]},\"presence\":{\"rooms\":5},"
                + "\"room\":{\"new\":true,\"timeline\":{\"limit\":1,\"what\":{}}}}";
        var id = saved(ada, filter);
        assertThat(node.get(ada, own(ada) + "/" + id).json()).isEqualTo(new Answer(200, filter).json());
        assertThat(sync(ada, "filter=" + encoded(filter)).status()).isEqualTo(200);
    }

    @Test
    void equalFiltersHaveOneIdAndAnswersNameIt() {
        var id = saved(ada, "{\"room\":{\"rooms\":[],\"not_rooms\":[]},\"event_format\":\"client\"}");
        assertThat(id).doesNotStartWith("{").hasSizeLessThanOrEqualTo(64);
        assertThat(saved(ada, "{ \"event_format\":\"client\", \"room\":{\"not_rooms\":[],\"rooms\":[]}}"))
                .isEqualTo(id);
        assertThat(saved(ada, "{}")).isNotEqualTo(id);
        var answer =
                node.post(ada, own(ada), "{\"event_format\":\"federation\"}").json();
        assertThat(answer.path("event_format").stringValue()).isEqualTo("federation");
        assertThat(answer.path("filter_id").stringValue()).isNotEmpty();
    }

    @Test
    void everyCodePointSurvives() {
        var filter = "{\"room\":{\"rooms\":[\"!\\u0000\",\"!\\ud83d\\udc26\"]}}";
        var id = saved(ada, filter);
        assertThat(node.get(ada, SAVE + "/" + id).json()).isEqualTo(new Answer(200, filter).json());
        assertThat(sync(ada, "filter=" + id).status()).isEqualTo(200);
        assertThat(sync(ada, "filter=" + encoded(filter)).status()).isEqualTo(200);
    }

    @Test
    void aHugeFilterIsRefused() {
        var rooms = "\"!" + "r".repeat(49) + "\",";
        var list = "[" + rooms.repeat(999) + "\"!\"]";
        var filter = "{\"room\":{\"rooms\":" + list + ",\"not_rooms\":" + list + "}}";
        assertRefused(node.post(ada, SAVE, filter), 413, "M_TOO_LARGE");
        assertRefused(node.post(ada, SAVE, "{\"a\":\"" + "\u3042".repeat(22_000) + "\"}"), 413, "M_TOO_LARGE"); // 66 kB
        assertRefused(node.post(ada, SAVE, "{\"a\":\"" + "a".repeat(1_100_000) + "\"}"), 413, "M_TOO_LARGE");
        assertRefused(node.post(ada, own(ada), filter), 413, "M_TOO_LARGE");
        assertRefused(
                node.post(ada, SAVE, "{\"room\":{\"rooms\":[" + "\"r\",".repeat(1000) + "\"r\"]}}"), 400, "M_BAD_JSON");
        assertThat(sync(ada, "filter=" + encoded("{\"a\":\"" + "a".repeat(20_000) + "\"}"))
                        .status())
                .as("longer than an address may be")
                .isEqualTo(414);
    }

    @Test
    void theFiltersOfWhoIsGoneAreGone() {
        var namesake = new UserId("@" + ada.localpart() + ":other");
        var adas = saved(ada, "{\"room\":{}}");
        var bobs = saved(bob, "{\"room\":{}}");
        var theirs = saved(namesake, "{\"room\":{}}");
        var gone = "{\"tenant\":1,\"user\":\"%s\",\"erase\":false}".formatted(ada.value());
        for (int i = 0; i < 2; i++) {
            assertThat(node.internal("/internal/users/depart", gone).body()).isEqualTo("{}");
        }
        assertRefused(node.get(ada, SAVE + "/" + adas), 404, "M_NOT_FOUND");
        assertThat(node.get(bob, SAVE + "/" + bobs).status()).isEqualTo(200);
        assertThat(node.get(namesake, SAVE + "/" + theirs).status()).isEqualTo(200);
        assertThat(node.post(ada, "/internal/users/depart", gone).status())
                .as("no service")
                .isIn(401, 403, 404);
    }

    @Test
    void aUserSavesOnlySoMany() {
        var written = node.bean(DatabaseClient.class)
                .sql("INSERT INTO sync.filter (tenant, user_id, filter_id, content, created_ms)"
                        + " SELECT 1, :user, 'old' || i, '{}', 0 FROM generate_series(1, 999) i")
                .bind("user", ada.value())
                .fetch()
                .rowsUpdated()
                .block();
        assertThat(written).isEqualTo(999);
        saved(ada, "{\"room\":{}}");
        assertRefused(node.post(ada, SAVE, "{\"presence\":{}}"), 400, "M_INVALID_PARAM");
        assertThat(saved(ada, "{\"room\":{}}")).as("one of those").isNotEmpty();
        assertThat(node.post(bob, SAVE, "{}").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|topic text image custom",
                "{'types':['m.room.message']}|text image",
                "{'types':['m.room.*']}|topic text image",
                "{'types':['*.custom','m.room.topic']}|topic custom",
                "{'types':['m.room.*'],'not_types':['*message']}|topic",
                "{'types':[]}|",
                "{'not_types':['*']}|",
                "{'not_types':[]}|topic text image custom",
                "{'senders':['BOB']}|text custom",
                "{'not_senders':['BOB']}|topic image",
                "{'senders':['BOB'],'not_senders':['BOB']}|",
                "{'senders':[]}|",
                "{'contains_url':true}|image",
                "{'contains_url':false}|topic text custom",
                "{'rooms':['ROOM']}|topic text image custom",
                "{'rooms':['!other:s']}|",
                "{'not_rooms':['ROOM']}|",
                "{'limit':2}|image custom",
                "{'limit':0}|",
                "{'limit':-9007199254740991}|custom",
                "{'limit':9007199254740991}|topic text image custom"
            })
    void theTimelineHasWhatPasses(String filter, String names) {
        var room = world.rooms.create(1, ada, bob);
        var since = sync(ada, "").nextBatch();
        double cold = node.coldCalls();
        for (var event : List.of(
                Events.state(name("topic"), "m.room.topic", "", ada),
                Events.message(name("text"), bob),
                Events.event(name("image"), "m.room.message", ada, null, "{\"url\":\"mxc://s/a\"}"),
                Events.event(name("custom"), "org.example.custom", bob, null, "{}"))) {
            world.rooms.send(room, event);
        }
        var timeline = filter.replace('\'', '"').replace("BOB", bob.value()).replace("ROOM", room.value());
        var query = "&filter=" + encoded("{\"room\":{\"timeline\":" + timeline + ",\"state\":{\"types\":[]}}}");

        var answer = sync(ada, "since=" + since + query);

        var wanted = names == null
                ? List.<String>of()
                : List.of(names.split(" ", -1)).stream().map(this::name).toList();
        assertThat(answer.timeline(room)).isEqualTo(wanted);
        assertThat(node.coldCalls()).as("told from memory").isEqualTo(cold);
        assertThat(sync(ada, "since=" + answer.nextBatch() + query).joined(room).isMissingNode())
                .isTrue();
    }

    private String name(String event) {
        return event + ada.localpart();
    }

    @Test
    void listsOfRoomsComeFirst() {
        var one = world.rooms.create(2, ada, bob);
        var two = world.rooms.create(3, ada, bob);
        var invited = world.rooms.create(4, bob);
        var filter = "filter="
                + encoded("{\"room\":{\"not_rooms\":[\"%s\",\"%s\"]}}".formatted(one.value(), invited.value()));
        var since = sync(ada, filter).nextBatch();
        world.rooms.member(invited, bob, ada, Membership.INVITE);
        world.users.set(ada, one, "m.tag", "{\"tags\":{}}");
        world.rooms.receipt(one, bob, "m.read", "any", null);
        world.rooms.send(one, bob, "unwanted" + ada.localpart());
        world.rooms.send(two, bob, "wanted" + ada.localpart());

        for (var answer : List.of(sync(ada, filter + "&since=" + since), sync(ada, filter))) {
            assertThat(answer.joined(one).isMissingNode()).isTrue();
            assertThat(answer.timeline(two)).contains("wanted" + ada.localpart());
            assertThat(answer.json().path("rooms").path("invite").isEmpty()).isTrue();
        }
        var only = "filter=" + encoded("{\"room\":{\"rooms\":[\"%s\"]}}".formatted(one.value()));
        var answer = sync(ada, only + "&since=" + since);
        assertThat(answer.timeline(one)).containsExactly("unwanted" + ada.localpart());
        assertThat(answer.joined(two).isMissingNode()).isTrue();
        assertThat(sync(ada, "since=" + since + "&filter=" + encoded("{\"room\":{\"rooms\":[]}}"))
                        .json()
                        .path("rooms")
                        .path("join")
                        .isEmpty())
                .isTrue();
    }

    @Test
    void fieldsAndFormatTakeNothingAway() {
        var room = world.rooms.create(5, ada, bob);
        var since = sync(ada, "").nextBatch();
        world.rooms.state(room, bob, "m.room.topic", "topic" + ada.localpart());
        for (var filter : List.of("{\"event_fields\":[\"content.value\"]}", "{\"event_format\":\"federation\"}")) {
            var event = sync(ada, "since=" + since + "&filter=" + encoded(filter))
                    .joined(room)
                    .path("timeline")
                    .path("events")
                    .path(0);
            assertThat(event.propertyNames())
                    .as(filter)
                    .contains("event_id", "type", "sender", "state_key", "origin_server_ts");
            assertThat(event.path("content").path("value").stringValue()).isEqualTo("topic" + ada.localpart());
        }
    }

    @Test
    void accountDataIsFilteredAndRulesAndIgnoredUsersAreNot() {
        var room = world.rooms.create(6, ada);
        var other = world.rooms.create(7, ada);
        var since = sync(ada, "").nextBatch();
        world.users.set(ada, null, "m.direct", "{\"a\":[]}");
        world.users.set(ada, null, "org.example.a", "{\"b\":1}");
        world.users.set(ada, room, "m.tag", "{\"tags\":{}}");
        world.users.set(ada, room, "m.fully_read", "{\"event_id\":\"$a\"}");
        world.users.set(ada, other, "m.tag", "{\"tags\":{}}");
        var filter = encoded(("{\"account_data\":{\"not_types\":[\"*\"]},\"room\":{\"account_data\":"
                        + "{\"types\":[\"m.t*\"],\"not_rooms\":[\"%s\"]}}}")
                .formatted(other.value()));

        for (var from : List.of("", "&since=" + since)) {
            var answer = sync(ada, "filter=" + filter + from);
            assertThat(types(answer)).containsExactlyInAnyOrder("m.push_rules", "m.ignored_user_list");
            assertThat(roomTypes(answer, room)).containsExactly("m.tag");
            assertThat(roomTypes(answer, other)).isEmpty();
        }
        var direct =
                encoded("{\"account_data\":{\"types\":[\"m.direct\"]},\"room\":{\"account_data\":{\"types\":[]}}}");
        var answer = sync(ada, "filter=" + direct + "&since=" + since);
        assertThat(types(answer)).containsExactlyInAnyOrder("m.direct", "m.push_rules", "m.ignored_user_list");
        assertThat(answer.joined(room).isMissingNode()).isTrue();
    }

    private static List<String> types(Answer answer) {
        return answer.json()
                .path("account_data")
                .path("events")
                .valueStream()
                .map(item -> item.path("type").stringValue())
                .toList();
    }

    private static List<String> roomTypes(Answer answer, RoomId room) {
        return answer.joined(room)
                .path("account_data")
                .path("events")
                .valueStream()
                .map(item -> item.path("type").stringValue())
                .toList();
    }

    private static String saved(UserId user, String filter) {
        var answer = node.post(user, SAVE, filter);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().path("filter_id").stringValue();
    }

    private static String own(UserId user) {
        return "/_api/client/v3/user/" + user.value() + "/filter";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Answer sync(UserId user, String query) {
        return node.get(user, "/_api/client/v3/sync?" + query);
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.json().path("errcode").asString("")).isEqualTo(errcode);
    }
}
