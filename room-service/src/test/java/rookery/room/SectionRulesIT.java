// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Sections.events;
import static rookery.room.Sections.limit;
import static rookery.room.Sections.room;
import static rookery.room.Sections.texts;
import static rookery.room.Sections.timeline;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import tools.jackson.databind.JsonNode;

/** Rows of the table of contract.md 10.4 at their edges, and the rules below it. */
class SectionRulesIT {
    private static final EventFilter LAZY =
            new EventFilter(null, null, null, null, null, null, null, null, true, false, false);
    private static final EventFilter MESSAGES =
            new EventFilter(10, List.of("m.room.message"), null, null, null, null, null, null, false, false, false);

    private static int users;

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static Sections sections;

    private final String ada = "ada" + users;
    private final String bob = "bob" + users++;

    @BeforeAll
    static void start() {
        sections = new Sections(server);
    }

    @Test
    void aFirstTimelineIsLimitedIfThereIsMoreAndItsStateIsFromBeforeIt() {
        String room = sections.madeBy(ada, "");
        var whole = room(sections.sync(ada, null, limit(100)), room);
        int all = whole.path("timeline").size();

        var exact = room(sections.sync(ada, null, limit(all)), room);
        assertThat(exact).isEqualTo(whole);
        assertThat(exact.path("limited").booleanValue()).isFalse();
        assertThat(exact.path("state").size()).isZero();
        assertThat(exact.path("prev_pos").longValue()).isEqualTo(first(exact) - 1);

        var cut = room(sections.sync(ada, null, limit(all - 1)), room);
        assertThat(cut.path("limited").booleanValue()).isTrue();
        assertThat(texts(cut.path("state"))).containsExactly("m.room.create");
        assertThat(cut.path("prev_pos").longValue()).isEqualTo(first(cut) - 1);
    }

