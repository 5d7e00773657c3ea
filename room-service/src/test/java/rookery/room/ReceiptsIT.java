// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.filter.EventFilter;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.room.RoomServer.Answer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receipts and read markers: every row of contract.md 11.1 about them, and 11.3. */
class ReceiptsIT {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final EventFilter TYPING =
            new EventFilter(null, List.of("m.typing"), null, null, null, null, null, null, false, false, false);

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static int names;

    private final String ada = "ada" + names;
    private final String bob = "bob" + names;
    private final String eve = "eve" + names++;

    private String room() {
        String room = server.as(ada).createRoom("{\"preset\":\"public_chat\"}");
        server.as(bob).post("/rooms/" + room + "/join", "");
        return room;
    }

    private static String say(String user, String room, String text) {
        return server.as(user).send(room, text, text).text("event_id");
    }

    private static String inThread(String user, String room, String txn, String relType, String parent) {
        var content = JSON.createObjectNode().put("msgtype", "m.text").put("body", txn);
        content.putObject("m.relates_to").put("rel_type", relType).put("event_id", parent);
        return server.as(user)
                .put("/rooms/" + room + "/send/m.room.message/" + txn, content.toString())
                .text("event_id");
    }

    private static Answer read(String user, String room, String type, String event, String body) {
        return server.as(user).post("/rooms/" + room + "/receipt/" + type + "/" + event.replace("$", "%24"), body);
    }

    private static Answer markers(String user, String room, String body) {
        return server.as(user).post("/rooms/" + room + "/read_markers", body);
    }

    private static JsonNode sync(String user, @Nullable JsonNode since) {
        return sync(user, since, RoomFilter.ALL);
    }

    private static JsonNode sync(String user, @Nullable JsonNode since, RoomFilter filter) {
        var request = JSON.createObjectNode();
        request.put("tenant", 1).put("user", "@" + user + ":example.org");
        request.set("since", since);
        request.putNull("upto").putNull("rooms");
        request.put("full_state", false).put("state_after", false);
        request.set("filter", JSON.valueToTree(filter));
        request.putArray("ignored");
        return server.internal("POST", "/internal/sync", request.toString()).json();
    }

    /** Receipts of a room in a sync, each as user, type, event and thread. */
    private static List<String> receipts(JsonNode sync, String room) {
        var receipts = new ArrayList<String>();
        for (var each : sync.path("receipts")) {
            if (each.path("room_id").asString("").equals(room)) {
                for (var receipt : each.path("receipts")) {
                    receipts.add("%s %s %s %s"
                            .formatted(
                                    receipt.path("user_id").stringValue().replaceAll("@|[0-9]*:.*", ""),
                                    receipt.path("type").stringValue(),
                                    receipt.path("event_id").stringValue(),
                                    receipt.path("thread").asString("-")));
                }
            }
        }
        return receipts;
    }

    private static int shard(String room) {
        return Shards.of(new RoomId(room));
    }

    /** The entries of the room's log with receipts; asserts that the answer reaches the head nevertheless. */
    private static List<JsonNode> receiptEntries(String room) {
        var entries = new ArrayList<JsonNode>();
        long after = 0;
        long head = 1;
        while (after < head) {
            var range = server.internal("GET", "/internal/log/" + shard(room) + "?after=" + after, null)
                    .json();
            for (var entry : range.path("entries")) {
                if (entry.path("kind").stringValue().equals("receipt")
                        && entry.path("room").asString("").equals(room)) {
                    entries.add(entry);
                }
            }
            assertThat(range.path("covered_to").longValue()).isGreaterThan(after);
            after = range.path("covered_to").longValue();
            head = range.path("head").longValue();
        }
        return entries;
    }

    private static void expect(Answer answer, int status, String errcode) {
        assertThat(answer.status() + " " + answer.errcode()).isEqualTo(status + " " + errcode);
        assertThat(answer.json().path("error").isString()).isTrue();
    }

    private static void expectDone(Answer answer) {
        assertThat(answer.status() + " " + answer.json()).isEqualTo("200 {}");
    }

