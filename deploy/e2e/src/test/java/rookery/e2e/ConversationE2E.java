// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Gap;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Newcomer;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** What two people can rely upon, on a local cluster. */
@OnCluster
class ConversationE2E extends TwoPeople {
    private static final Duration LONG = Duration.ofSeconds(30);

    ConversationE2E(Rookery rookery) {
        super(rookery);
    }

    @Test
    void repeatedTransactionAnswersTheSameEvent() throws Exception {
        var room = People.roomOf(ada, grace);
        var first = ada.send(room, "once", Map.of("body", "one")).ok();
        var second = ada.send(room, "once", Map.of("body", "one")).ok();
        assertThat(second).isEqualTo(first);
        assertThat(ada.messages(room, "b", null, null, 100)
                        .path("chunk")
                        .valueStream()
                        .filter(event -> event.path("type").asString().equals("m.room.message")))
                .hasSize(1);
    }

    @Test
    void limitedGapClosesExactly() throws Exception {
        var room = People.roomOf(ada, grace);
        var since = grace.sync(SyncQuery.initial()).path("next_batch").asString();
        var sent = new ArrayList<String>();
        for (int i = 0; i < 105; i++) {
            sent.add(ada.say(room, "line " + i));
        }
        for (int limit : List.of(1, 10, 100)) {
            var answer = grace.sync(SyncQuery.since(since).timelineLimit(limit));
            var timeline = Session.timeline(answer, room).stream()
                    .map(ConversationE2E::id)
                    .toList();
            var gap = Objects.requireNonNull(
                    Gap.in(answer.path("rooms").path("join").path(room), room, since));
            assertThat(timeline).hasSize(limit);
            var all = new ArrayList<>(
                    gap.events(grace, 7).stream().map(ConversationE2E::id).toList());
            all.addAll(timeline);
            assertThat(all).isEqualTo(sent);
        }
    }

    @Test
    void tenantsNeverMeet() throws Exception {
        try (var otherHttp = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var room = ada.createRoom(Map.of("preset", "public_chat", "room_alias_name", People.name("tea")));
            var event = ada.say(room, "secret");
            var eve = People.newcomer(otherHttp, "eve");
            assertThat(eve.userId()).endsWith(":" + SharedRookery.SECOND_TENANT);

            assertThat(eve.call("POST", "/v3/join/" + Paths.encoded(room), Map.of())
                            .status())
                    .isEqualTo(404);
            assertThat(eve.send(room, "1", Map.of("body", "hi")).status()).isEqualTo(403);
            assertThat(eve.call("GET", Paths.room(room, "/messages?dir=b"), null)
                            .status())
                    .isEqualTo(403);
            assertThat(eve.call("GET", Paths.room(room, "/event/" + Paths.encoded(event)), null)
                            .status())
                    .isEqualTo(404);
            assertThat(otherHttp
                            .call("GET", "/v3/account/whoami", ada.token(), null)
                            .errcode())
                    .isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(http.call("GET", "/v3/account/whoami", eve.token(), null).errcode())
                    .isEqualTo("M_UNKNOWN_TOKEN");
            var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();
            assertThat(eve.trySync(SyncQuery.since(since)).errcode()).isEqualTo("M_INVALID_PARAM");
            assertThat(eve.sync(SyncQuery.initial()).toString()).doesNotContain(ada.userId(), room, event);
            // the same localpart is free in the other tenant
            assertThat(Session.register(otherHttp, localpart(ada)).userId()).isNotEqualTo(ada.userId());
        }
    }

    @Test
    void aliasLeadsToItsRoomUntilItIsRemoved() throws Exception {
        var room = ada.createRoom(Map.of("preset", "public_chat"));
        var alias = "#" + People.name("tea") + ":localhost";
        var path = "/v3/directory/room/" + Paths.encoded(alias);
        ada.put(path, Map.of("room_id", room));
        assertThat(http.call("GET", path, null, null).ok().path("room_id").asString())
                .isEqualTo(room);
        assertThat(ada.call("PUT", path, Map.of("room_id", room)).status()).isEqualTo(409);
        grace.join(alias);
        assertThat(grace.get("/v3/joined_rooms").path("joined_rooms").toString())
                .contains(room);
        ada.call("DELETE", path, null).ok();
        assertThat(http.call("GET", path, null, null).errcode()).isEqualTo("M_NOT_FOUND");
    }

    @Test
    void accountDataWakesAllDevicesOfItsUserOnly() throws Exception {
        var phone = Session.login(http, localpart(ada));
        var since = phone.sync(SyncQuery.initial()).path("next_batch").asString();
        var path = "/v3/user/" + Paths.encoded(ada.userId()) + "/account_data/org.example.colour";
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<JsonNode> poll = () ->
                    phone.syncUntil(since, sync -> sync.path("account_data").has("events"));
            var parked = threads.submit(poll);
            ada.put(path, Map.of("colour", "green"));
            assertThat(parked.get().path("account_data").path("events").valueStream())
                    .filteredOn(event -> event.path("type").asString().equals("org.example.colour"))
                    .singleElement()
                    .satisfies(event -> assertThat(
                                    event.path("content").path("colour").asString())
                            .isEqualTo("green"));
        }
        assertThat(phone.get(path).path("colour").asString()).isEqualTo("green");
        assertThat(grace.call("GET", path, null).errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(grace.sync(SyncQuery.initial()).toString()).doesNotContain("org.example.colour");
    }

