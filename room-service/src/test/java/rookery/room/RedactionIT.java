// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.Talk.assertRefused;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.id.Shards;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;

/** Redactions, row by row of contract.md 9.6, against the real service and database. */
class RedactionIT {
    private static final AtomicInteger TXN = new AtomicInteger();

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static final Talk talk = new Talk(server);

    /** A room of ada's that bob is in. */
    private static String room(String more) {
        String room = server.as("ada").createRoom("{\"preset\":\"public_chat\"" + more + "}");
        assertThat(server.as("bob").post("/rooms/" + room + "/join", "{}").status())
                .isEqualTo(200);
        return room;
    }

    private static Answer redact(Client client, String room, String event, String txn) {
        return client.put("/rooms/" + room + "/redact/" + event + "/" + txn, "{\"reason\":\"because " + txn + "\"}");
    }

    private static String say(Client client, String room, String text) {
        return client.send(room, "t" + TXN.incrementAndGet(), text).text("event_id");
    }

    private static JsonNode event(Client client, String room, String event) {
        var answer = client.get("/rooms/" + room + "/event/" + event);
        assertThat(answer.status()).isEqualTo(200);
        return answer.json();
    }

    private static String set(Client client, String room, String type, String content) {
        var answer = client.put("/rooms/" + room + "/state/" + type + "/", content);
        assertThat(answer.status()).isEqualTo(200);
        return answer.text("event_id");
    }

    /** All rows of the room in the log's tables, as text. */
    private static String log(String room) {
        var bodies = server.bean(DatabaseClient.class)
                .sql("SELECT body FROM room.log_entry WHERE room_id = :room ORDER BY pos")
                .bind("room", room)
                .mapValue(String.class)
                .all()
                .collectList()
                .block();
        return String.join("\n", Objects.requireNonNull(bodies));
    }

    @Test
    void everyReaderGetsWhatIsLeft() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = room("");
        String secret = say(bob, room, "secret");

        String redaction = redact(bob, room, secret, "r1").text("event_id");

