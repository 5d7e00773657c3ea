// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Sections.limit;
import static rookery.room.Sections.room;
import static rookery.room.Sections.texts;
import static rookery.room.Sections.timeline;

import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import tools.jackson.databind.json.JsonMapper;

/** The state and the summary of sections, also for events outside of the timeline (contract.md 10.3, 10.4). */
class SectionStateIT {
    private static final JsonMapper JSON = JsonMapper.shared();

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static Sections sections;

    @BeforeAll
    static void start() {
        sections = new Sections(server);
    }

    @Test
    void aNarrowTimelineFilterLosesNoState() {
        String room = sections.madeBy("narrow", "");
        var since = sections.sync("narrow", null, limit(10)).path("positions");
        server.as("narrow").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"new\"}");
        sections.say("narrow", room, 1, 2);
        var messages = timeline(new EventFilter(
                10, List.of("m.room.message"), null, null, null, null, null, null, false, false, false));

        var section = room(sections.sync("narrow", since, messages), room);

        assertThat(texts(section.path("timeline"))).containsExactly("narrow1", "narrow2");
        assertThat(texts(section.path("state"))).containsExactly("m.room.topic");
        assertThat(section.path("limited").booleanValue()).isFalse();
    }

    @Test
    void lazyLoadingBringsOnlyThoseWhoSpeakAndOneselfAndTheRoomsHeroes() {
        assertThat(lazyMembers(",\"name\":\"Named\"")).containsExactly("@big:example.org", "@m7:example.org");
        assertThat(lazyMembers(""))
                .containsExactly(
                        "@big:example.org",
                        "@m0:example.org",
                        "@m1:example.org",
                        "@m2:example.org",
                        "@m3:example.org",
                        "@m4:example.org",
                        "@m7:example.org");
    }

    private static List<String> lazyMembers(String more) {
        String room = sections.madeBy("big", more);
        for (int i = 0; i < 8; i++) {
            server.as("m" + i).post("/rooms/" + room + "/join", "{}");
        }
        server.as("m7").send(room, "said" + more.length(), "hello");
        var lazy = new EventFilter(null, null, null, null, null, null, null, null, true, false, false);
        var filter = new RoomFilter(
                null,
                null,
                false,
                lazy,
                new EventFilter(1, null, null, null, null, null, null, null, false, false, false),
                EventFilter.ALL,
                EventFilter.ALL);

        var state = room(sections.sync("big", null, filter), room).path("state");

        return StreamSupport.stream(state.spliterator(), false)
                .map(event -> JSON.readTree(event.path("body").stringValue().split("\n", -1)[1]))
                .filter(event -> event.path("type").stringValue().equals("m.room.member"))
                .map(event -> event.path("state_key").stringValue())
                .sorted()
                .toList();
    }

    @Test
    void whoAsksForAllOnceMoreHearsOfMembersThatChangedInTheGap() {
        String room = sections.madeBy("asker", "");
        server.as("walker").post("/rooms/" + room + "/join", "{}");
        var since = sections.sync("asker", null, limit(10)).path("positions");
        server.as("walker").post("/rooms/" + room + "/leave", "{}");
        sections.say("asker", room, 1, 3);
        var filter = new RoomFilter(
                null,
                null,
                false,
                new EventFilter(null, null, null, null, null, null, null, null, true, false, false),
                new EventFilter(1, null, null, null, null, null, null, null, false, false, false),
                EventFilter.ALL,
                EventFilter.ALL);

        var state = room(sections.sync("asker", since, filter, true, List.of()), room)
                .path("state");

        assertThat(state.toString()).contains("@walker:example.org").contains("leave");
    }

    @Test
    void whatHappenedInSecretWhileOneWasAwayIsInTheStateAfterwards() {
        String room = sections.madeBy("keeper", "");
        server.as("rover").post("/rooms/" + room + "/join", "{}");
        var since = sections.sync("rover", null, limit(10)).path("positions");
        server.as("rover").post("/rooms/" + room + "/leave", "{}");
        var state = "/rooms/" + room + "/state/";
        server.as("keeper").put(state + "m.room.history_visibility/", "{\"history_visibility\":\"joined\"}");
        server.as("keeper").put(state + "m.room.topic/", "{\"topic\":\"secret\"}");
        server.as("rover").post("/rooms/" + room + "/join", "{}");

        var section = room(sections.sync("rover", since, limit(50)), room);

        assertThat(texts(section.path("timeline"))).doesNotContain("m.room.topic");
        assertThat(texts(section.path("state"))).containsExactly("m.room.topic");
    }

    /** A client takes the last value in a timeline for the newest one. */
    @Test
    void whatWasReplacedInSecretIsNotShownAfterItsSuccessor() {
        String room = sections.madeBy("keeper", ",\"topic\":\"replaced\"");
        var state = "/rooms/" + room + "/state/";
        sections.say("keeper", room, 1, 2);
        server.as("keeper").put(state + "m.room.history_visibility/", "{\"history_visibility\":\"joined\"}");
        server.as("keeper").put(state + "m.room.topic/", "{\"topic\":\"secret\"}");
        server.as("late").post("/rooms/" + room + "/join", "{}");

        var section = room(sections.sync("late", null, limit(50)), room);

        assertThat(texts(section.path("timeline")))
                .containsExactly("keeper1", "keeper2", "m.room.history_visibility", "m.room.member");
        assertThat(section.path("limited").booleanValue()).isTrue();
        assertThat(section.path("state").toString()).contains("secret");
    }

    @Test
    void whoDeclinesToComeBackLearnsNothingOfTheRoom() {
        String room = sections.madeBy("asker", "");
        server.as("decliner").post("/rooms/" + room + "/join", "{}");
        server.as("decliner").post("/rooms/" + room + "/leave", "{}");
        var since = sections.sync("decliner", null, limit(10)).path("positions");
        server.as("asker").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"secret\"}");
        server.as("asker").post("/rooms/" + room + "/invite", "{\"user_id\":\"@decliner:example.org\"}");
        server.as("decliner").post("/rooms/" + room + "/leave", "{}");

        for (int limit : List.of(1, 50)) {
            var section = room(sections.sync("decliner", since, limit(limit)), room);

            assertThat(section.path("section").stringValue()).isEqualTo("leave");
            assertThat(section.path("state").size()).isZero();
        }
    }

    @Test
    void anInvitationThatIsHeldBackHidesNothingElse() {
        String room = sections.madeBy("pest", "");
        server.as("weary").post("/rooms/" + room + "/join", "{}");
        var since = sections.sync("weary", null, limit(10)).path("positions");
        server.as("weary").post("/rooms/" + room + "/leave", "{}");
        server.as("pest").post("/rooms/" + room + "/invite", "{\"user_id\":\"@weary:example.org\"}");
        var ignored = List.of("@pest:example.org");

        assertThat(room(sections.sync("weary", since, limit(10)), room)
                        .path("section")
                        .stringValue())
                .isEqualTo("invite");
        var answer = sections.sync("weary", since, limit(10), false, ignored);
        assertThat(room(answer, room).path("section").stringValue()).isEqualTo("leave");
        var next = sections.sync("weary", answer.path("positions"), limit(10), false, ignored);
        assertThat(room(next, room).isMissingNode()).isTrue();
    }

    @Test
    void countsThatChangedDeepInAGapAreTold() {
        String room = sections.madeBy("deep", "");
        var since = sections.sync("deep", null, limit(10)).path("positions");
        server.as("diver").post("/rooms/" + room + "/join", "{}");
        sections.say("deep", room, 1, 30);

        var summary = room(sections.sync("deep", since, limit(1)), room).path("summary");

        assertThat(summary.path("joined").intValue()).isEqualTo(2);
        assertThat(summary.path("heroes").size()).isEqualTo(1);
    }

    @Test
    void aRoomThatLosesItsNameIsCalledAfterItsMembers() {
        String room = sections.madeBy("namer", ",\"name\":\"Tea\"");
        server.as("guest9").post("/rooms/" + room + "/join", "{}");
        var since = sections.sync("namer", null, limit(10)).path("positions");
        server.as("namer").put("/rooms/" + room + "/state/m.room.name/", "{\"name\":\"\"}");

        var summary = room(sections.sync("namer", since, limit(10)), room).path("summary");

        assertThat(summary.path("heroes").size()).isEqualTo(1);
    }

    @Test
    void stateThatWasSetWhileOneWasAwayIsNotLostBetweenTheEventsOneSees() {
        String room = sections.madeBy(
                "keeper",
                ",\"initial_state\":[{\"type\":\"m.room.history_visibility\",\"state_key\":\"\",\"content\":{"
                        + "\"history_visibility\":\"joined\"}}]");
        server.as("roamer").post("/rooms/" + room + "/join", "{}");
        sections.say("keeper", room, 1, 2);
        server.as("roamer").post("/rooms/" + room + "/leave", "{}");
        server.as("keeper").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"unseen\"}");
        server.as("roamer").post("/rooms/" + room + "/join", "{}");

        var section = room(sections.sync("roamer", null, limit(4)), room);

        assertThat(texts(section.path("timeline")))
                .contains("keeper1", "keeper2")
                .doesNotContain("m.room.topic");
        assertThat(texts(section.path("state"))).contains("m.room.topic");
    }
}
