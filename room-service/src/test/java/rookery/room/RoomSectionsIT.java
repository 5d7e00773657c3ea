package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.embedded.TestServers;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a sync is told of rooms, from the tables: the examples of CONTRACT.md 16.3 to 16.5 and the table of 10.4. */
class RoomSectionsIT {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static RoomServer server;

    @BeforeAll
    static void start() {
        server = new RoomServer(TestServers.database("room-service"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A sync of a user, who then stands at {@code positions}. */
    private static JsonNode sync(String user, @Nullable JsonNode since, RoomFilter filter) {
        return sync(user, since, filter, false, List.of());
    }

    private static JsonNode sync(
            String user, @Nullable JsonNode since, RoomFilter filter, boolean fullState, List<String> ignored) {
        var request = JSON.createObjectNode();
        request.put("tenant", 1).put("user", "@" + user + ":example.org");
        request.set("since", since);
        request.putNull("upto").putNull("rooms");
        request.put("full_state", fullState).put("state_after", false);
        request.set("filter", JSON.valueToTree(filter));
        request.set("ignored", JSON.valueToTree(ignored));
        var answer = server.internal("POST", "/internal/sync", request.toString());
        assertThat(answer.status()).isEqualTo(200);
        return answer.json();
    }

    private static RoomFilter limit(int limit) {
        return timeline(new EventFilter(limit, null, null, null, null, null, null, null, false, false, false));
    }

    private static RoomFilter timeline(EventFilter timeline) {
        return new RoomFilter(null, null, false, EventFilter.ALL, timeline, EventFilter.ALL, EventFilter.ALL);
    }

    private static JsonNode room(JsonNode answer, String room) {
        for (var section : answer.path("rooms")) {
            if (section.path("room_id").asString("").equals(room)) {
                return section;
            }
        }
        return JSON.missingNode();
    }

    private static List<String> texts(JsonNode events) {
        return StreamSupport.stream(events.spliterator(), false)
                .map(event -> JSON.readTree(event.path("body").stringValue().split("\n", -1)[1]))
                .map(event -> event.path("content")
                        .path("body")
                        .asString(event.path("type").stringValue()))
                .toList();
    }

    private static String madeBy(String user, String more) {
        return server.as(user).createRoom("{\"preset\":\"public_chat\"" + more + "}");
    }

    private static void say(String user, String room, int from, int to) {
        IntStream.rangeClosed(from, to).forEach(i -> server.as(user).send(room, user + "-" + i, user + i));
    }

    @Test
    void aGapIsExactAndItsStateIsTheDifference() {
        String room = madeBy("gap", "");
        var since = sync("gap", null, limit(10)).path("positions");
        say("gap", room, 1, 12);
        server.as("gap").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"new\"}");
        say("gap", room, 13, 20);

        var section = room(sync("gap", since, limit(5)), room);

        assertThat(texts(section.path("timeline"))).containsExactly("gap16", "gap17", "gap18", "gap19", "gap20");
        assertThat(section.path("limited").booleanValue()).isTrue();
        assertThat(texts(section.path("state"))).containsExactly("m.room.topic");
        assertThat(section.path("prev_pos").longValue())
                .isEqualTo(section.path("timeline").get(0).path("pos").longValue() - 1);
    }

    @Test
    void whatFitsIsNotLimitedAndBringsNoState() {
        String room = madeBy("fit", "");
        var since = sync("fit", null, limit(10)).path("positions");
        server.as("fit").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"new\"}");
        say("fit", room, 1, 4);

        var section = room(sync("fit", since, limit(5)), room);

        assertThat(texts(section.path("timeline"))).hasSize(5);
        assertThat(section.path("limited").booleanValue()).isFalse();
        assertThat(section.path("state").size()).isZero();
    }

    @Test
    void aRoomInWhichNothingHappenedIsAbsent() {
        String room = madeBy("still", "");
        var since = sync("still", null, limit(10)).path("positions");

        assertThat(room(sync("still", since, limit(5)), room).isMissingNode()).isTrue();
        assertThat(room(sync("still", since, limit(5), true, List.of()), room)
                        .path("state")
                        .size())
                .isPositive();
    }

    @Test
    void aNewMemberGetsTheWholeStateAndWhatCameBefore() {
        String room = madeBy("host", "");
        say("host", room, 1, 12);
        var since = sync("guest", null, limit(10)).path("positions");
        server.as("guest").post("/rooms/" + room + "/join", "{}");

        var section = room(sync("guest", since, limit(10)), room);

        assertThat(section.path("section").stringValue()).isEqualTo("join");
        assertThat(texts(section.path("timeline"))).hasSize(10).endsWith("host12", "m.room.member");
        assertThat(section.path("limited").booleanValue()).isTrue();
        assertThat(texts(section.path("state"))).contains("m.room.create", "m.room.power_levels");
        assertThat(section.path("summary").path("joined").intValue()).isEqualTo(2);
        assertThat(section.path("summary").path("heroes").toString()).contains("@host:example.org");
    }

    @Test
    void withJoinedVisibilityANewMemberGetsOnlyTheOwnJoin() {
        String room = madeBy(
                "strict",
                ",\"initial_state\":[{\"type\":\"m.room.history_visibility\",\"content\":{"
                        + "\"history_visibility\":\"joined\"}}]");
        say("strict", room, 1, 3);
        server.as("late").post("/rooms/" + room + "/join", "{}");

        var section = room(sync("late", null, limit(10)), room);

        // what came before the visibility was set is shared, as the specification has it
        assertThat(texts(section.path("timeline")))
                .endsWith("m.room.history_visibility", "m.room.member")
                .noneMatch(text -> text.startsWith("strict"));
        assertThat(section.path("limited").booleanValue()).isFalse();
    }

    @Test
    void anInvitationShowsTheStrippedRoomAndALeaveIsToldOnce() {
        String room = server.as("owner").createRoom("{\"name\":\"Den\",\"invite\":[\"@pal:example.org\"]}");

        var invited = room(sync("pal", null, limit(10)), room);
        assertThat(invited.path("section").stringValue()).isEqualTo("invite");
        assertThat(invited.path("stripped").stringValue())
                .contains("m.room.create", "Den", "@owner:example.org", "\"membership\":\"invite\"")
                .doesNotContain("event_id");

        server.as("pal").post("/rooms/" + room + "/join", "{}");
        var since = sync("pal", null, limit(10)).path("positions");
        say("owner", room, 1, 2);
        server.as("owner").post("/rooms/" + room + "/kick", "{\"user_id\":\"@pal:example.org\"}");
        say("owner", room, 3, 4);

        var left = sync("pal", since, limit(10));
        assertThat(room(left, room).path("section").stringValue()).isEqualTo("leave");
        assertThat(texts(room(left, room).path("timeline"))).containsExactly("owner1", "owner2", "m.room.member");
        assertThat(room(sync("pal", left.path("positions"), limit(10)), room).isMissingNode())
                .isTrue();
        assertThat(room(sync("pal", null, limit(10)), room).isMissingNode()).isTrue();
    }

    @Test
    void aRejectedInvitationIsAnOwnLeaveAndNothingElse() {
        String room = server.as("owner").createRoom("{\"invite\":[\"@shy:example.org\"]}");
        var since = sync("shy", null, limit(10)).path("positions");
        say("owner", room, 1, 3);
        server.as("shy").post("/rooms/" + room + "/leave", "{}");

        var section = room(sync("shy", since, limit(10)), room);

        assertThat(section.path("section").stringValue()).isEqualTo("leave");
        assertThat(texts(section.path("timeline"))).containsExactly("m.room.member");
        assertThat(section.path("state").size()).isZero();
    }

    @Test
    void leavingAndJoiningAgainIsANewJoin() {
        String room = madeBy("host2", "");
        server.as("back").post("/rooms/" + room + "/join", "{}");
        var since = sync("back", null, limit(10)).path("positions");
        server.as("back").post("/rooms/" + room + "/leave", "{}");
        server.as("back").post("/rooms/" + room + "/join", "{}");

        var section = room(sync("back", since, limit(10)), room);

        assertThat(section.path("section").stringValue()).isEqualTo("join");
        assertThat(texts(section.path("state"))).isEmpty();
        assertThat(texts(section.path("timeline"))).hasSize(9).contains("m.room.create");
    }

    @Test
    void aNarrowTimelineFilterLosesNoState() {
        String room = madeBy("narrow", "");
        var since = sync("narrow", null, limit(10)).path("positions");
        server.as("narrow").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"new\"}");
        say("narrow", room, 1, 2);
        var messages = timeline(new EventFilter(
                10, List.of("m.room.message"), null, null, null, null, null, null, false, false, false));

        var section = room(sync("narrow", since, messages), room);

        assertThat(texts(section.path("timeline"))).containsExactly("narrow1", "narrow2");
        assertThat(texts(section.path("state"))).containsExactly("m.room.topic");
        assertThat(section.path("limited").booleanValue()).isFalse();
    }

