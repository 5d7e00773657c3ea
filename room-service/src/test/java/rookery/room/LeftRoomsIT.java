// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Sections.events;
import static rookery.room.Sections.limit;
import static rookery.room.Sections.room;
import static rookery.room.Sections.texts;
import static rookery.room.Sections.withLeft;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Sections of left rooms, by the reason for leaving (contract.md 10.4, left rooms). */
class LeftRoomsIT {
    private static int users;

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static Sections sections;

    private final String host = "host" + users;
    private final String guest = "guest" + users++;

    @BeforeAll
    static void start() {
        sections = new Sections(server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"leave", "kick", "ban"})
    void whoWasInARoomIsToldOnceAndUpToTheEnd(String way) {
        String room = sections.madeBy(host, "");
        join(room);
        var since = positions();
        sections.say(host, room, 1, 3);
        go(room, way);
        sections.say(host, room, 4, 6);

        var answer = sections.sync(guest, since, limit(10));

        var left = room(answer, room);
        assertThat(left.path("section").stringValue()).isEqualTo("leave");
        assertThat(texts(left.path("timeline"))).containsExactly(host + 1, host + 2, host + 3, "m.room.member");
        assertThat(left.path("limited").booleanValue()).isFalse();
        assertThat(left.path("state").size()).isZero();
        var end = events(left.path("timeline")).getLast();
        assertThat(end.path("content").path("membership").stringValue()).isEqualTo(way.equals("ban") ? "ban" : "leave");
        assertThat(end.path("sender").stringValue())
                .isEqualTo("@%s:example.org".formatted(way.equals("leave") ? guest : host));
        assertThat(room(sections.sync(guest, answer.path("positions"), limit(10)), room)
                        .isMissingNode())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "invite, leave, leave",
        "invite, kick, leave",
        "invite, ban, ban",
        "knock, leave, leave",
        "knock, kick, leave",
        "knock, ban, ban"
    })
    void whoOnlyStoodAtTheDoorIsToldOfTheEndAlone(String before, String way, String membership) {
        String room = server.as(host)
                .createRoom(
                        "{\"initial_state\":[{\"type\":\"m.room.join_rules\",\"content\":{\"join_rule\":\"knock\"}},"
                                + "{\"type\":\"m.room.history_visibility\","
                                + "\"content\":{\"history_visibility\":\"world_readable\"}}]}");
        if (before.equals("invite")) {
            ok(host, "/rooms/" + room + "/invite", guests());
        } else {
            ok(guest, "/knock/" + room, "{}");
        }
        var since = positions();
        sections.say(host, room, 1, 3);
        go(room, way);

        var answer = sections.sync(guest, since, limit(10));

        var left = room(answer, room);
        assertThat(left.path("section").stringValue()).isEqualTo("leave");
        assertThat(events(left.path("timeline")))
                .hasSize(1)
                .first()
                .satisfies(
                        end -> assertThat(end.path("content").path("membership").stringValue())
                                .isEqualTo(membership));
        assertThat(left.path("state").size()).isZero();
        assertThat(room(sections.sync(guest, answer.path("positions"), withLeft(10)), room)
                        .isMissingNode())
                .isTrue();
        assertThat(room(sections.sync(guest, null, withLeft(10)), room).isMissingNode())
                .as("who was never in it")
                .isTrue();
    }

    @Test
    void aLongEndIsLimitedAndItsStateIsTheDifference() {
        String room = sections.madeBy(host, "");
        join(room);
        var since = positions();
        topic(room, "before the end");
        sections.say(host, room, 1, 4);
        go(room, "kick");
        topic(room, "after the end");

        var left = room(sections.sync(guest, since, limit(3)), room);

        assertThat(texts(left.path("timeline"))).containsExactly(host + 3, host + 4, "m.room.member");
        assertThat(left.path("limited").booleanValue()).isTrue();
        assertThat(left.path("prev_pos").longValue())
                .isEqualTo(left.path("timeline").get(0).path("pos").longValue() - 1);
        assertThat(topics(left.path("state"))).isEqualTo("before the end");
    }

    @Test
    void stateAtTheEndIsThatOfTheEnd() {
        String room = sections.madeBy(host, "");
        join(room);
        var since = positions();
        topic(room, "before the end");
        go(room, "kick");
        topic(room, "after the end");

        var left = room(sections.syncAfter(guest, since, limit(10)), room);

        assertThat(topics(left.path("state"))).isEqualTo("before the end");
        assertThat(left.path("state").toString()).contains("\\\"membership\\\":\\\"leave\\\"");
    }

    @Test
    void aBanAfterTheEndIsNotToldAndNeitherIsItsPardon() {
        String room = sections.madeBy(host, "");
        join(room);
        go(room, "leave");
        var since = positions();
        go(room, "ban");
        assertThat(room(sections.sync(guest, since, limit(10)), room).isMissingNode())
                .isTrue();
        ok(host, "/rooms/" + room + "/unban", guests());
        assertThat(room(sections.sync(guest, since, limit(10)), room).isMissingNode())
                .isTrue();
    }

    @Test
    void whoComesAndGoesBetweenTwoSyncsIsToldOnce() {
        String room = sections.madeBy(host, "");
        sections.say(host, room, 1, 2);
        var since = positions();
        join(room);
        go(room, "kick");
        sections.say(host, room, 3, 3);

        var left = room(sections.sync(guest, since, limit(50)), room);

        assertThat(left.path("section").stringValue()).isEqualTo("leave");
        assertThat(texts(left.path("timeline")))
                .contains(host + 2)
                .endsWith("m.room.member")
                .doesNotContain(host + 3);
    }

    @Test
    void whoCameBackIsToldOfTheRoomAndNotOfTheEnd() {
        String room = sections.madeBy(host, "");
        join(room);
        var since = positions();
        go(room, "kick");
        join(room);
        var answer = sections.sync(guest, since, limit(10));
        assertThat(answer.path("rooms").size()).isEqualTo(1);
        assertThat(room(answer, room).path("section").stringValue()).isEqualTo("join");
    }

    @Test
    void whoWasInvitedAgainIsShownTheInvitationOnly() {
        String room = sections.madeBy(host, "");
        join(room);
        var since = positions();
        go(room, "kick");
        ok(host, "/rooms/" + room + "/invite", guests());
        var answer = sections.sync(guest, since, limit(10));
        assertThat(answer.path("rooms").size()).isEqualTo(1);
        assertThat(room(answer, room).path("section").stringValue()).isEqualTo("invite");
    }

    @Test
    void whoeverAsksForLeftRoomsGetsThemAsTheyWereAtTheEnd() {
        String room = sections.madeBy(host, "");
        join(room);
        topic(room, "before the end");
        sections.say(host, room, 1, 2);
        go(room, "leave");
        topic(room, "after the end");
        sections.say(host, room, 3, 4);

        var left = room(sections.sync(guest, null, withLeft(2)), room);

        assertThat(left.path("section").stringValue()).isEqualTo("leave");
        assertThat(texts(left.path("timeline"))).containsExactly(host + 2, "m.room.member");
        assertThat(left.path("limited").booleanValue()).isTrue();
        assertThat(topics(left.path("state"))).isEqualTo("before the end");
        assertThat(texts(left.path("state"))).contains("m.room.create");
        assertThat(left.has("summary")).isFalse();
        assertThat(room(sections.sync(guest, null, limit(2)), room).isMissingNode())
                .as("who does not ask")
                .isTrue();
        var since = positions();
        assertThat(room(sections.sync(guest, since, withLeft(2)), room).isMissingNode())
                .as("who knows already")
                .isTrue();
    }

    @Test
    void whoForgotARoomElsewhereStillHearsThatItIsLeftAndNothingElse() {
        String room = sections.madeBy(host, "");
        join(room);
        var since = positions();
        sections.say(host, room, 1, 3);
        go(room, "leave");
        ok(guest, "/rooms/" + room + "/forget", "{}");

        var answer = sections.sync(guest, since, limit(10));

        var left = room(answer, room);
        assertThat(left.path("section").stringValue()).isEqualTo("leave");
        assertThat(texts(left.path("timeline"))).containsExactly("m.room.member");
        assertThat(left.path("limited").booleanValue()).isFalse();
        assertThat(left.path("state").size()).isZero();
        assertThat(texts(room(sections.syncAfter(guest, since, limit(10)), room).path("state")))
                .as("the own member event, which clients may not take from the timeline")
                .containsExactly("m.room.member");
        assertThat(room(sections.sync(guest, answer.path("positions"), limit(10)), room)
                        .isMissingNode())
                .isTrue();
        assertThat(room(sections.sync(guest, null, withLeft(10)), room).isMissingNode())
                .isTrue();
    }

    private void join(String room) {
        ok(guest, "/rooms/" + room + "/join", "{}");
    }

    private void go(String room, String way) {
        if (way.equals("leave")) {
            ok(guest, "/rooms/" + room + "/leave", "{}");
        } else {
            ok(host, "/rooms/" + room + "/" + way, guests());
        }
    }

    private String guests() {
        return "{\"user_id\":\"@" + guest + ":example.org\"}";
    }

    private JsonNode positions() {
        return sections.sync(guest, null, limit(1)).path("positions");
    }

    private void topic(String room, String topic) {
        assertThat(server.as(host)
                        .put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"" + topic + "\"}")
                        .status())
                .isEqualTo(200);
    }

    /** The topic in the state. */
    private static String topics(JsonNode state) {
        return String.join(
                " and ",
                events(state).stream()
                        .filter(event -> event.path("type").stringValue().equals("m.room.topic"))
                        .map(event -> event.path("content").path("topic").stringValue())
                        .toList());
    }

    private static void ok(String user, String path, String body) {
        var answer = server.as(user).post(path, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }
}