        var left = event(ada, room, secret);
        assertThat(left.path("content").isEmpty()).isTrue();
        assertThat(left.path("sender").stringValue()).isEqualTo("@bob:example.org");
        assertThat(left.path("type").stringValue()).isEqualTo("m.room.message");
        var because = left.path("unsigned").path("redacted_because");
        assertThat(because.path("event_id").stringValue()).isEqualTo(redaction);
        assertThat(because.path("room_id").stringValue()).isEqualTo(room);
        assertThat(because.path("content").path("reason").stringValue()).isEqualTo("because r1");
        var shown = event(ada, room, redaction);
        assertThat(shown.path("redacts").stringValue()).isEqualTo(secret);
        assertThat(shown.path("content").path("redacts").stringValue()).isEqualTo(secret);
        assertThat(ada.get("/rooms/" + room + "/messages?dir=b").json().toString())
                .doesNotContain("secret")
                .contains("redacted_because");
        assertThat(log(room)).doesNotContain("secret");
    }

    @Test
    void theOriginalIsKeptAsideForAWhile() {
        String room = room("");
        String secret = say(server.as("bob"), room, "kept-aside");

        redact(server.as("bob"), room, secret, "r1");

        assertThat(server.bean(DatabaseClient.class)
                        .sql("SELECT body FROM room.original WHERE tenant = 1 AND event_id = :event")
                        .bind("event", secret)
                        .mapValue(String.class)
                        .one()
                        .block())
                .contains("kept-aside");
    }

    @Test
    void whatOthersSentTakesPowerOrAnAdministrator() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = room("");
        String adas = say(ada, room, "adas");
        String bobs = say(bob, room, "bobs");
        String more = say(ada, room, "more");

        assertRefused(redact(bob, room, adas, "r1"), 403, "M_FORBIDDEN");
        assertThat(event(bob, room, adas).path("content").path("body").stringValue())
                .isEqualTo("adas");
        assertThat(redact(ada, room, bobs, "r2").status()).isEqualTo(200);
        assertThat(redact(bob.asAdmin(), room, more, "r3").status()).isEqualTo(200);
        assertThat(log(room)).doesNotContain("\"bobs\"", "\"more\"");
    }

    @Test
    void redactingTakesThePowerToSendRedactions() {
        var bob = server.as("bob");
        String room = room(",\"power_level_content_override\":{\"events\":{\"m.room.redaction\":50}}");
        String bobs = say(bob, room, "bobs");

        assertRefused(redact(bob, room, bobs, "r1"), 403, "M_FORBIDDEN");
        assertRefused(redact(bob.asAdmin(), room, bobs, "r2"), 403, "M_FORBIDDEN");
        assertThat(redact(server.as("ada"), room, bobs, "r3").status()).isEqualTo(200);
    }

    @Test
    void whatIsNotInTheRoomOrNotVisibleIsNotFound() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = ada.createRoom("{\"preset\":\"public_chat\",\"initial_state\":[{\"type\":"
                + "\"m.room.history_visibility\",\"content\":{\"history_visibility\":\"joined\"}}]}");
        String before = say(ada, room, "before");
        String elsewhere = say(ada, room(""), "elsewhere");
        bob.post("/rooms/" + room + "/join", "{}");
        String unknown = "$" + "x".repeat(43);

        assertRefused(redact(ada, room, unknown, "r1"), 404, "M_NOT_FOUND");
        assertRefused(redact(ada, room, elsewhere, "r2"), 404, "M_NOT_FOUND");
        assertRefused(redact(bob.asAdmin(), room, before, "r3"), 404, "M_NOT_FOUND");
        assertRefused(redact(ada, room, "nonsense", "r4"), 400, "M_INVALID_PARAM");
        assertRefused(redact(server.as("eve"), room, before, "r5"), 403, "M_FORBIDDEN");
        assertRefused(redact(server.as("@ada:example.net"), room, before, "r6"), 403, "M_FORBIDDEN");
        assertThat(log(room)).contains("before");
    }

    @Test
    void theFirstRedactionStays() {
        var ada = server.as("ada");
        String room = room("");
        String target = say(ada, room, "twice");
        String first = redact(ada, room, target, "r1").text("event_id");

        var second = redact(server.as("ada"), room, target, "r2");

        assertThat(second.status()).isEqualTo(200);
        assertThat(second.text("event_id")).isNotEqualTo(first);
        assertThat(because(ada, room, target)).isEqualTo(first);
        assertThat(event(ada, room, second.text("event_id")).path("redacts").stringValue())
                .isEqualTo(target);
    }

    private static String because(Client client, String room, String event) {
        return event(client, room, event)
                .path("unsigned")
                .path("redacted_because")
                .path("event_id")
                .asString("");
    }

    @Test
    void redactionsAndTheCreateEventCanBeRedacted() {
        var ada = server.as("ada");
        String room = room("");
        String target = say(ada, room, "gone");
        String redaction = redact(ada, room, target, "r1").text("event_id");
        String create =
                ada.get("/rooms/" + room + "/state/m.room.create?format=event").text("event_id");

        assertThat(redact(ada, room, redaction, "r2").status()).isEqualTo(200);
        assertThat(redact(ada, room, create, "r3").status()).isEqualTo(200);

        var left = event(ada, room, redaction);
        assertThat(left.path("content").propertyNames()).containsExactly("redacts");
        assertThat(left.path("redacts").stringValue()).isEqualTo(target);
        assertThat(because(ada, room, create)).isNotEmpty();
        assertThat(event(ada, room, create).path("content").path("room_version").stringValue())
                .isEqualTo("11");
        assertThat(say(ada, room, "still works")).isNotEmpty();
    }

    @Test
    void stateIsWhatTheRedactionLeft() {
        var ada = server.as("ada");
        String room = room("");
        String topic = set(ada, room, "m.room.topic", "{\"topic\":\"shame\"}");

        redact(ada, room, topic, "r1");

        var now = ada.get("/rooms/" + room + "/state/m.room.topic");
        assertThat(now.status()).isEqualTo(200);
        assertThat(now.json().isEmpty()).isTrue();
        // the same content is no repetition, since the replaced content was redacted
        String again = set(ada, room, "m.room.topic", "{\"topic\":\"shame\"}");
        assertThat(again).isNotEqualTo(topic);
        assertThat(event(ada, room, again).path("unsigned").path("prev_content").isEmpty())
                .isTrue();
    }

    @Test
    void whatFollowedShowsNothingOfItEither() {
        var ada = server.as("ada");
        String room = room("");
        String old = set(ada, room, "m.room.topic", "{\"topic\":\"shame\"}");
        String next = set(ada, room, "m.room.topic", "{\"topic\":\"fame\"}");
        assertThat(event(ada, room, next).path("unsigned").path("prev_content").toString())
                .contains("shame");

        redact(ada, room, old, "r1");

        assertThat(event(ada, room, next).path("unsigned").path("prev_content").toString())
                .isEqualTo("{}");
        assertThat(ada.get("/rooms/" + room + "/state/m.room.topic").text("topic"))
                .isEqualTo("fame");
        assertThat(log(room)).doesNotContain("shame");
    }

    @Test
    void allInstancesJudgeByWhatIsLeft() {
        var ada = server.as("ada");
        String room = room("");
        String levels = "{\"users\":{\"@ada:example.org\":100,\"@bob:example.org\":50},\"state_default\":50%s}";
        String set = set(ada, room, "m.room.power_levels", levels.formatted(",\"notifications\":{\"room\":100}"));
        try (var beside = server.another()) {
            String path = "/rooms/" + room + "/state/m.room.power_levels/";
            String without = levels.formatted("");
            assertRefused(beside.as("bob").put(path, without), 403, "M_FORBIDDEN");

            assertThat(redact(ada, room, set, "r1").status()).isEqualTo(200);

            var left = beside.as("bob").get(path).json();
            assertThat(left.has("notifications")).isFalse();
            assertThat(left.path("users").path("@bob:example.org").intValue()).isEqualTo(50);
            assertThat(beside.as("bob").put(path, without).status()).isEqualTo(200);
        }
    }

    @Test
    void aRedactedMemberStaysAMember() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        server.users.rename("@bob:example.org", "Rude Name");
        server.awaitNameInRooms("@bob:example.org");
        String room = room("");
        String member = ada.get("/rooms/" + room + "/state/m.room.member/@bob:example.org?format=event")
                .text("event_id");

        assertThat(redact(ada, room, member, "r1").status()).isEqualTo(200);

        var joined = ada.get("/rooms/" + room + "/joined_members").json().path("joined");
        assertThat(joined.size()).isEqualTo(2);
        assertThat(joined.path("@bob:example.org").has("display_name")).isFalse();
        assertThat(bob.send(room, "t", "still here").status()).isEqualTo(200);
        assertThat(log(room)).doesNotContain("Rude Name");
    }

    @Test
    void aRepetitionIsAnsweredTheSame() {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String room = room("");
        String target = say(bob, room, "once");
        String first = redact(bob, room, target, "r1").text("event_id");
        bob.post("/rooms/" + room + "/leave", "{}");
        bob.post("/rooms/" + room + "/forget", "{}");

        assertThat(redact(bob, room, target, "r1").text("event_id")).isEqualTo(first);
        assertRefused(redact(bob, room, target, "r2"), 403, "M_FORBIDDEN");
        assertThat(because(ada, room, target)).isEqualTo(first);
    }

    @Test
    void sendingARedactionIsRedacting() {
        var ada = server.as("ada");
        String room = room("");
        String target = say(ada, room, "by send");
        String send = "/rooms/" + room + "/send/m.room.redaction/";

        assertRefused(ada.put(send + "1", "{}"), 400, "M_MISSING_PARAM");
        assertRefused(ada.put(send + "2", "{\"redacts\":1}"), 400, "M_BAD_JSON");
        assertRefused(ada.put(send + "3", "{\"redacts\":\"x\"}"), 400, "M_INVALID_PARAM");
        assertRefused(ada.put(send + "4", "{\"redacts\":\"$" + "\\u0000\"}"), 400, "M_INVALID_PARAM");
        assertRefused(ada.put(send + "5", "{\"redacts\":\"" + target + "\",\"x\":1.5}"), 400, "M_BAD_JSON");
        String body = "{\"redacts\":\"" + target + "\",\"org.example\":true}";
        String redaction = ada.put(send + "6", body).text("event_id");

        assertThat(because(ada, room, target)).isEqualTo(redaction);
        assertThat(ada.put(send + "6", body).text("event_id")).isEqualTo(redaction);
        assertThat(event(ada, room, redaction)
                        .path("content")
                        .path("org.example")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void badRequestsGetTheContractsCodes() {
        var ada = server.as("ada");
        String room = room("");
        String target = say(ada, room, "target");
        String path = "/rooms/" + room + "/redact/" + target + "/";

        assertRefused(ada.put(path + "1", "{"), 400, "M_NOT_JSON");
        assertRefused(ada.put(path + "2", "{\"reason\":1}"), 400, "M_BAD_JSON");
        assertRefused(ada.put(path + "3", "{\"reason\":\"" + "x".repeat(65_536) + "\"}"), 413, "M_TOO_LARGE");
        assertThat(ada.put(path + "4", "{\"reason\":\"\\u0000\"}").status()).isEqualTo(200);
        assertThat(because(ada, room, target)).isNotEmpty();
    }

    @Test
    void aRangeOfTheLogShowsNothingOldAndKeepsItsPositions() {
        var ada = server.as("ada");
        String room = room("");
        String target = say(ada, room, "in the log");
        redact(ada, room, target, "r1");

        for (int shard = 0; shard < Shards.COUNT; shard++) {
            var answer = server.internal("GET", "/internal/log/" + shard + "?epoch=1&after=0&limit=1000", null);
            assertThat(answer.json().toString()).doesNotContain("in the log");
            var positions = answer.json()
                    .path("entries")
                    .valueStream()
                    .map(entry -> entry.path("pos").longValue())
                    .toList();
            assertThat(positions)
                    .isEqualTo(
                            LongStream.rangeClosed(1, positions.size()).boxed().toList());
        }
    }

    @Test
    void whatErasedUsersSaidIsHiddenFromThoseWhoComeLater() {
        var ada = server.as("ada");
        var gone = server.as("gone");
        String room = room("");
        gone.post("/rooms/" + room + "/join", "{}");
        String message = say(gone, room, "my past");
        String reply = Talk.reply(gone, room, message, "my reply");
        String request = "{\"tenant\":1,\"user\":\"@gone:example.org\",\"erase\":true}";
        assertThat(server.internal("POST", "/internal/users/depart", request).status())
                .isEqualTo(200);
        var late = server.as("late");
        late.post("/rooms/" + room + "/join", "{}");

        String history = "/rooms/" + room + "/messages?dir=b&limit=100";
        assertThat(ada.get(history).json().toString()).contains("my past", "my reply");
        assertThat(late.get(history).json().toString()).contains(message, reply).doesNotContain("my past", "my reply");
        assertThat(event(late, room, message).path("content").isEmpty()).isTrue();
        assertThat(event(ada, room, message).path("content").isEmpty()).isFalse();
        assertThat(talk.freshSync("late", room).toString()).contains(message).doesNotContain("my past", "my reply");
        assertThat(talk.freshSync("ada", room).toString()).contains("my past", "my reply");
    }

    @Test
    void pendingInvitationsTellNothingOfItEither() {
        var ada = server.as("ada");
        String room = room("");
        String name = set(ada, room, "m.room.name", "{\"name\":\"Shameful\"}");
        ada.post("/rooms/" + room + "/invite", "{\"user_id\":\"@cleo:example.org\"}");
        assertThat(talk.freshSync("cleo", room).toString()).contains("Shameful");

        redact(ada, room, name, "r1");

        assertThat(talk.freshSync("cleo", room).toString())
                .contains("m.room.name")
                .doesNotContain("Shameful");
        assertThat(log(room)).doesNotContain("Shameful");
    }
}