    @Test
    void messagesOfIgnoredUsersAreWithheldAndTheirStateIsNot() {
        String room = madeBy("calm", "");
        server.as("troll").post("/rooms/" + room + "/join", "{}");
        say("troll", room, 1, 3);
        say("calm", room, 1, 1);

        var answer = sync("calm", null, limit(20), false, List.of("@troll:example.org"));

        assertThat(texts(room(answer, room).path("timeline")))
                .contains("calm1", "m.room.member")
                .doesNotContain("troll1");
    }

    @Test
    void invitesOfIgnoredUsersAreHeldBackUntilTheyAreHeardAgain() {
        String room = server.as("pest").createRoom("{\"invite\":[\"@shy:example.org\"]}");

        var ignoring = sync("shy", null, limit(20), false, List.of("@pest:example.org"));
        var hearing = sync("shy", null, limit(20), false, List.of());

        assertThat(room(ignoring, room).isMissingNode()).isTrue();
        assertThat(room(hearing, room).isMissingNode()).isFalse();
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
        String room = madeBy("big", more);
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

        var state = room(sync("big", null, filter), room).path("state");

        return StreamSupport.stream(state.spliterator(), false)
                .map(event -> JSON.readTree(event.path("body").stringValue().split("\n", -1)[1]))
                .filter(event -> event.path("type").stringValue().equals("m.room.member"))
                .map(event -> event.path("state_key").stringValue())
                .sorted()
                .toList();
    }