    @Test
    void deletedAccountDataAreToldToDevicesThatHadThemOnly() throws Exception {
        var path = "/user/" + Paths.encoded(ada.userId()) + "/account_data/org.example.colour";
        ada.put("/v3" + path, Map.of("colour", "green"));
        var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();

        ada.call("DELETE", "/unstable/org.matrix.msc3391" + path, null).ok();

        assertThat(ada.sync(SyncQuery.since(since))
                        .path("account_data")
                        .path("events")
                        .toString())
                .contains("{\"type\":\"org.example.colour\",\"content\":{}}");
        assertThat(ada.sync(SyncQuery.initial()).toString()).doesNotContain("org.example.colour");
        assertThat(ada.call("GET", "/v3" + path, null).errcode()).isEqualTo("M_NOT_FOUND");
    }

    @Test
    void logoutRefusesTheTokenAtOnceAndEndsItsPoll() throws Exception {
        var phone = Session.login(http, localpart(ada));
        var since = phone.sync(SyncQuery.initial()).path("next_batch").asString();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Answer> poll = () -> phone.trySync(SyncQuery.since(since).waiting(LONG));
            var parked = threads.submit(poll);
            assertThat(phone.get("/v3/account/whoami").path("device_id").asString())
                    .isEqualTo(phone.deviceId());

            phone.logout();

            assertThat(phone.call("GET", "/v3/account/whoami", null).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
            // 200 when new data, such as presence, arrived at the same moment
            assertThat(parked.get(15, TimeUnit.SECONDS).status()).isIn(200, 401);
        }
        assertThat(ada.call("GET", "/v3/account/whoami", null).status()).isEqualTo(200);
    }

    @Test
    void bothPrefixesAnswerAlike() throws Exception {
        var room = People.roomOf(ada, grace);
        ada.say(room, "one");
        var since = grace.sync(SyncQuery.initial()).path("next_batch").asString();
        ada.say(room, "two");
        try (var matrix = Http.to(rookery.site().withPrefix(TenantAddress.MATRIX))) {
            var other = grace.through(matrix);
            for (var path :
                    List.of(Paths.room(room, "/messages?dir=b"), "/v3/joined_rooms", Paths.room(room, "/members"))) {
                assertThat(lasting(other.get(path))).isEqualTo(lasting(grace.get(path)));
            }
            assertThat(events(other.sync(SyncQuery.since(since)), room))
                    .isEqualTo(events(grace.sync(SyncQuery.since(since)), room));
        }
    }

    @Test
    void nodeThatHasJustStartedAnswersAsOneThatHeardItAll() throws Exception {
        var room = People.roomOf(ada, grace);
        var second = People.roomOf(grace, ada);
        var tokens = new ArrayList<String>();
        tokens.add(grace.sync(SyncQuery.initial()).path("next_batch").asString());
        for (int i = 0; i < 15; i++) {
            ada.say(room, "line " + i);
            tokens.add(grace.sync(SyncQuery.since(tokens.getLast()))
                    .path("next_batch")
                    .asString());
        }
        grace.put(Paths.room(second, "/state/m.room.topic"), Map.of("topic", "tea"));
        ada.leave(second);
        var nodes = new Nodes(rookery);
        try (var cold = Newcomer.start(rookery, "sync-service", 8, List.of("-Drookery.sync.ring.fill-entries=0"))) {
            for (int i : List.of(0, 3, 14, 15)) {
                var query = SyncQuery.since(tokens.get(i));
                var warm = grace.sync(query);
                var fresh = nodes.sync(cold.instance(), grace, query).ok();
                assertThat(events(fresh, room)).isEqualTo(events(warm, room));
                assertThat(fresh.path("rooms").path("join").propertyNames())
                        .isEqualTo(warm.path("rooms").path("join").propertyNames());
                assertThat(shape(fresh, room)).isEqualTo(shape(warm, room));
                assertThat(shape(fresh, second)).isEqualTo(shape(warm, second));
            }
            var everything = SyncQuery.initial().filtered("{\"room\":{\"include_leave\":true}}");
            assertThat(ids(left(nodes.sync(cold.instance(), ada, everything).ok(), second)))
                    .isNotEmpty()
                    .isEqualTo(ids(left(ada.sync(everything), second)));
        }
    }

    private static JsonNode left(JsonNode sync, String room) {
        return sync.path("rooms").path("leave").path(room);
    }

    private static List<String> events(JsonNode sync, String room) {
        return Session.timeline(sync, room).stream().map(ConversationE2E::id).toList();
    }

    private static List<String> ids(JsonNode room) {
        return room.path("timeline")
                .path("events")
                .valueStream()
                .map(ConversationE2E::id)
                .toList();
    }

    /** All of a room's section that does not depend on when it was asked for. */
    private static List<Object> shape(JsonNode sync, String room) {
        var section = sync.path("rooms").path("join").path(room);
        return List.of(
                section.path("timeline").path("limited"),
                ids(section),
                section.path("state")
                        .path("events")
                        .valueStream()
                        .map(ConversationE2E::id)
                        .sorted()
                        .toList(),
                section.path("summary"),
                section.path("unread_notifications"));
    }

    /** Ages of events and the letters of tokens are all that may differ between two answers. */
    private static String lasting(JsonNode node) {
        return node.toString().replaceAll("\"age\":\\d+", "").replaceAll("\"(start|end)\":\"[^\"]+\"", "");
    }

    private static String localpart(Session session) {
        return session.userId().substring(1, session.userId().indexOf(':'));
    }

    private static String id(JsonNode event) {
        return event.path("event_id").asString();
    }
}
