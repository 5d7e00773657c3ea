// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.room.RoomServer.Answer;
import tools.jackson.databind.JsonNode;

/** The events around an event, and the event nearest to a timestamp (contract.md 11.1, 8.1). */
class ContextIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static List<String> say(String user, String room, int number) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < number; i++) {
            ids.add(server.as(user).send(room, user + i, user + i).text("event_id"));
        }
        return ids;
    }

    private static List<String> ids(JsonNode events) {
        return StreamSupport.stream(events.spliterator(), false)
                .map(event -> event.path("event_id").stringValue())
                .toList();
    }

    private static List<String> types(JsonNode events) {
        return StreamSupport.stream(events.spliterator(), false)
                .map(event -> event.path("type").stringValue())
                .toList();
    }

    @Test
    void theLimitIsSplitAndItsRestIsAfterTheEvent() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        var eventIds = say("ada", room, 9);
        String path = "/rooms/" + room + "/context/" + eventIds.get(4);

        for (int limit : List.of(0, 1, 2, 5)) {
            var answer = ada.get(path + "?limit=" + limit).json();
            assertThat(answer.path("event").path("event_id").stringValue()).isEqualTo(eventIds.get(4));
            assertThat(ids(answer.path("events_before")))
                    .isEqualTo(eventIds.subList(4 - limit / 2, 4).reversed());
            assertThat(ids(answer.path("events_after"))).isEqualTo(eventIds.subList(5, 5 + limit - limit / 2));
        }
        var unspent = ada.get("/rooms/" + room + "/context/" + eventIds.get(8) + "?limit=6")
                .json();
        assertThat(ids(unspent.path("events_before"))).hasSize(3);
        assertThat(ids(unspent.path("events_after"))).isEmpty();
        assertThat(ids(ada.get(path).json().path("events_after"))).hasSize(4);
    }

    @Test
    void pagesLeadOnFromBothEnds() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        var eventIds = say("ada", room, 12);
        String filter = "&filter=%7B%22types%22:[%22m.room.message%22]%7D"
                .replace("[", "%5B")
                .replace("]", "%5D");
        for (int limit : List.of(0, 1, 4, 100)) {
            var answer = ada.get("/rooms/" + room + "/context/" + eventIds.get(5) + "?limit=" + limit + filter)
                    .json();
            String messages = "/rooms/" + room + "/messages?limit=100" + filter;
            var all = new ArrayList<>(
                    ids(ada.get(messages + "&dir=b&from=" + answer.path("start").stringValue())
                                    .json()
                                    .path("chunk"))
                            .reversed());
            all.addAll(ids(answer.path("events_before")).reversed());
            all.add(eventIds.get(5));
            all.addAll(ids(answer.path("events_after")));
            all.addAll(
                    ids(ada.get(messages + "&dir=f&from=" + answer.path("end").stringValue())
                            .json()
                            .path("chunk")));
            assertThat(all).as("limit %d", limit).isEqualTo(eventIds);
        }
    }

    @Test
    void theStateIsThatAfterTheLastEventAndFiltered() {
        var ada = server.as("ada");
        String room = ada.createRoom("{\"preset\":\"public_chat\",\"name\":\"old\"}");
        server.as("bob").post("/rooms/" + room + "/join", "{}");
        var eventIds = say("bob", room, 3);
        ada.put("/rooms/" + room + "/state/m.room.name/", "{\"name\":\"new\"}");
        say("ada", room, 2);
        String path = "/rooms/" + room + "/context/" + eventIds.get(1) + "?limit=";

        assertThat(name(ada.get(path + 2).json())).isEqualTo("old");
        assertThat(name(ada.get(path + 4).json())).isEqualTo("new");
        var lazy = ada.get(path + "2&filter=%7B%22lazy_load_members%22:true%7D")
                .json()
                .path("state");
        assertThat(types(lazy)).contains("m.room.create").containsOnlyOnce("m.room.member");
        var narrow = ada.get(path + "9&filter=%7B%22types%22:%5B%22m.room.name%22%5D%7D")
                .json();
        assertThat(types(narrow.path("state"))).containsExactly("m.room.name");
        assertThat(types(narrow.path("events_after"))).containsExactly("m.room.name");
        assertThat(types(narrow.path("events_before"))).containsExactly("m.room.name");
        assertThat(narrow.path("event").path("type").stringValue()).isEqualTo("m.room.message");
    }

    private static String name(JsonNode answer) {
        return StreamSupport.stream(answer.path("state").spliterator(), false)
                .filter(event -> event.path("type").stringValue().equals("m.room.name"))
                .map(event -> event.path("content").path("name").stringValue())
                .findFirst()
                .orElse("");
    }

    @Test
    void whatIsHiddenOrIgnoredIsNotFound() {
        var ada = server.as("ada");
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        String other = ada.createRoom("{}");
        var before = say("ada", room, 1);
        server.as("reader").post("/rooms/" + room + "/join", "{}");
        server.as("troll").post("/rooms/" + room + "/join", "{}");
        var trolled = say("troll", room, 1);
        server.users.ignore("@reader:example.org", "@troll:example.org");
        var reader = server.as("reader");
        String rooms = "/rooms/" + room + "/context/";

        assertThat(reader.get(rooms + before.getFirst()).json().toString()).doesNotContain(trolled.getFirst());
        assertRefused(reader.get(rooms + trolled.getFirst()), 404, "M_NOT_FOUND");
        assertRefused(reader.get(rooms + "$nothing"), 404, "M_NOT_FOUND");
        assertRefused(reader.get(rooms + "nothing"), 400, "M_INVALID_PARAM");
        assertRefused(reader.get("/rooms/" + room + "/event/nothing"), 400, "M_INVALID_PARAM");
        assertRefused(reader.get("/rooms/" + other + "/context/" + before.getFirst()), 403, "M_FORBIDDEN");
        assertRefused(ada.get("/rooms/" + other + "/context/" + before.getFirst()), 404, "M_NOT_FOUND");
        assertRefused(server.as("@ada:example.net").get(rooms + before.getFirst()), 403, "M_FORBIDDEN");
        assertRefused(reader.get(rooms + before.getFirst() + "?limit=-1"), 400, "M_INVALID_PARAM");
        assertRefused(reader.get(rooms + before.getFirst() + "?filter=x"), 400, "M_NOT_JSON");
        assertThat(reader.get(rooms + before.getFirst() + "?limit=100000").status())
                .isEqualTo(200);
    }

    @Test
    void stateThatCannotBeIsNotFound() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        for (String path : List.of("/state/a%00b", "/state/a%00b/", "/state/m.room.name/a%00b", "/state/none")) {
            assertRefused(ada.get("/rooms/" + room + path), 404, "M_NOT_FOUND");
        }
    }

    @Test
    void theNearestEventToAMomentIsByTimeAndThenByOrder() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        var eventIds = say("ada", room, 5);
        // one timestamp goes back, and two are equal
        long[] times = {1_000, 5_000, 3_000, 3_000, 9_000};
        at(room, null, 10);
        for (int i = 0; i < times.length; i++) {
            at(room, eventIds.get(i), times[i]);
        }

        assertThat(nearest(room, 1_000, "f")).isEqualTo(eventIds.get(0));
        assertThat(nearest(room, 1_001, "f")).isEqualTo(eventIds.get(2));
        assertThat(nearest(room, 3_001, "f")).isEqualTo(eventIds.get(1));
        assertThat(nearest(room, 6_000, "f")).isEqualTo(eventIds.get(4));
        assertThat(nearest(room, 4_999, "b")).isEqualTo(eventIds.get(3));
        assertThat(nearest(room, 6_000, "b")).isEqualTo(eventIds.get(1));
        assertThat(nearest(room, Long.MAX_VALUE, "b")).isEqualTo(eventIds.get(4));
        String path = "/v1/rooms/" + room + "/timestamp_to_event";
        assertRefused(ada.get(path + "?ts=9001&dir=f"), 404, "M_NOT_FOUND");
        assertRefused(ada.get(path + "?ts=9&dir=b"), 404, "M_NOT_FOUND");
        assertRefused(ada.get(path + "?ts=-99999999999999999999999&dir=b"), 404, "M_NOT_FOUND");
        assertThat(ada.get(path + "?ts=99999999999999999999999&dir=b")
                        .json()
                        .path("origin_server_ts")
                        .longValue())
                .isEqualTo(9_000);
        assertRefused(ada.get(path + "?dir=b"), 400, "M_MISSING_PARAM");
        assertRefused(ada.get(path + "?ts=1"), 400, "M_MISSING_PARAM");
        assertRefused(ada.get(path + "?ts=1.5&dir=b"), 400, "M_INVALID_PARAM");
        assertRefused(ada.get(path + "?ts=1&dir=x"), 400, "M_INVALID_PARAM");
        assertRefused(server.as("eve").get(path + "?ts=1&dir=f"), 403, "M_FORBIDDEN");
    }

    @Test
    void aMomentInWhichMuchWasHiddenLeadsToTheNearestThatIsNot() {
        var ada = server.as("ada");
        var absent = server.as("absent");
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        ada.put("/rooms/" + room + "/state/m.room.history_visibility/", "{\"history_visibility\":\"joined\"}");
        absent.post("/rooms/" + room + "/join", "{}");
        absent.post("/rooms/" + room + "/leave", "{}");
        var hidden = say("ada", room, 1);
        ada.sendMany(room, 2_099);
        absent.post("/rooms/" + room + "/join", "{}");
        shift(room, hidden);

        long middle = 4_000_000_001_050L;
        assertThat(absent.get("/v1/rooms/" + room + "/timestamp_to_event?dir=b&ts=" + middle)
                        .json()
                        .path("origin_server_ts")
                        .longValue())
                .isLessThan(4_000_000_000_000L);
        var later = absent.get("/v1/rooms/" + room + "/timestamp_to_event?dir=f&ts=" + middle)
                .text("event_id");
        assertThat(absent.get("/rooms/" + room + "/event/" + later)
                        .json()
                        .path("state_key")
                        .stringValue())
                .isEqualTo("@absent:example.org");
    }

    /** Gives the hidden events timestamps of their own, and the later events a later timestamp. */
    private static void shift(String room, List<String> hidden) {
        sql("""
                UPDATE room.event e SET ts = 4000000000000 + e.pos - (SELECT pos FROM room.event WHERE event_id = '%s')
                 WHERE room_id = '%s' AND pos >= (SELECT pos FROM room.event WHERE event_id = '%s')
                """.formatted(hidden.getFirst(), room, hidden.getFirst()));
    }

    private static String nearest(String room, long ts, String dir) {
        return server.as("ada")
                .get("/v1/rooms/" + room + "/timestamp_to_event?ts=" + ts + "&dir=" + dir)
                .text("event_id");
    }

    /** Sets the timestamp of an event, as a wrong clock would; of all events of the room without an id. */
    private static void at(String room, @org.jspecify.annotations.Nullable String event, long ts) {
        sql("UPDATE room.event SET ts = %d WHERE room_id = '%s'%s"
                .formatted(ts, room, event == null ? "" : " AND event_id = '" + event + "'"));
        if (event != null) {
            sql("""
                    UPDATE room.log_entry SET body = regexp_replace(body, '"ts":[0-9]+', '"ts":%d')
                     WHERE (shard, pos) IN (SELECT shard, pos FROM room.event WHERE event_id = '%s')
                    """.formatted(ts, event));
        }
    }

    private static void sql(String statement) {
        server.bean(DatabaseClient.class).sql(statement).then().block();
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.errcode() + " " + answer.status()).isEqualTo(errcode + " " + status);
    }
}