    @Test
    void whatHappenedInSecretWhileOneWasAwayIsInTheStateAfterwards() {
        String room = madeBy("keeper", "");
        server.as("rover").post("/rooms/" + room + "/join", "{}");
        var since = sync("rover", null, limit(10)).path("positions");
        server.as("rover").post("/rooms/" + room + "/leave", "{}");
        var state = "/rooms/" + room + "/state/";
        server.as("keeper").put(state + "m.room.history_visibility/", "{\"history_visibility\":\"joined\"}");
        server.as("keeper").put(state + "m.room.topic/", "{\"topic\":\"secret\"}");
        server.as("rover").post("/rooms/" + room + "/join", "{}");

        var section = room(sync("rover", since, limit(50)), room);

        assertThat(texts(section.path("timeline"))).doesNotContain("m.room.topic");
        assertThat(texts(section.path("state"))).containsExactly("m.room.topic");
    }

    @Test
    void whoDeclinesToComeBackLearnsNothingOfTheRoom() {
        String room = madeBy("asker", "");
        server.as("decliner").post("/rooms/" + room + "/join", "{}");
        server.as("decliner").post("/rooms/" + room + "/leave", "{}");
        var since = sync("decliner", null, limit(10)).path("positions");
        server.as("asker").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"secret\"}");
        server.as("asker").post("/rooms/" + room + "/invite", "{\"user_id\":\"@decliner:example.org\"}");
        server.as("decliner").post("/rooms/" + room + "/leave", "{}");

