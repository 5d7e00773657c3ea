// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.PageToken;
import rookery.model.token.Positions;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;

/** Pages of history in random rooms, for random readers, filters and limits, are together exactly the visible events. */
class HistoryIT {
    private static final TokenOwner ADA = new TokenOwner(new TenantId(1), new UserId("@ada:example.org"));

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    /** A filter as JSON, and the same filter as a predicate. */
    private record FilterCase(String json, java.util.function.Predicate<JsonNode> passes) {}

    private static List<FilterCase> sieves(String room) {
        return List.of(
                new FilterCase("{}", _ -> true),
                new FilterCase("{\"types\":[]}", _ -> false),
                new FilterCase(
                        "{\"types\":[\"m.room.*\"]}", event -> type(event).startsWith("m.room.")),
                new FilterCase(
                        "{\"types\":[\"m.*\"],\"not_types\":[\"*.member\",\"m.room.message\"]}",
                        event -> type(event).startsWith("m.")
                                && !type(event).endsWith(".member")
                                && !type(event).equals("m.room.message")),
                new FilterCase(
                        "{\"senders\":[\"@eve:example.org\"]}",
                        event -> sender(event).startsWith("@eve")),
                new FilterCase(
                        "{\"not_senders\":[\"@eve:example.org\"]}",
                        event -> !sender(event).startsWith("@eve")),
                new FilterCase(
                        "{\"contains_url\":true}",
                        event -> event.path("content").has("url")),
                new FilterCase(
                        "{\"contains_url\":false}",
                        event -> !event.path("content").has("url")),
                new FilterCase("{\"rooms\":[\"" + room + "\"]}", _ -> true),
                new FilterCase("{\"rooms\":[\"" + room + "\"],\"not_rooms\":[\"" + room + "\"]}", _ -> false),
                new FilterCase("{\"rooms\":[\"!elsewhere:example.org\"]}", _ -> false));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void chainedPagesAreTheVisibleListInBothDirections(long seed) {
        var random = new Random(seed);
        var ada = server.as("ada");
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        server.as("eve").post("/rooms/" + room + "/join", "{}");
        for (int step = 0; step < 50; step++) {
            happen(random, room, step);
        }
        var everything = chained(ada, room, "f", 100, "{}");
        for (String reader : List.of("ada", "bob", "eve")) {
            var client = server.as(reader);
            if (client.get("/rooms/" + room + "/messages").status() == 403) {
                continue; // Bob may not have joined yet
            }
            var visible = everything.stream()
                    .filter(event -> mayRead(client, room, event))
                    .toList();
            for (var sieve : sieves(room)) {
                var expected =
                        visible.stream().filter(sieve.passes).map(HistoryIT::id).toList();
                int limit = List.of(1, 3, 7, 100).get(random.nextInt(4));
                String what = "seed %d reader %s filter %s limit %d".formatted(seed, reader, sieve.json, limit);
                assertThat(ids(chained(client, room, "b", limit, sieve.json)).reversed())
                        .as(what)
                        .isEqualTo(expected);
                assertThat(ids(chained(client, room, "f", limit, sieve.json)))
                        .as(what)
                        .isEqualTo(expected);
            }
        }
    }

    private static void happen(Random random, String room, int step) {
        var ada = server.as("ada");
        var bob = server.as("bob");
        String rooms = "/rooms/" + room;
        String bobs = "{\"user_id\":\"@bob:example.org\"}";
        switch (random.nextInt(12)) {
            case 0 ->
                ada.put(
                        rooms + "/state/m.room.history_visibility/",
                        "{\"history_visibility\":\"%s\"}"
                                .formatted(List.of("world_readable", "shared", "invited", "joined", "odd")
                                        .get(random.nextInt(5))));
            case 1, 2 -> bob.post(rooms + "/join", "{}");
            case 3 -> bob.post(rooms + "/leave", "{}");
            case 4 -> ada.post(rooms + "/invite", bobs);
            case 5 -> ada.post(rooms + (random.nextBoolean() ? "/ban" : "/unban"), bobs);
            case 6 -> ada.put(rooms + "/state/m.room.topic/", "{\"topic\":\"t" + step + "\"}");
            case 7 -> bob.send(room, "b" + step, "bob" + step);
            case 8 ->
                ada.put(
                        rooms + "/send/m.room.message/u" + step,
                        "{\"msgtype\":\"m.image\",\"body\":\"i\",\"url\":\"mxc://example.org/a\"}");
            case 9 -> ada.put(rooms + "/send/org.example.x/x" + step, "{}");
            default -> server.as("eve").send(room, "e" + step, "eve" + step);
        }
    }

    private static boolean mayRead(Client client, String room, JsonNode event) {
        return client.get("/rooms/" + room + "/event/" + id(event)).status() == 200;
    }

    private static List<JsonNode> chained(Client client, String room, String dir, int limit, String filter) {
        var all = new ArrayList<JsonNode>();
        @Nullable String from = null;
        for (int page = 0; page < 500; page++) {
            var answer = page(client, room, dir, limit, filter, from, null);
            answer.path("chunk").forEach(all::add);
            assertThat(answer.path("chunk").size()).isLessThanOrEqualTo(limit);
            if (!answer.has("end")) {
                return all;
            }
            from = answer.path("end").stringValue();
        }
        throw new AssertionError("the pages have no end");
    }

    private static JsonNode page(
            Client client,
            String room,
            String dir,
            int limit,
            String filter,
            @Nullable String from,
            @Nullable String to) {
        var answer = client.get("/rooms/%s/messages?dir=%s&limit=%d&filter=%s%s%s"
                .formatted(
                        room,
                        dir,
                        limit,
                        URLEncoder.encode(filter, StandardCharsets.UTF_8),
                        from == null ? "" : "&from=" + from,
                        to == null ? "" : "&to=" + to));
        assertThat(answer.status()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void pagesThatFollowEachOtherAreNotDisturbedByWhatArrives() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        var eventIds = new ArrayList<String>();
        for (int i = 0; i < 30; i++) {
            eventIds.add(ada.send(room, "t" + i, "m" + i).text("event_id"));
        }
        var read = new ArrayList<String>();
        String messages = "{\"types\":[\"m.room.message\"]}";
        var answer = page(ada, room, "b", 4, messages, null, null);
        int late = 0;
        while (true) {
            read.addAll(ids(answer.path("chunk")));
            ada.send(room, "late" + late++, "late");
            if (!answer.has("end")) {
                break;
            }
            answer = page(ada, room, "b", 4, messages, answer.path("end").stringValue(), null);
        }
        assertThat(read.reversed()).isEqualTo(eventIds);
    }

    @Test
    void theLiveEndHasNoEnd() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        var all = page(ada, room, "f", 100, "{}", null, null);
        assertThat(all.has("end")).isFalse();
        assertThat(all.has("start")).isTrue();
        assertThat(all.has("state")).isFalse();
    }

    @Test
    void thereAreNoPagesOfWhatIsHiddenHoweverMuchItIs() {
        var ada = server.as("ada");
        var gone = server.as("gone");
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        gone.post("/rooms/" + room + "/join", "{}");
        String last = gone.send(room, "last", "last").text("event_id");
        gone.post("/rooms/" + room + "/leave", "{}");
        ada.sendMany(room, 1_100);
        String messages = "{\"types\":[\"m.room.message\"]}";
        for (String dir : List.of("b", "f")) {
            var answer = page(gone, room, dir, 10, messages, null, null);
            assertThat(ids(answer.path("chunk"))).containsExactly(last);
            assertThat(answer.has("end")).isFalse();
        }
        // events that only the filter hides are scanned, a thousand at a time
        var first = page(ada, room, "b", 10, "{\"types\":[\"m.room.create\"]}", null, null);
        assertThat(first.path("chunk").size()).isZero();
        var second = page(
                ada,
                room,
                "b",
                10,
                "{\"types\":[\"m.room.create\"]}",
                first.path("end").stringValue(),
                null);
        assertThat(second.path("chunk").size()).isEqualTo(1);
        assertThat(second.has("end")).isFalse();
    }

    @Test
    void syncTokensAndPageTokensAreBothPlaces() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        ada.send(room, "1", "one");
        var stood = server.bean(TokenCodec.class).write(standing(room, 0), ADA);
        String two = ada.send(room, "2", "two").text("event_id");
        String three = ada.send(room, "3", "three").text("event_id");

        assertThat(ids(page(ada, room, "b", 10, "{}", null, stood).path("chunk")))
                .containsExactly(three, two);
        assertThat(ids(page(ada, room, "f", 10, "{}", stood, null).path("chunk")))
                .containsExactly(two, three);
        var first = page(ada, room, "b", 1, "{}", null, stood);
        var rest = page(ada, room, "b", 10, "{}", first.path("end").stringValue(), stood);
        assertThat(ids(rest.path("chunk"))).containsExactly(two);
        assertThat(rest.has("end")).isFalse();
        assertThat(page(ada, room, "b", 10, "{}", stood, rest.path("start").stringValue())
                        .path("chunk")
                        .size())
                .isZero();
    }

