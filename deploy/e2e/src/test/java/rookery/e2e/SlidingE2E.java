// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.e2e.api.Paths;
import rookery.e2e.api.SlidingClient;
import rookery.e2e.api.SlidingClient.Config;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Sliding sync through the gateway, over two sync nodes (contract.md 10.9). */
@OnCluster
class SlidingE2E extends TwoPeople {
    private static final Config SHORT = new Config(1, List.of("m.room.name"));
    private static final Config LONG = new Config(20, List.of("m.room.name", "m.room.topic"));

    SlidingE2E(Rookery rookery) {
        super(rookery);
    }

    private static List<String> rooms(JsonNode answer) {
        return new ArrayList<>(answer.path("rooms").propertyNames());
    }

    private static List<String> bodies(JsonNode events) {
        return events.valueStream()
                .map(event -> event.path("content").path("body").asString(""))
                .filter(body -> !body.isEmpty())
                .toList();
    }

    private List<String> rooms(int number) throws IOException {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < number; i++) {
            rooms.add(ada.createRoom(Map.of("name", "Room " + i)));
        }
        return rooms;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theWindowGrowsAndEachRoomComesOnce(boolean isUnstable) throws IOException {
        var rooms = rooms(5);
        var client = new SlidingClient(ada, "main", isUnstable);
        client.list("all", 0, 1, SHORT, Map.of());
        var first = client.poll(0);
        assertThat(rooms(first)).containsExactlyInAnyOrder(rooms.get(4), rooms.get(3));
        assertThat(first.path("lists").path("all").path("count").asInt()).isEqualTo(5);
        var newest = first.path("rooms").path(rooms.get(4));
        assertThat(newest.path("initial").asBoolean()).isTrue();
        assertThat(newest.path("name").asString()).isEqualTo("Room 4");
        assertThat(newest.path("joined_count").asInt()).isEqualTo(1);
        assertThat(newest.path("limited").asBoolean()).isTrue();
        assertThat(newest.path("prev_batch").asString()).isNotEmpty();
        assertThat(newest.path("bump_stamp").asLong()).isPositive();
        assertThat(newest.path("required_state")
                        .valueStream()
                        .map(event -> event.path("type").asString()))
                .contains("m.room.name")
                .doesNotContain("m.room.power_levels");

        client.list("all", 0, 4, SHORT, Map.of());
        assertThat(rooms(client.poll(0))).containsExactlyInAnyOrder(rooms.get(0), rooms.get(1), rooms.get(2));
        assertThat(rooms(client.poll(0))).isEmpty();

        ada.say(rooms.get(1), "hello");
        var news = client.pollUntil(answer -> !rooms(answer).isEmpty());
        assertThat(rooms(news)).containsExactly(rooms.get(1));
        assertThat(bodies(client.timeline(news, rooms.get(1)))).containsExactly("hello");
        assertThat(news.path("rooms").path(rooms.get(1)).path("limited").asBoolean())
                .isFalse();
        assertThat(news.path("rooms").path(rooms.get(1)).path("num_live").asInt())
                .isEqualTo(1);
        assertThat(news.path("rooms").path(rooms.get(1)).has("initial")).isFalse();
    }

    @Test
    void aRoomThatComesBackIntoTheWindowShowsItsGap() throws IOException {
        var room = ada.createRoom(Map.of());
        var client = new SlidingClient(ada, "main", true);
        client.subscribe(room, SHORT);
        ada.say(room, "known");
        assertThat(bodies(client.timeline(client.poll(0), room))).containsExactly("known");

        client.unsubscribe(room);
        client.poll(0);
        for (var text : List.of("one", "two", "three")) {
            ada.say(room, text);
        }
        assertThat(rooms(client.poll(0))).isEmpty();
        client.subscribe(room, SHORT);
        var back = client.poll(0);
        assertThat(bodies(client.timeline(back, room))).containsExactly("three");
        var result = back.path("rooms").path(room);
        assertThat(result.path("limited").asBoolean()).isTrue();
        assertThat(result.has("initial")).isFalse();
        var pages = ada.messages(room, "b", result.path("prev_batch").asString(), null, 10);
        assertThat(bodies(pages.path("chunk"))).containsExactly("two", "one", "known");
        assertThat(rooms(client.poll(0))).isEmpty();
    }

    @Test
    void aLostAnswerIsGivenAgainWithWhatCameSince() throws IOException {
        var room = ada.createRoom(Map.of());
        var client = new SlidingClient(ada, "main", true);
        client.list("all", 0, 10, LONG, Map.of());
        client.poll(0);
        var known = client.pos();
        ada.say(room, "one");
        assertThat(bodies(client.timeline(client.pollUntil(a -> rooms(a).contains(room)), room)))
                .containsExactly("one");
        ada.say(room, "two");
        client.setPos(known);
        assertThat(bodies(client.timeline(client.poll(0), room))).containsExactly("one", "two");

        var other = ada.createRoom(Map.of());
        var before = client.pos();
        assertThat(rooms(client.poll(0))).contains(other);
        client.setPos(before);
        var again = client.poll(0);
        assertThat(again.path("rooms").path(other).path("initial").asBoolean()).isTrue();
        assertThat(rooms(client.poll(0))).isEmpty();
    }