        for (int limit : List.of(1, 50)) {
            var section = room(sync("decliner", since, limit(limit)), room);

            assertThat(section.path("section").stringValue()).isEqualTo("leave");
            assertThat(section.path("state").size()).isZero();
        }
    }

    @Test
    void countsThatChangedDeepInAGapAreTold() {
        String room = madeBy("deep", "");
        var since = sync("deep", null, limit(10)).path("positions");
        server.as("diver").post("/rooms/" + room + "/join", "{}");
        say("deep", room, 1, 30);

        var summary = room(sync("deep", since, limit(1)), room).path("summary");

        assertThat(summary.path("joined").intValue()).isEqualTo(2);
        assertThat(summary.path("heroes").size()).isEqualTo(1);
    }

    @Test
    void aRoomThatLosesItsNameIsCalledAfterItsMembers() {
        String room = madeBy("namer", ",\"name\":\"Tea\"");
        server.as("guest9").post("/rooms/" + room + "/join", "{}");
        var since = sync("namer", null, limit(10)).path("positions");
        server.as("namer").put("/rooms/" + room + "/state/m.room.name/", "{\"name\":\"\"}");

        var summary = room(sync("namer", since, limit(10)), room).path("summary");

        assertThat(summary.path("heroes").size()).isEqualTo(1);
    }

    @Test
    void stateThatWasSetWhileOneWasAwayIsNotLostBetweenTheEventsOneSees() {
        String room = madeBy(
                "keeper",
                ",\"initial_state\":[{\"type\":\"m.room.history_visibility\",\"state_key\":\"\",\"content\":{"
                        + "\"history_visibility\":\"joined\"}}]");
        server.as("roamer").post("/rooms/" + room + "/join", "{}");
        say("keeper", room, 1, 2);
        server.as("roamer").post("/rooms/" + room + "/leave", "{}");
        server.as("keeper").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"unseen\"}");
        server.as("roamer").post("/rooms/" + room + "/join", "{}");

        var section = room(sync("roamer", null, limit(4)), room);

        assertThat(texts(section.path("timeline")))
                .contains("keeper1", "keeper2")
                .doesNotContain("m.room.topic");
        assertThat(texts(section.path("state"))).contains("m.room.topic");
    }

    @Test
    void manyRoomsAreTheSameAsEachAlone() {
        for (int i = 0; i < 30; i++) {
            String room = madeBy("many", i % 2 == 0 ? ",\"name\":\"N" + i + "\"" : "");
            server.as("guest" + i % 4).post("/rooms/" + room + "/join", "{}");
            server.as("many").send(room, "many" + i, "hello");
            if (i % 5 == 0) {
                server.as("many").post("/rooms/" + room + "/leave", "{}");
            }
        }
        for (int i = 0; i < 3; i++) {
            server.as("owner").createRoom("{\"invite\":[\"@many:example.org\"]}");
        }

        var all = sync("many", null, limit(3)).path("rooms");

        assertThat(all.size()).isEqualTo(27);
        var sections = StreamSupport.stream(all.spliterator(), false)
                .map(section -> section.path("section").stringValue())
                .toList();
        assertThat(sections.subList(0, 24)).containsOnly("join");
        assertThat(sections.subList(24, 27)).containsOnly("invite");
        for (var section : all) {
            assertThat(alone("many", section.path("room_id").stringValue(), limit(3)))
                    .isEqualTo(section);
        }
    }

    private static JsonNode alone(String user, String room, RoomFilter filter) {
        var only = new RoomFilter(
                List.of(room),
                null,
                false,
                filter.state(),
                filter.timeline(),
                filter.ephemeral(),
                filter.accountData());
        return room(sync(user, null, only), room);
    }

    @Test
    void theRoomsOfAUserAreKnownWithTheirPositions() {
        String room = madeBy("lister", "");
        String invited = server.as("owner").createRoom("{\"invite\":[\"@lister:example.org\"]}");
        var answer = server.internal("GET", "/internal/users/@lister:example.org/memberships?tenant=1", null);

        assertThat(answer.json().path("positions").size()).isEqualTo(16);
        assertThat(answer.json().path("rooms").toString())
                .contains(room, invited, "\"membership\":\"join\"", "\"membership\":\"invite\"");
        assertThat(server.internal("GET", "/internal/users/@lister:example.org/memberships?tenant=2", null)
                        .json()
                        .path("rooms")
                        .size())
                .isZero();
    }
}