    @Test
    void aReceiptIsToldToTheMembersOnceAndIsNoEvent() {
        String room = room();
        String event = say(ada, room, "hello");
        var before = sync(ada, null).path("positions");
        expectDone(read(bob, room, "m.read", event, ""));
        var after = sync(ada, before);
        assertThat(receipts(after, room)).containsExactly("bob m.read " + event + " -");
        assertThat(after.path("rooms").path(0).path("timeline").size()).isZero();
        assertThat(after.path("rooms").path(0).path("state").size()).isZero();
        assertThat(receipts(sync(ada, after.path("positions")), room)).isEmpty();
        assertThat(receipts(sync(ada, null), room)).containsExactly("bob m.read " + event + " -");
        assertThat(receipts(sync(eve, null), room)).isEmpty();
    }

    @Test
    void aPrivateReceiptIsForItsUserAlone() {
        String room = room();
        String event = say(ada, room, "hello");
        var before = sync(ada, null).path("positions");
        expectDone(read(bob, room, "m.read.private", event, "{}"));
        assertThat(receipts(sync(bob, before), room)).containsExactly("bob m.read.private " + event + " -");
        assertThat(receipts(sync(ada, before), room)).isEmpty();
        assertThat(receipts(sync(ada, null), room)).isEmpty();
        assertThat(receiptEntries(room))
                .allMatch(entry -> entry.path("subject").asString("").equals("@" + bob + ":example.org"));
    }

    @Test
    void goingBackAndRepeatingAreAcceptedAndChangeNothing() {
        String room = room();
        String first = say(ada, room, "one");
        String second = say(ada, room, "two");
        expectDone(read(bob, room, "m.read", second, ""));
        var entries = receiptEntries(room);
        expectDone(read(bob, room, "m.read", first, ""));
        expectDone(read(bob, room, "m.read", second, ""));
        server.restart();
        expectDone(read(bob, room, "m.read", first, ""));
        assertThat(receiptEntries(room)).isEqualTo(entries);
        assertThat(receipts(sync(ada, null), room)).containsExactly("bob m.read " + second + " -");
    }

    @Test
    void theLogHoldsNoReceiptThatWasSuperseded() {
        String room = room();
        for (int i = 0; i < 5; i++) {
            String event = say(ada, room, "m" + i);
            expectDone(markers(bob, room, "{\"m.read\":\"" + event + "\",\"m.read.private\":\"" + event + "\"}"));
            expectDone(read(ada, room, "m.read", event, ""));
        }
        assertThat(receiptEntries(room)).hasSize(3);
        assertThat(receipts(sync(bob, null), room)).hasSize(3);
    }

    @Test
    void aReceiptOfAThreadStandsBesideTheOthers() {
        String room = room();
        String root = say(ada, room, "root");
        String reply = inThread(bob, room, "reply", "m.thread", root);
        String reaction = inThread(ada, room, "reaction", "m.annotation", reply);
        String edit = inThread(ada, room, "edit", "m.replace", root);
        expectDone(read(bob, room, "m.read", root, "{\"thread_id\":\"main\"}"));
        expectDone(read(bob, room, "m.read", reply, "{\"thread_id\":\"" + root + "\"}"));
        expectDone(read(bob, room, "m.read", reaction, "{\"thread_id\":\"" + root + "\"}"));
        expectDone(read(bob, room, "m.read", reply, "{\"thread_id\":null}"));
        assertThat(receipts(sync(ada, null), room))
                .containsExactlyInAnyOrder(
                        "bob m.read " + root + " main",
                        "bob m.read " + reaction + " " + root,
                        "bob m.read " + reply + " -");
        expectDone(read(ada, room, "m.read", edit, "{\"thread_id\":\"main\"}"));
        // the event must be in the given thread; a root is in the main thread, and only a real root makes a thread
        for (var wrong : List.of(
                List.of(reply, "main"),
                List.of(root, root),
                List.of(edit, root),
                List.of(reply, reply),
                List.of(reply, edit),
                List.of(reply, "$nothing"),
                List.of(reply, "nonsense\\u0000"))) {
            String body = "{\"thread_id\":\"" + wrong.get(1) + "\"}";
            expect(read(bob, room, "m.read", wrong.get(0), body), 400, "M_INVALID_PARAM");
        }
    }

    @Test
    void whoLeavesKeepsTheirReceiptsForWhenTheyComeBack() {
        String room = room();
        String event = say(ada, room, "hello");
        var before = sync(ada, null).path("positions");
        read(bob, room, "m.read", event, "");
        server.as(bob).post("/rooms/" + room + "/leave", "");
        assertThat(receipts(sync(ada, null), room)).isEmpty();
        // the first receipt is repeated only to clients from before it
        assertThat(receipts(sync(ada, before), room)).containsExactly("bob m.read " + event + " -");
        expect(read(bob, room, "m.read", event, ""), 403, "M_FORBIDDEN");
        server.as(bob).post("/rooms/" + room + "/join", "");
        assertThat(receipts(sync(ada, null), room)).containsExactly("bob m.read " + event + " -");
    }