    @Test
    void moreStateAndALongerTimelineComeAtOnce() throws IOException {
        var room = ada.createRoom(Map.of("name", "Tea", "topic", "leaves"));
        for (var text : List.of("one", "two", "three")) {
            ada.say(room, text);
        }
        var client = new SlidingClient(ada, "main", true);
        client.list("all", 0, 10, SHORT, Map.of());
        assertThat(bodies(client.timeline(client.poll(0), room))).containsExactly("three");
        client.subscribe(room, LONG);
        var more = client.poll(20_000);
        assertThat(bodies(client.timeline(more, room))).containsExactly("one", "two", "three");
        var result = more.path("rooms").path(room);
        assertThat(result.path("unstable_expanded_timeline").asBoolean()).isTrue();
        assertThat(result.path("num_live").asInt()).isZero();
        assertThat(result.path("required_state")
                        .valueStream()
                        .map(event -> event.path("type").asString()))
                .contains("m.room.topic");
        assertThat(rooms(client.poll(0))).isEmpty();
    }

    /** The client has the member, and would keep the old state for ever: no later answer has the change. */
    @Test
    void aMemberWhoChangedInTheGapComesWithTheLongerTimeline() throws IOException {
        var room = ada.createRoom(Map.of("preset", "public_chat"));
        grace.join(room);
        grace.say(room, "hello");
        var client = new SlidingClient(ada, "main", true);
        client.list("all", 0, 10, SHORT, Map.of());
        assertThat(memberships(client.poll(0), room)).containsEntry(grace.userId(), "join");
        ada.post(Paths.room(room, "/kick"), Map.of("user_id", grace.userId()));
        for (var text : List.of("one", "two", "three")) {
            ada.say(room, text);
        }
        client.subscribe(room, new Config(3, List.of("m.room.name")));
        var more = client.poll(0);
        assertThat(bodies(client.timeline(more, room))).containsExactly("one", "two", "three");
        assertThat(memberships(more, room)).containsEntry(grace.userId(), "leave");
    }

    /** As in the classic sync, an invitation of an ignored user is hidden, and does not hide the leave before. */
    @Test
    void anIgnoredUsersInvitationDoesNotHideTheKick() throws IOException {
        var room = grace.createRoom(Map.of("invite", List.of(ada.userId())));
        ada.join(room);
        var client = new SlidingClient(ada, "main", false);
        client.list("all", 0, 10, SHORT, Map.of());
        assertThat(rooms(client.poll(0))).containsExactly(room);
        ignore(Map.of(grace.userId(), Map.of()));
        grace.post(Paths.room(room, "/kick"), Map.of("user_id", ada.userId()));
        grace.invite(room, ada.userId());
        var answer = client.poll(0);
        assertThat(answer.path("rooms").path(room).path("membership").asString())
                .isEqualTo("leave");
        assertThat(rooms(client.poll(0))).isEmpty();
    }

    /** A user who is ignored could fill the windows of others with invitations. */
    @Test
    void anIgnoredUsersInvitationTakesNoPlace() throws IOException {
        var own = ada.createRoom(Map.of());
        ignore(Map.of(grace.userId(), Map.of()));
        var hidden = grace.createRoom(Map.of("invite", List.of(ada.userId())));
        var client = new SlidingClient(ada, "main", false);
        client.list("all", 0, 0, SHORT, Map.of());
        var first = client.poll(0);
        assertThat(rooms(first)).containsExactly(own);
        assertThat(first.path("lists").path("all").path("count").asInt()).isEqualTo(1);

        ignore(Map.of());
        var invited = client.pollUntil(answer -> rooms(answer).contains(hidden));
        assertThat(invited.path("rooms").path(hidden).path("membership").asString())
                .isEqualTo("invite");
        assertThat(invited.path("lists").path("all").path("count").asInt()).isEqualTo(2);
    }

    private void ignore(Map<String, ?> users) throws IOException {
        ada.put(
                "/v3/user/%s/account_data/m.ignored_user_list".formatted(Paths.encoded(ada.userId())),
                Map.of("ignored_users", users));
    }

    private static Map<String, String> memberships(JsonNode answer, String room) {
        var memberships = new HashMap<String, String>();
        answer.path("rooms")
                .path(room)
                .path("required_state")
                .valueStream()
                .filter(event -> event.path("type").asString("").equals("m.room.member"))
                .forEach(event -> memberships.put(
                        event.path("state_key").asString(),
                        event.path("content").path("membership").asString()));
        return memberships;
    }

