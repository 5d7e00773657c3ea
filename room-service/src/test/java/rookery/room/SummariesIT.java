// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Sections.limit;
import static rookery.room.Sections.room;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import tools.jackson.databind.JsonNode;

/** How many are in a room, and after whom it is called (contract.md 10.3). */
class SummariesIT {
    private static int rooms;

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Sections sections;

    private final String host = "host" + rooms++;

    @BeforeAll
    static void start() {
        sections = new Sections(server);
    }

    @Test
    void heroesAreTheFirstFiveOthersInTheOrderInWhichTheyCame() {
        String room = sections.madeBy(host, "");
        come(room, "zoe", "eve", "mia", "bob", "kim", "abe");

        assertThat(heroes(fresh(host, room))).containsExactly("zoe", "eve", "mia", "bob", "kim");
        assertThat(heroes(fresh("eve", room))).containsExactly(host, "zoe", "mia", "bob", "kim");
    }

    @Test
    void aNewNameMovesNobody() {
        String room = sections.madeBy(host, "");
        come(room, "zoe", "eve", "mia", "bob", "kim", "abe");
        rename(room, "zoe");
        rename(room, "eve");
        rename(room, "zoe");

        assertThat(heroes(fresh(host, room))).containsExactly("zoe", "eve", "mia", "bob", "kim");
    }

    @Test
    void whoComesBackComesLast() {
        String room = sections.madeBy(host, "");
        come(room, "zoe", "eve", "mia");
        go(room, "zoe");
        come(room, "zoe");

        assertThat(heroes(fresh(host, room))).containsExactly("eve", "mia", "zoe");
    }

    @Test
    void theInvitedCountAsThoseWhoAreThere() {
        String room = sections.madeBy(host, "");
        come(room, "zoe");
        ok(host, "/rooms/" + room + "/invite", "{\"user_id\":\"@eve:example.org\"}");
        come(room, "mia");

        var summary = fresh(host, room);

        assertThat(heroes(summary)).containsExactly("zoe", "eve", "mia");
        assertThat(summary.path("joined").intValue()).isEqualTo(3);
        assertThat(summary.path("invited").intValue()).isEqualTo(1);
    }

    @Test
    void ofADesertedRoomThoseAreNamedWhoWereThere() {
        String room = sections.madeBy(host, "");
        come(room, "zoe", "eve", "mia");
        go(room, "eve");
        ok(host, "/rooms/" + room + "/ban", "{\"user_id\":\"@zoe:example.org\"}");
        assertThat(heroes(fresh(host, room))).containsExactly("mia");
        go(room, "mia");
        assertThat(heroes(fresh(host, room))).containsExactly("eve", "zoe", "mia");
    }

    @Test
    void aRoomWithANameOrAnAliasIsNotCalledAfterItsMembers() {
        for (var named : List.of(",\"name\":\"Tea\"", ",\"room_alias_name\":\"tea\"")) {
            String room = sections.madeBy(host, named);
            come(room, "zoe");
            assertThat(heroes(fresh(host, room))).as(named).isEmpty();
        }
    }

    @Test
    void theyAreToldWhenTheyChangedAndNotOtherwise() {
        String room = sections.madeBy(host, "");
        come(room, "zoe");
        var since = positions();
        server.as("zoe").send(room, "said" + host, "hello");
        server.as(host).put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"new\"}");
        rename(room, "zoe");
        var quiet = sections.sync(host, since, limit(10));
        assertThat(room(quiet, room).path("timeline").size()).isEqualTo(3);
        assertThat(room(quiet, room).has("summary")).isFalse();
        assertThat(room(sections.sync(host, since, limit(10), true, List.of()), room)
                        .path("summary")
                        .path("joined")
                        .intValue())
                .as("all state is asked for")
                .isEqualTo(2);

        var before = quiet.path("positions");
        go(room, "zoe");
        var changed = room(sections.sync(host, before, limit(10)), room).path("summary");
        assertThat(changed.path("joined").intValue()).isEqualTo(1);
        assertThat(heroes(changed)).containsExactly("zoe");
    }

    @Test
    void theyAreToldThoughMembersAreNotWanted() {
        String room = sections.madeBy(host, "");
        var since = positions();
        come(room, "zoe");
        var answer = sections.sync(host, since, withoutMembers());
        var section = room(answer, room);
        assertThat(section.path("summary").path("joined").intValue()).isEqualTo(2);
        assertThat(heroes(section.path("summary"))).containsExactly("zoe");
        assertThat(section.path("timeline").size() + section.path("state").size())
                .isZero();
        rename(room, "zoe");
        var next = sections.sync(host, answer.path("positions"), withoutMembers());
        assertThat(room(next, room).isMissingNode()).isTrue();
    }

    private static RoomFilter withoutMembers() {
        var events =
                new EventFilter(10, null, List.of("m.room.member"), null, null, null, null, null, false, false, false);
        return new RoomFilter(null, null, false, events, events, EventFilter.ALL, EventFilter.ALL);
    }

    private JsonNode positions() {
        return sections.sync(host, null, limit(1)).path("positions");
    }

    private static JsonNode fresh(String user, String room) {
        return room(sections.sync(user, null, limit(3)), room).path("summary");
    }

    private static List<String> heroes(JsonNode summary) {
        return summary.path("heroes")
                .valueStream()
                .map(hero -> hero.stringValue().substring(1, hero.stringValue().indexOf(':')))
                .toList();
    }

    private static void come(String room, String... users) {
        for (var user : users) {
            ok(user, "/rooms/" + room + "/join", "{}");
        }
    }

    private static void go(String room, String user) {
        ok(user, "/rooms/" + room + "/leave", "{}");
    }

    /** Shows another name, in this room only. */
    private static void rename(String room, String user) {
        var answer = server.as(user)
                .put(
                        "/rooms/" + room + "/state/m.room.member/@" + user + ":example.org",
                        "{\"membership\":\"join\",\"displayname\":\"name " + rooms++ + "\"}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static void ok(String user, String path, String body) {
        var answer = server.as(user).post(path, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }
}