    @Test
    void aLaterTimelineIsLimitedOnlyIfItDoesNotHoldAllThatIsNew() {
        String room = sections.madeBy(ada, "");
        var since = positions(ada);
        sections.say(ada, room, 1, 5);
        var exact = room(sections.sync(ada, since, limit(5)), room);
        assertThat(texts(exact.path("timeline"))).hasSize(5);
        assertThat(exact.path("limited").booleanValue()).isFalse();
        assertThat(room(sections.sync(ada, since, limit(4)), room)
                        .path("limited")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void whatTheFilterLeavesOutMakesNoTimelineLimited() {
        String room = sections.madeBy(ada, "");
        var since = positions(ada);
        topic(room, "one");
        sections.say(ada, room, 1, 10);
        topic(room, "two");
        assertThat(room(sections.sync(ada, since, timeline(MESSAGES)), room)
                        .path("limited")
                        .booleanValue())
                .isFalse();
    }

    @Test
    void anEmptyTimelineBeginsWhereTheReaderStands() {
        String room = sections.madeBy(ada, "");
        var since = positions(ada);
        topic(room, "one");

        var section = room(sections.sync(ada, since, timeline(MESSAGES)), room);

        assertThat(section.path("timeline").size()).isZero();
        assertThat(section.path("limited").booleanValue()).isFalse();
        assertThat(texts(section.path("state"))).containsExactly("m.room.topic");
        assertThat(section.path("prev_pos").longValue())
                .isEqualTo(since.get(section.path("shard").intValue()).longValue());
    }

    @Test
    void allStateIsToldAsItWasBeforeTheTimeline() {
        String room = sections.madeBy(ada, "");
        topic(room, "one");
        var since = positions(ada);
        sections.say(ada, room, 1, 1);
        topic(room, "two");

        var plain = room(sections.sync(ada, since, limit(10)), room);
        var whole = room(sections.sync(ada, since, limit(10), true, List.of()), room);

        assertThat(whole.path("timeline")).isEqualTo(plain.path("timeline"));
        assertThat(whole.path("limited")).isEqualTo(plain.path("limited"));
        assertThat(whole.path("prev_pos")).isEqualTo(plain.path("prev_pos"));
        assertThat(plain.path("state").size()).isZero();
        assertThat(texts(whole.path("state"))).contains("m.room.create", "m.room.power_levels");
        assertThat(topics(whole)).containsExactly("one");
    }

    @Test
    void stateAfterIsThatOfTheEndAndHasWhatTheTimelineShows() {
        String room = sections.madeBy(ada, "");
        topic(room, "one");
        assertThat(topics(room(sections.syncAfter(ada, null, limit(1)), room))).containsExactly("one");
        assertThat(topics(room(sections.sync(ada, null, limit(1)), room))).isEmpty();

        var since = positions(ada);
        topic(room, "two");
        sections.say(ada, room, 1, 3);
        topic(room, "three");
        for (int limit : List.of(1, 2, 10)) {
            var section = room(sections.syncAfter(ada, since, limit(limit)), room);
            assertThat(topics(section)).as("limit %s", limit).containsExactly("three");
            assertThat(section.path("state").size()).isEqualTo(1);
        }

        var later = positions(ada);
        sections.say(ada, room, 4, 5);
        assertThat(room(sections.syncAfter(ada, later, limit(10)), room)
                        .path("state")
                        .size())
                .isZero();
    }

    @Test
    void stateAfterOfANewMemberIsAllStateWithTheirOwnJoin() {
        String room = sections.madeBy(ada, "");
        topic(room, "one");
        var since = positions(bob);
        join(bob, room);
        topic(room, "two");

        var section = room(sections.syncAfter(bob, since, limit(2)), room);

        assertThat(topics(section)).containsExactly("two");
        assertThat(members(section)).containsExactlyInAnyOrder(ada, bob);
        assertThat(texts(section.path("state"))).contains("m.room.create");
    }

    /** A client that asks for state after the timeline may not take any from the timeline. */
    @Test
    void stateAfterOfWhoWasNeverJoinedIsTheirOwnLeaveEvent() {
        String room = sections.madeBy(ada, "");
        for (var ends : List.of(bob, ada)) { // declined, and withdrawn
            invite(bob, room);
            var since = positions(bob);
            assertThat(remove(ends, bob, room)).isEqualTo(200);
            assertIsOwnLeaveEvent(bob, since, room);
        }
        knockable(room);
        for (var ends : List.of(bob, ada)) { // withdrawn, and denied
            assertThat(server.as(bob).post("/knock/" + room, "{}").status()).isEqualTo(200);
            var since = positions(bob);
            assertThat(remove(ends, bob, room)).isEqualTo(200);
            assertIsOwnLeaveEvent(bob, since, room);
        }
        invite(bob, room);
        var since = positions(bob);
        assertThat(remove(bob, bob, room)).isEqualTo(200);
        assertThat(server.as(bob).post("/rooms/" + room + "/forget", "{}").status())
                .isEqualTo(200);
        assertIsOwnLeaveEvent(bob, since, room);
    }

    @Test
    void stateAfterOfAPurgedRoomIsTheReadersOwnLeaveEvent() {
        String room = sections.madeBy(ada, "");
        join(bob, room);
        var since = positions(bob);
        var answer = server.internal(
                "POST",
                "/internal/admin/rooms/purge",
                "{\"tenant\":1,\"room\":\"%s\",\"by\":\"@admin:example.org\"}".formatted(room));
        assertThat(answer.status()).isEqualTo(200);
        assertIsOwnLeaveEvent(bob, since, room);
    }

    private static void assertIsOwnLeaveEvent(String user, JsonNode since, String room) {
        var before = room(sections.sync(user, since, limit(10)), room);
        assertThat(before.path("state").size()).isZero();
        for (var filter : List.of(limit(10), lazy(10), timeline(MESSAGES))) {
            var section = room(sections.syncAfter(user, since, filter), room);
            assertThat(section.path("section").stringValue()).isEqualTo("leave");
            assertThat(events(section.path("state"))).singleElement().satisfies(event -> {
                assertThat(event.path("type").stringValue()).isEqualTo("m.room.member");
                assertThat(event.path("state_key").stringValue()).isEqualTo("@" + user + ":example.org");
                assertThat(event.path("content").path("membership").stringValue())
                        .isEqualTo("leave");
            });
        }
    }

    private void invite(String user, String room) {
        assertThat(server.as(ada)
                        .post("/rooms/" + room + "/invite", "{\"user_id\":\"@" + user + ":example.org\"}")
                        .status())
                .isEqualTo(200);
    }

    private static int remove(String by, String user, String room) {
        return by.equals(user)
                ? server.as(by).post("/rooms/" + room + "/leave", "{}").status()
                : server.as(by)
                        .post("/rooms/" + room + "/kick", "{\"user_id\":\"@" + user + ":example.org\"}")
                        .status();
    }

    private void knockable(String room) {
        assertThat(server.as(ada)
                        .put("/rooms/" + room + "/state/m.room.join_rules/", "{\"join_rule\":\"knock\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void membersThatChangedInAGapAreToldToLazyReadersToo() {
        String room = sections.madeBy(ada, ",\"name\":\"N\"");
        join("quiet", room);
        join("mover", room);
        var since = positions(ada);
        join("comer", room);
        assertThat(server.as("mover").post("/rooms/" + room + "/leave", "{}").status())
                .isEqualTo(200);
        sections.say(ada, room, 1, 3);

        assertThat(members(room(sections.sync(ada, since, lazy(2)), room)))
                .contains("comer", "mover")
                .doesNotContain("quiet");
        assertThat(members(room(sections.sync(ada, since, lazy(20)), room)))
                .as("the timeline has them")
                .doesNotContain("comer", "quiet");
    }

    @Test
    void aLazyReaderIsToldWhoSpeaksAlsoWhereNothingIsLeftOut() {
        String room = sections.madeBy(ada, ",\"name\":\"N\"");
        join(bob, room);
        join("quiet", room);
        var since = positions(ada);
        sections.say(bob, room, 1, 1);
        var section = room(sections.sync(ada, since, lazy(10)), room);
        assertThat(section.path("limited").booleanValue()).isFalse();
        assertThat(members(section)).containsExactly(bob);
    }

    @Test
    void aKnockIsShownWhileItIsPendingAndToWhoDoesNotKnowItYet() {
        String room = server.as(ada)
                .createRoom("{\"name\":\"Door\",\"initial_state\":["
                        + "{\"type\":\"m.room.join_rules\",\"content\":{\"join_rule\":\"knock\"}}]}");
        var before = positions(bob);
        assertThat(server.as(bob).post("/knock/" + room, "{}").status()).isEqualTo(200);

        var self = List.of("@" + bob + ":example.org"); // whoever ignores themselves knocks all the same
        for (var answer : List.of(
                sections.sync(bob, before, limit(10)),
                sections.sync(bob, null, limit(10)),
                sections.sync(bob, null, limit(10), false, self))) {
            var knock = room(answer, room);
            assertThat(knock.path("section").stringValue()).isEqualTo("knock");
            assertThat(knock.path("stripped").stringValue())
                    .contains("m.room.create", "Door", "\"membership\":\"knock\"")
                    .doesNotContain("event_id");
            assertThat(knock.path("timeline").size() + knock.path("state").size())
                    .isZero();
            assertThat(room(sections.sync(bob, answer.path("positions"), limit(10)), room)
                            .isMissingNode())
                    .isTrue();
        }

        var since = positions(bob);
        assertThat(server.as(ada)
                        .post("/rooms/" + room + "/invite", "{\"user_id\":\"@" + bob + ":example.org\"}")
                        .status())
                .isEqualTo(200);
        assertThat(room(sections.sync(bob, since, limit(10)), room)
                        .path("section")
                        .stringValue())
                .isEqualTo("invite");
    }

    @Test
    void listsOfRoomsAreLookedAtFirst() {
        String one = sections.madeBy(ada, "");
        String two = sections.madeBy(ada, "");
        assertThat(sections.sync(ada, null, rooms(List.of(one), null))
                        .path("rooms")
                        .size())
                .isEqualTo(1);
        assertThat(room(sections.sync(ada, null, rooms(null, List.of(one))), two)
                        .isMissingNode())
                .isFalse();
        assertThat(sections.sync(ada, null, rooms(List.of(one), List.of(one)))
                        .path("rooms")
                        .size())
                .as("not_rooms wins")
                .isZero();
        assertThat(sections.sync(ada, null, rooms(List.of(), null))
                        .path("rooms")
                        .size())
                .as("an empty list is none")
                .isZero();
    }

    private static RoomFilter rooms(@Nullable List<String> rooms, @Nullable List<String> notRooms) {
        return new RoomFilter(
                rooms, notRooms, false, EventFilter.ALL, EventFilter.ALL, EventFilter.ALL, EventFilter.ALL);
    }

    private static RoomFilter lazy(int limit) {
        return new RoomFilter(null, null, false, LAZY, limit(limit).timeline(), EventFilter.ALL, EventFilter.ALL);
    }

    private static JsonNode positions(String user) {
        return sections.sync(user, null, limit(1)).path("positions");
    }

    private static long first(JsonNode section) {
        return section.path("timeline").get(0).path("pos").longValue();
    }

    private static void join(String user, String room) {
        assertThat(server.as(user).post("/rooms/" + room + "/join", "{}").status())
                .isEqualTo(200);
    }

    private void topic(String room, String topic) {
        assertThat(server.as(ada)
                        .put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"" + topic + "\"}")
                        .status())
                .isEqualTo(200);
    }

    private static List<String> topics(JsonNode section) {
        return events(section.path("state")).stream()
                .filter(event -> event.path("type").stringValue().equals("m.room.topic"))
                .map(event -> event.path("content").path("topic").stringValue())
                .toList();
    }

    private static List<String> members(JsonNode section) {
        return events(section.path("state")).stream()
                .filter(event -> event.path("type").stringValue().equals("m.room.member"))
                .map(event -> event.path("state_key").stringValue())
                .map(user -> user.substring(1, user.indexOf(':')))
                .toList();
    }
}