    /** A state is written by the answer that sends a room for the first time, and by no later one. */
    @Test
    void aSteadyPollWritesNothing() throws IOException, SQLException {
        var room = ada.createRoom(Map.of());
        var client = new SlidingClient(ada, "main", true);
        client.list("all", 0, 10, SHORT, Map.of());
        client.poll(0);
        client.poll(0);
        var states = states();
        assertThat(states).hasSize(1);
        for (var text : List.of("one", "two", "three")) {
            ada.say(room, text);
            client.pollUntil(answer -> bodies(client.timeline(answer, room)).contains(text));
        }
        assertThat(states()).isEqualTo(states);
    }

    private Map<Long, Long> states() throws SQLException {
        var states = new HashMap<Long, Long>();
        try (var connection = rookery.database("sync-service").connect();
                var query =
                        connection.prepareStatement("SELECT number, used_ms FROM sync.connection WHERE user_id = ?")) {
            query.setString(1, ada.userId());
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    states.put(rows.getLong(1), rows.getLong(2));
                }
            }
        }
        return states;
    }

    @Test
    void invitationsKicksAndLeavesAreShown() throws IOException {
        var room = grace.createRoom(Map.of("name", "Tea"));
        var client = new SlidingClient(ada, "main", true);
        client.list("all", 0, 10, SHORT, Map.of());
        client.list("invites", 0, 10, SHORT, Map.of("is_invite", true));
        client.poll(0);
        grace.invite(room, ada.userId());
        var invited = client.pollUntil(answer -> rooms(answer).contains(room))
                .path("rooms")
                .path(room);
        assertThat(invited.path("membership").asString()).isEqualTo("invite");
        assertThat(invited.path("invite_state").isArray()).isTrue();
        assertThat(invited.has("timeline")).isFalse();

        ada.join(room);
        var joined = client.pollUntil(answer -> rooms(answer).contains(room))
                .path("rooms")
                .path(room);
        assertThat(joined.path("membership").asString()).isEqualTo("join");
        assertThat(joined.path("initial").asBoolean()).isTrue();
        assertThat(joined.path("prev_batch").asString()).isNotEmpty();

        grace.post(Paths.room(room, "/kick"), Map.of("user_id", ada.userId(), "reason", "bye"));
        var kicked = client.pollUntil(answer -> rooms(answer).contains(room))
                .path("rooms")
                .path(room);
        assertThat(kicked.path("membership").asString()).isEqualTo("leave");
        assertThat(kicked.path("required_state")
                        .valueStream()
                        .map(event -> event.path("content").path("membership").asString("")))
                .contains("leave");
        assertThat(rooms(client.poll(0))).isEmpty();
    }

    @Test
    void listsAreFiltered() throws IOException {
        var rooms = rooms(3);
        var space = ada.createRoom(Map.of("creation_content", Map.of("type", "m.space")));
        ada.put(
                "/v3/user/" + Paths.encoded(ada.userId()) + "/account_data/m.direct",
                Map.of(grace.userId(), List.of(rooms.get(0))));
        ada.put(Paths.room(rooms.get(1), "/state/m.room.encryption"), Map.of("algorithm", "m.megolm.v1.aes-sha2"));
        var client = new SlidingClient(ada, "main", true);
        client.list("rooms", 0, 10, SHORT, Map.of("not_room_types", List.of("m.space")));
        client.list("spaces", 0, 10, SHORT, Map.of("room_types", List.of("m.space")));
        client.list("direct", 0, 10, SHORT, Map.of("is_dm", true));
        client.list("secret", 0, 10, SHORT, Map.of("is_encrypted", true));
        var answer = client.poll(0);
        var lists = answer.path("lists");
        assertThat(lists.path("rooms").path("count").asInt()).isEqualTo(3);
        assertThat(lists.path("spaces").path("count").asInt()).isEqualTo(1);
        assertThat(lists.path("direct").path("count").asInt()).isEqualTo(1);
        assertThat(lists.path("secret").path("count").asInt()).isEqualTo(1);
        assertThat(answer.path("rooms").path(space).path("lists").valueStream().map(JsonNode::asString))
                .containsExactly("spaces");
        assertThat(answer.path("rooms").path(rooms.get(0)).path("is_dm").asBoolean())
                .isTrue();
        assertThat(answer.path("rooms")
                        .path(rooms.get(1))
                        .path("lists")
                        .valueStream()
                        .map(JsonNode::asString))
                .containsExactly("rooms", "secret");
    }

    @Test
    void anUnknownPositionBeginsAnew() throws IOException {
        ada.createRoom(Map.of());
        var client = new SlidingClient(ada, "main", true);
        client.list("all", 0, 10, SHORT, Map.of());
        client.poll(0);
        var pos = client.pos();
        for (var invalid : List.of("nonsense", "s123")) {
            client.setPos(invalid);
            var refused = client.tryPoll(0);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.errcode()).isEqualTo("M_UNKNOWN_POS");
        }
        var other = new SlidingClient(ada, "other", true);
        other.list("all", 0, 10, SHORT, Map.of());
        other.setPos(pos);
        assertThat(other.tryPoll(0).errcode()).isEqualTo("M_UNKNOWN_POS");
    }
}
