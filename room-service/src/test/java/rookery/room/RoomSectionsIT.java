// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Sections.limit;
import static rookery.room.Sections.room;
import static rookery.room.Sections.texts;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.filter.RoomFilter;
import rookery.model.id.Shards;
import tools.jackson.databind.JsonNode;

/** Sections built from the tables: the examples of contract.md 16.3 to 16.5 and the table of 10.4. */
class RoomSectionsIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static Sections sections;

    @BeforeAll
    static void start() {
        sections = new Sections(server);
    }

    @Test
    void aGapIsExactAndItsStateIsTheDifference() {
        String room = sections.madeBy("gap", "");
        var since = sections.sync("gap", null, limit(10)).path("positions");
        sections.say("gap", room, 1, 12);
        server.as("gap").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"new\"}");
        sections.say("gap", room, 13, 20);

        var section = room(sections.sync("gap", since, limit(5)), room);

        assertThat(texts(section.path("timeline"))).containsExactly("gap16", "gap17", "gap18", "gap19", "gap20");
        assertThat(section.path("limited").booleanValue()).isTrue();
        assertThat(texts(section.path("state"))).containsExactly("m.room.topic");
        assertThat(section.path("prev_pos").longValue())
                .isEqualTo(section.path("timeline").get(0).path("pos").longValue() - 1);
    }

    @Test
    void whoWantsNoEventsIsToldThatThereWereSome() {
        String room = sections.madeBy("none", "");
        var since = sections.sync("none", null, limit(10)).path("positions");
        server.as("none").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"new\"}");
        sections.say("none", room, 1, 4);

        var section = room(sections.sync("none", since, limit(0)), room);

        assertThat(section.path("timeline").size()).isZero();
        assertThat(section.path("limited").booleanValue()).isTrue();
        assertThat(texts(section.path("state"))).containsExactly("m.room.topic");
    }

    /** Events of 50 kB: a hundred of twenty rooms would be 100 MB of text in one answer. */
    @Test
    void timelineOfLargeEventsIsCutByItsBytesAndGoesOnBeforeThem() {
        String room = sections.madeBy("large", "");
        String padding = "x".repeat(50_000);
        for (int i = 1; i <= 30; i++) {
            server.as("large")
                    .put(
                            "/rooms/" + room + "/send/m.room.message/large" + i,
                            "{\"msgtype\":\"m.text\",\"body\":\"" + i + "\",\"padding\":\"" + padding + "\"}");
        }
        var section = room(sections.sync("large", null, limit(100)), room);

        var timeline = texts(section.path("timeline"));
        assertThat(timeline).hasSizeBetween(5, 15).endsWith("29", "30");
        assertThat(section.path("limited").booleanValue()).isTrue();
        assertThat(section.path("prev_pos").longValue())
                .isEqualTo(section.path("timeline").get(0).path("pos").longValue() - 1);
    }

    @Test
    void whatFitsIsNotLimitedAndBringsNoState() {
        String room = sections.madeBy("fit", "");
        var since = sections.sync("fit", null, limit(10)).path("positions");
        server.as("fit").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"new\"}");
        sections.say("fit", room, 1, 4);

        var section = room(sections.sync("fit", since, limit(5)), room);

        assertThat(texts(section.path("timeline"))).hasSize(5);
        assertThat(section.path("limited").booleanValue()).isFalse();
        assertThat(section.path("state").size()).isZero();
    }

    @Test
    void aRoomInWhichNothingHappenedIsAbsent() {
        String room = sections.madeBy("still", "");
        var since = sections.sync("still", null, limit(10)).path("positions");

        assertThat(room(sections.sync("still", since, limit(5)), room).isMissingNode())
                .isTrue();
        assertThat(room(sections.sync("still", since, limit(5), true, List.of()), room)
                        .path("state")
                        .size())
                .isPositive();
    }

    @Test
    void aNewMemberGetsTheWholeStateAndWhatCameBefore() {
        String room = sections.madeBy("host", "");
        sections.say("host", room, 1, 12);
        var since = sections.sync("guest", null, limit(10)).path("positions");
        server.as("guest").post("/rooms/" + room + "/join", "{}");

        var section = room(sections.sync("guest", since, limit(10)), room);

        assertThat(section.path("section").stringValue()).isEqualTo("join");
        assertThat(texts(section.path("timeline"))).hasSize(10).endsWith("host12", "m.room.member");
        assertThat(section.path("limited").booleanValue()).isTrue();
        assertThat(texts(section.path("state"))).contains("m.room.create", "m.room.power_levels");
        assertThat(section.path("summary").path("joined").intValue()).isEqualTo(2);
        assertThat(section.path("summary").path("heroes").toString()).contains("@host:example.org");
    }

    @Test
    void withJoinedVisibilityANewMemberGetsOnlyTheOwnJoin() {
        String room = sections.madeBy(
                "strict",
                ",\"initial_state\":[{\"type\":\"m.room.history_visibility\",\"content\":{"
                        + "\"history_visibility\":\"joined\"}}]");
        sections.say("strict", room, 1, 3);
        server.as("late").post("/rooms/" + room + "/join", "{}");

        var section = room(sections.sync("late", null, limit(10)), room);

        // what came before the visibility was set is shared, as the specification has it
        assertThat(texts(section.path("timeline")))
                .endsWith("m.room.history_visibility", "m.room.member")
                .noneMatch(text -> text.startsWith("strict"));
        assertThat(section.path("limited").booleanValue()).isFalse();
    }

    @Test
    void anInvitationShowsTheStrippedRoomAndALeaveIsToldOnce() {
        String room = server.as("owner").createRoom("{\"name\":\"Den\",\"invite\":[\"@pal:example.org\"]}");

        var invited = room(sections.sync("pal", null, limit(10)), room);
        assertThat(invited.path("section").stringValue()).isEqualTo("invite");
        assertThat(invited.path("stripped").stringValue())
                .contains("m.room.create", "Den", "@owner:example.org", "\"membership\":\"invite\"")
                .doesNotContain("event_id");

        server.as("pal").post("/rooms/" + room + "/join", "{}");
        var since = sections.sync("pal", null, limit(10)).path("positions");
        sections.say("owner", room, 1, 2);
        server.as("owner").post("/rooms/" + room + "/kick", "{\"user_id\":\"@pal:example.org\"}");
        sections.say("owner", room, 3, 4);

        var left = sections.sync("pal", since, limit(10));
        assertThat(room(left, room).path("section").stringValue()).isEqualTo("leave");
        assertThat(texts(room(left, room).path("timeline"))).containsExactly("owner1", "owner2", "m.room.member");
        assertThat(room(sections.sync("pal", left.path("positions"), limit(10)), room)
                        .isMissingNode())
                .isTrue();
        assertThat(room(sections.sync("pal", null, limit(10)), room).isMissingNode())
                .isTrue();
    }

    @Test
    void aRejectedInvitationIsAnOwnLeaveAndNothingElse() {
        String room = server.as("owner").createRoom("{\"invite\":[\"@shy:example.org\"]}");
        var since = sections.sync("shy", null, limit(10)).path("positions");
        sections.say("owner", room, 1, 3);
        server.as("shy").post("/rooms/" + room + "/leave", "{}");

        var section = room(sections.sync("shy", since, limit(10)), room);

        assertThat(section.path("section").stringValue()).isEqualTo("leave");
        assertThat(texts(section.path("timeline"))).containsExactly("m.room.member");
        assertThat(section.path("state").size()).isZero();
    }

    @Test
    void leavingAndJoiningAgainIsANewJoin() {
        String room = sections.madeBy("host2", "");
        server.as("back").post("/rooms/" + room + "/join", "{}");
        var since = sections.sync("back", null, limit(10)).path("positions");
        server.as("back").post("/rooms/" + room + "/leave", "{}");
        server.as("back").post("/rooms/" + room + "/join", "{}");

        var section = room(sections.sync("back", since, limit(10)), room);

        assertThat(section.path("section").stringValue()).isEqualTo("join");
        assertThat(texts(section.path("state"))).isEmpty();
        assertThat(texts(section.path("timeline"))).hasSize(9).contains("m.room.create");
    }

    @Test
    void messagesOfIgnoredUsersAreWithheldAndTheirStateIsNot() {
        String room = sections.madeBy("calm", "");
        server.as("troll").post("/rooms/" + room + "/join", "{}");
        sections.say("troll", room, 1, 3);
        sections.say("calm", room, 1, 1);

        var answer = sections.sync("calm", null, limit(20), false, List.of("@troll:example.org"));

        assertThat(texts(room(answer, room).path("timeline")))
                .contains("calm1", "m.room.member")
                .doesNotContain("troll1");
    }

    @Test
    void invitesOfIgnoredUsersAreHeldBackUntilTheyAreHeardAgain() {
        String room = server.as("pest").createRoom("{\"invite\":[\"@shy:example.org\"]}");

        var ignoring = sections.sync("shy", null, limit(20), false, List.of("@pest:example.org"));
        var hearing = sections.sync("shy", null, limit(20), false, List.of());

        assertThat(room(ignoring, room).isMissingNode()).isTrue();
        assertThat(room(hearing, room).isMissingNode()).isFalse();
    }

    @Test
    void manyRoomsAreTheSameAsEachAlone() {
        for (int i = 0; i < 30; i++) {
            String room = sections.madeBy("many", i % 2 == 0 ? ",\"name\":\"N" + i + "\"" : "");
            server.as("guest" + i % 4).post("/rooms/" + room + "/join", "{}");
            server.as("many").send(room, "many" + i, "hello");
            if (i % 5 == 0) {
                server.as("many").post("/rooms/" + room + "/leave", "{}");
            }
        }
        for (int i = 0; i < 3; i++) {
            server.as("owner").createRoom("{\"invite\":[\"@many:example.org\"]}");
        }

        var all = sections.sync("many", null, limit(3)).path("rooms");

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
        return room(sections.sync(user, null, only), room);
    }

    @Test
    void theRoomsOfAUserAreKnownWithTheirPositions() {
        String room = sections.madeBy("lister", "");
        String invited = server.as("owner").createRoom("{\"invite\":[\"@lister:example.org\"]}");
        var answer = server.internal("GET", "/internal/users/@lister:example.org/memberships?tenant=1", null);

        assertThat(answer.json().path("positions").size()).isEqualTo(Shards.COUNT);
        assertThat(answer.json().path("rooms").toString())
                .contains(room, invited, "\"membership\":\"join\"", "\"membership\":\"invite\"");
        assertThat(server.internal("GET", "/internal/users/@lister:example.org/memberships?tenant=2", null)
                        .json()
                        .path("rooms")
                        .size())
                .isZero();
    }

    @Test
    void roomsLeftSinceAPositionAreKnownToo() {
        String before = sections.madeBy("goer", "");
        String after = sections.madeBy("goer", "");
        server.as("goer").post("/rooms/" + before + "/leave", "{}");
        var positions = memberships("goer", "").path("positions");
        server.as("goer").post("/rooms/" + after + "/leave", "{}");
        String joined = positions.valueStream().map(JsonNode::asString).collect(Collectors.joining(","));

        assertThat(memberships("goer", "").path("rooms").size()).isZero();
        assertThat(memberships("goer", "&after=" + joined).path("rooms").toString())
                .contains(after, "\"membership\":\"leave\"")
                .doesNotContain(before);
    }

    @Test
    void membershipsBeforeTheCurrentJoinAreKnownOfJoinedUsers() {
        String room = sections.madeBy("owner", "");
        server.as("again").post("/join/" + room, "{}");
        server.as("again").post("/rooms/" + room + "/leave", "{}");
        server.as("again").post("/join/" + room, "{}");

        var owners = membership("owner", room);
        assertThat(owners.path("earlier").isArray()).isTrue();
        assertThat(owners.path("earlier").isEmpty()).isTrue();
        var again = membership("again", room);
        assertThat(again.path("earlier")
                        .valueStream()
                        .map(each -> each.path("membership").stringValue()))
                .containsExactly("join", "leave");
        assertThat(again.path("earlier").path(1).path("from").longValue())
                .isBetween(
                        again.path("earlier").path(0).path("from").longValue() + 1,
                        again.path("joined_from").longValue() - 1);
    }

    private static JsonNode membership(String name, String room) {
        return memberships(name, "")
                .path("rooms")
                .valueStream()
                .filter(each -> each.path("room_id").stringValue().equals(room))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void memberEventsAreReadAsOfAPosition() {
        String room = sections.madeBy("renamer", "");
        var before = membership("renamer", room);
        server.as("renamer")
                .put(
                        "/rooms/" + room + "/state/m.room.member/@renamer:example.org",
                        "{\"membership\":\"join\",\"displayname\":\"Other\"}");
        var after = membership("renamer", room);
        var answer = members(1, room, before, after);
        var events = answer.path("rooms").path(0).path("events");
        assertThat(answer.path("epoch").longValue()).isPositive();
        assertThat(events.size()).isEqualTo(2);
        assertThat(events.path(0).path("pos")).isEqualTo(before.path("pos"));
        assertThat(events.path(0).path("body").stringValue()).doesNotContain("Other");
        assertThat(events.path(1).path("body").stringValue()).contains("Other");
        assertThat(members(2, room, before, after).path("rooms").isEmpty())
                .as("another tenant")
                .isTrue();
    }

    /** The member event of the renamed user in force at each of two positions. */
    private static JsonNode members(int tenant, String room, JsonNode before, JsonNode after) {
        var query = """
            {"tenant":%d,"members":[{"room":"%s","shard":%d,"user":"@renamer:example.org","place":%d},
             {"room":"%s","shard":%d,"user":"@renamer:example.org","place":%d}]}\
            """.formatted(
                        tenant,
                        room,
                        before.path("shard").intValue(),
                        before.path("pos").longValue(),
                        room,
                        before.path("shard").intValue(),
                        after.path("pos").longValue());
        return server.internal("POST", "/internal/sync/members", query).json();
    }

    private static JsonNode memberships(String name, String query) {
        return server.internal("GET", "/internal/users/@" + name + ":example.org/memberships?tenant=1" + query, null)
                .json();
    }
}