    @Test
    void whoComesIntoARoomIsToldAllItsReceipts() {
        String room = room();
        String event = say(ada, room, "hello");
        read(bob, room, "m.read", event, "");
        var before = sync(eve, null).path("positions");
        server.as(eve).post("/rooms/" + room + "/join", "");
        assertThat(receipts(sync(eve, before), room)).containsExactly("bob m.read " + event + " -");
    }

    @Test
    void aFilterCanLeaveReceiptsOut() {
        String room = room();
        read(bob, room, "m.read", say(ada, room, "hello"), "");
        for (var ephemeral : List.of(
                new EventFilter(null, null, List.of("m.rec*"), null, null, null, null, null, false, false, false),
                TYPING,
                new EventFilter(null, null, null, null, null, null, List.of(room), null, false, false, false))) {
            assertThat(receipts(sync(ada, null, ephemeral(ephemeral)), room)).isEmpty();
        }
    }

    private static RoomFilter ephemeral(EventFilter filter) {
        return new RoomFilter(null, null, false, EventFilter.ALL, EventFilter.ALL, filter, EventFilter.ALL);
    }

    @Test
    void aFilterDoesNotLeaveOutWhatTheReaderHasReadElsewhere() {
        String room = room();
        String event = say(ada, room, "hello");
        var before = sync(ada, null).path("positions");
        List.of(ada, bob).forEach(user -> read(user, room, "m.read", event, ""));
        assertThat(receipts(sync(ada, before, ephemeral(TYPING)), room)).containsExactly("ada m.read " + event + " -");
    }

    @Test
    void everyWrongReceiptIsRefusedAsTheContractSays() {
        String room = room();
        String event = say(ada, room, "hello");
        String elsewhere = say(ada, server.as(ada).createRoom("{}"), "elsewhere");
        expect(read(bob, room, "m.seen", event, ""), 400, "M_INVALID_PARAM");
        for (String body : List.of("{\"thread_id\":\"\"}", "{\"thread_id\":7}", "{\"thread_id\":{}}")) {
            expect(read(bob, room, "m.read", event, body), 400, "M_INVALID_PARAM");
        }
        expect(read(bob, room, "m.fully_read", event, "{\"thread_id\":\"main\"}"), 400, "M_INVALID_PARAM");
        expect(read(bob, room, "m.read", event, "{"), 400, "M_NOT_JSON");
        expect(read(bob, room, "m.read", event, "[]"), 400, "M_BAD_JSON");
        expect(read(bob, room, "m.read", "event", ""), 400, "M_INVALID_PARAM");
        expect(read(bob, room, "m.read", "$a%00b", ""), 400, "M_INVALID_PARAM");
        expect(read(bob, room, "m.read", "$unknown", ""), 404, "M_NOT_FOUND");
        expect(read(bob, room, "m.read", elsewhere, ""), 404, "M_NOT_FOUND");
        expect(read(eve, room, "m.read", event, ""), 403, "M_FORBIDDEN");
        expect(read(eve, room, "m.read", "$unknown", ""), 403, "M_FORBIDDEN");
        expect(read(bob, "!nothing:example.org", "m.read", event, ""), 403, "M_FORBIDDEN");
        expect(read("@" + bob + ":example.net", room, "m.read", event, ""), 403, "M_FORBIDDEN");
        assertThat(receiptEntries(room)).isEmpty();
    }

    @Test
    void whatAMemberCannotSeeTheyCannotHaveRead() {
        String room = room();
        String hidden = "{\"history_visibility\":\"joined\"}";
        server.as(ada).put("/rooms/" + room + "/state/m.room.history_visibility/", hidden);
        String event = say(ada, room, "hello");
        server.as(eve).post("/rooms/" + room + "/join", "");
        expect(read(eve, room, "m.read", event, ""), 404, "M_NOT_FOUND");
        expect(markers(eve, room, "{\"m.fully_read\":\"" + event + "\"}"), 404, "M_NOT_FOUND");
        expectDone(read(bob, room, "m.read", event, ""));
    }