    @Test
    void placesInAHistoryThatWasRestoredHideNothing() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        String one = ada.send(room, "1", "one").text("event_id");
        var older = server.bean(TokenCodec.class).write(standing(room, -1), ADA);

        assertThat(ids(page(ada, room, "b", 1, "{}", older, null).path("chunk")))
                .containsExactly(one);
        assertThat(ids(page(ada, room, "b", 1, "{}", null, older).path("chunk")))
                .containsExactly(one);
        assertThat(page(ada, room, "f", 1, "{}", older, null).path("chunk").size())
                .isZero();
    }

    /** The position of Ada's client in all shards. */
    private static SyncToken standing(String room, int epochs) {
        var codec = server.bean(TokenCodec.class);
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            var answer = server.as("ada")
                    .get("/rooms/" + room + "/messages?dir=b&limit=1&from="
                            + codec.write(new PageToken(1, shard, 0), ADA));
            if (answer.status() == 200) {
                var newest = server.as("ada")
                        .get("/rooms/" + room + "/messages?dir=b&limit=1")
                        .text("start");
                long[] positions = new long[Shards.COUNT];
                positions[shard] = codec.readPage(newest, ADA, shard).pos();
                return new SyncToken(1 + epochs, 1, 0, Positions.of(positions));
            }
        }
        throw new AssertionError("the room has no shard");
    }

    @Test
    void lazyMembersAreThoseWhoSpeak() {
        var ada = server.as("ada");
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        for (String name : List.of("bob", "cyd", "dan")) {
            server.as(name).post("/rooms/" + room + "/join", "{}");
        }
        server.as("cyd").send(room, "1", "hi");
        ada.send(room, "2", "hi");

        var page = page(ada, room, "b", 2, "{\"lazy_load_members\":true}", null, null);

        assertThat(StreamSupport.stream(page.path("state").spliterator(), false)
                        .map(event -> event.path("state_key").stringValue()))
                .containsExactlyInAnyOrder("@ada:example.org", "@cyd:example.org");
    }

    @Test
    void membersBeforeAnybodyWasThereAreThoseOfNow() {
        var ada = server.as("ada");
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        server.as("bob").post("/rooms/" + room + "/join", "{}");

        var creation = page(ada, room, "f", 1, "{}", null, null);
        var join = page(ada, room, "f", 2, "{}", null, null);

        assertThat(membersAt(ada, room, creation.path("start"))).containsExactly(ada.user, "@bob:example.org");
        assertThat(membersAt(ada, room, creation.path("end"))).containsExactly(ada.user, "@bob:example.org");
        assertThat(membersAt(ada, room, join.path("end"))).containsExactly(ada.user);
    }

    private static List<String> membersAt(Client client, String room, JsonNode place) {
        var answer = client.get("/rooms/" + room + "/members?at=" + place.stringValue());
        return answer.json()
                .path("chunk")
                .valueStream()
                .map(event -> event.path("state_key").stringValue())
                .toList();
    }

    @Test
    void emptyParametersAreAsIfAbsent() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        String event = ada.send(room, "1", "one").text("event_id");
        String inRoom = "/rooms/" + room;

        for (String path : List.of(
                inRoom + "/messages?from=&to=&dir=&limit=&filter=",
                inRoom + "/members?at=&membership=&not_membership=",
                inRoom + "/context/" + event + "?limit=&filter=",
                inRoom + "/state/m.room.create?format=",
                "/v1" + inRoom + "/relations/" + event + "?from=&to=&dir=&limit=&recurse=",
                "/v1" + inRoom + "/threads?include=&from=&limit=",
                "/v1" + inRoom + "/hierarchy?suggested_only=&max_depth=&limit=&from=")) {
            var absent = ada.get(path.substring(0, path.indexOf('?')));
            var empty = ada.get(path);
            assertThat(empty.status()).as(path).isEqualTo(200);
            assertThat(ids(empty.json().path("chunk")))
                    .isEqualTo(ids(absent.json().path("chunk")));
        }
        String search = "{\"search_categories\":{\"room_events\":{\"search_term\":\"one\"}}}";
        assertThat(ada.post("/search?next_batch=", search).status()).isEqualTo(200);
        assertRefused(ada.get("/v1" + inRoom + "/timestamp_to_event?ts=&dir=b"), 400, "M_MISSING_PARAM");
    }

    @Test
    void limitsAreClampedOrRefused() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        for (String limit : List.of("1000", "99999999999999999999999", "0007")) {
            assertThat(ada.get("/rooms/" + room + "/messages?limit=" + limit).status())
                    .isEqualTo(200);
        }
        for (String limit : List.of("0", "-1", "-99999999999999999999999", "1.5", "x", "1e3", "%00")) {
            assertRefused(ada.get("/rooms/" + room + "/messages?limit=" + limit), 400, "M_INVALID_PARAM");
        }
        assertRefused(ada.get("/rooms/" + room + "/messages?filter=[]".replace("[]", "%5B%5D")), 400, "M_BAD_JSON");
        assertRefused(ada.get("/rooms/" + room + "/messages?filter=" + "%7B%22types%22:1%7D"), 400, "M_BAD_JSON");
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.errcode() + " " + answer.status()).isEqualTo(errcode + " " + status);
    }

    private static List<String> ids(Iterable<JsonNode> events) {
        return StreamSupport.stream(events.spliterator(), false)
                .map(HistoryIT::id)
                .toList();
    }

    private static String id(JsonNode event) {
        return event.path("event_id").stringValue();
    }

    private static String type(JsonNode event) {
        return event.path("type").stringValue();
    }

    private static String sender(JsonNode event) {
        return event.path("sender").stringValue();
    }
}