    @Test
    void markersAreAllCheckedBeforeOneIsWritten() {
        String room = room();
        String event = say(ada, room, "hello");
        expectDone(markers(bob, room, ""));
        expectDone(markers(bob, room, "{\"m.read\":null,\"other\":1}"));
        String unknown = "{\"m.read\":\"" + event + "\",\"m.fully_read\":\"$unknown\"}";
        expect(markers(bob, room, unknown), 404, "M_NOT_FOUND");
        expect(markers(bob, room, "{\"m.fully_read\":\"" + event + "\",\"m.read\":7}"), 400, "M_BAD_JSON");
        expect(markers(bob, room, "{\"m.read.private\":\"x\"}"), 400, "M_INVALID_PARAM");
        expect(markers(eve, room, "{}"), 403, "M_FORBIDDEN");
        expect(markers(eve, room, unknown), 403, "M_FORBIDDEN");
        assertThat(receiptEntries(room)).isEmpty();
        assertThat(marker(room).get()).isEqualTo(" 0");
        String all = "{'m.read':'E','m.read.private':'E','m.fully_read':'E'}";
        expectDone(markers(bob, room, all.replace('\'', '"').replace("E", event)));
        assertThat(receipts(sync(bob, null), room)).hasSize(2);
        assertThat(marker(room).get()).isEqualTo(event + " 1");
    }

    private Supplier<String> marker(String room) {
        return () -> server.users.fullyRead("@" + bob + ":example.org", room);
    }

    @Test
    void ofACrowdTheNewestThousandAreTold() {
        String room = room();
        String event = say(ada, room, "hello");
        int shard = shard(room);
        int crowd = 1_200;
        run("UPDATE room.shard SET pos = pos + " + crowd + " WHERE shard = " + shard);
        run("""
                INSERT INTO room.state (tenant, room_id, type, state_key, valid_from, event_id, membership)
                SELECT 1, '%s', 'm.room.member', '@crowd' || i || ':example.org', 1, '$m' || i, 'join'
                  FROM generate_series(1, %d) i
                """.formatted(room, crowd));
        run("""
                INSERT INTO room.receipt (tenant, room_id, user_id, type, thread, event_id, event_pos, ts, pos)
                SELECT 1, '%s', '@crowd' || i || ':example.org', 'm.read', '', '%s', 1, 1,
                       (SELECT pos FROM room.shard WHERE shard = %d) - %d + i
                  FROM generate_series(1, %d) i
                """.formatted(room, event, shard, crowd, crowd));
        var answer = sync(ada, null);
        var users = new ArrayList<String>();
        for (var each : answer.path("receipts")) {
            if (each.path("room_id").stringValue().equals(room)) {
                each.path("receipts").forEach(r -> users.add(r.path("user_id").stringValue()));
            }
        }
        assertThat(users)
                .hasSize(1_000)
                .startsWith("@crowd" + (crowd - 999) + ":example.org")
                .endsWith("@crowd" + crowd + ":example.org");
    }

    private static void run(String sql) {
        server.bean(DatabaseClient.class).sql(sql).then().block();
    }

    @Test
    void theFullyReadMarkerOnlyMovesForward() {
        String room = room();
        var events = List.of(say(ada, room, "1"), say(ada, room, "2"), say(ada, room, "3"));
        expectDone(read(bob, room, "m.fully_read", events.get(1), "{}"));
        expectDone(read(bob, room, "m.fully_read", events.get(1), "{}"));
        expectDone(markers(bob, room, "{\"m.fully_read\":\"" + events.get(0) + "\"}"));
        assertThat(marker(room).get()).isEqualTo(events.get(1) + " 1");
        expectDone(markers(bob, room, "{\"m.fully_read\":\"" + events.get(2) + "\"}"));
        assertThat(marker(room).get()).isEqualTo(events.get(2) + " 2");
        assertThat(receiptEntries(room)).isEmpty();
    }

    @Test
    void ofTwoDevicesTheFurtherMarkerStays() {
        String room = room();
        var events = List.of(say(ada, room, "1"), say(ada, room, "2"), say(ada, room, "3"));
        server.users.setMeanwhile(events.get(2));
        expectDone(read(bob, room, "m.fully_read", events.get(1), ""));
        assertThat(marker(room).get()).isEqualTo(events.get(2) + " 1");
        String other = room();
        String last = say(ada, other, "last");
        server.users.setMeanwhile(say(ada, room(), "gone"));
        expectDone(read(bob, other, "m.fully_read", last, ""));
        assertThat(marker(other).get()).isEqualTo(last + " 2");
    }
}
