// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.room.RoomServer.Answer;
import rookery.room.table.SearchIndex;
import rookery.room.table.SearchIndex.Place;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Results of a search: which, for which users, and in which order (contract.md 13.7). */
class SearchIT {
    private static final JsonMapper JSON = JsonMapper.shared();

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static Answer ask(String user, String term, String more, @Nullable String next) {
        var events = JSON.createObjectNode();
        events.put("search_term", term);
        events.setAll((tools.jackson.databind.node.ObjectNode) JSON.readTree(more));
        var body = JSON.createObjectNode();
        body.putObject("search_categories").set("room_events", events);
        return server.as(user).post("/search" + (next == null ? "" : "?next_batch=" + next), body.toString());
    }

    private static JsonNode search(String user, String term, String more) {
        var answer = ask(user, term, more, null);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().path("search_categories").path("room_events");
    }

    private static List<String> bodies(JsonNode results) {
        return StreamSupport.stream(results.path("results").spliterator(), false)
                .map(result -> result.path("result").path("content"))
                .map(content -> content.path("body")
                        .asString(content.path("name")
                                .asString(content.path("topic").asString(""))))
                .toList();
    }

    private static String publicRoom(String user) {
        return server.as(user).createRoom("{\"preset\":\"public_chat\"}");
    }

    @Test
    void wordsAreFoundInMessagesNamesAndTopics() {
        String room = server.as("finn").createRoom("{\"name\":\"Zebra house\",\"topic\":\"zebra talk\"}");
        server.as("finn").send(room, "1", "a ZEBRA, seen");
        server.as("finn").send(room, "2", "zebras only");
        server.as("finn").put("/rooms/" + room + "/send/m.room.encrypted/3", "{\"body\":\"zebra\"}");

        assertThat(bodies(search("finn", "zebra", "{}")))
                .containsExactlyInAnyOrder("a ZEBRA, seen", "Zebra house", "zebra talk");
        assertThat(bodies(search("finn", "seen zebra", "{}"))).containsExactly("a ZEBRA, seen");
        assertThat(bodies(search("finn", "zebra", "{\"keys\":[\"content.name\"]}")))
                .containsExactly("Zebra house");
        assertThat(bodies(search("finn", "zebra", "{\"keys\":[\"content.topic\",\"content.body\"]}")))
                .containsExactlyInAnyOrder("a ZEBRA, seen", "zebra talk");
        var all = search("finn", "Zebra, Talk", "{}");
        assertThat(all.path("count").intValue()).isEqualTo(1);
        assertThat(all.path("highlights").toString()).isEqualTo("[\"zebra\",\"talk\"]");
        assertThat(all.path("results").get(0).path("rank").doubleValue()).isPositive();
        assertThat(all.path("results").get(0).path("result").path("room_id").stringValue())
                .isEqualTo(room);
        assertThat(all.has("next_batch") || all.has("state") || all.has("groups"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Die lange Straße,       STRASSE",
        "DIE LANGE STRASSE,      Straße",
        "İstanbul'da,            istanbul",
        "istanbul modern,        İSTANBUL",
        "ΟΔΥΣΣΕΥΣ,               οδυσσευς",
        "서울에서 만나요,          서울",
        "오늘 회의를 합니다,        회의",
        "山田太郎です,             太郎",
    })
    void messagesAreFoundHoweverTheirLettersAreWritten(String message, String term) {
        String room = publicRoom("lea");
        server.as("lea").send(room, "1", message);
        server.as("lea").send(room, "2", "something else");
        assertThat(bodies(search("lea", term, "{\"filter\":{\"rooms\":[\"" + room + "\"]}}")))
                .containsExactly(message);
    }

    @Test
    void onlyWhatTheSearcherMaySeeIsFound() {
        String room = publicRoom("gus");
        server.as("gus")
                .put("/rooms/" + room + "/state/m.room.history_visibility/", "{\"history_visibility\":\"joined\"}");
        server.as("gus").send(room, "1", "quokka before");
        server.as("hal").post("/rooms/" + room + "/join", "{}");
        server.as("gus").send(room, "2", "quokka during");
        server.as("hal").post("/rooms/" + room + "/leave", "{}");
        server.as("gus").send(room, "3", "quokka after");

        assertThat(bodies(search("gus", "quokka", "{}"))).hasSize(3);
        assertThat(bodies(search("hal", "quokka", "{}"))).containsExactly("quokka during");
        assertThat(search("hal", "quokka", "{}").path("count").intValue()).isEqualTo(1);
        assertThat(bodies(search("eve", "quokka", "{}"))).isEmpty();
        assertThat(bodies(search("@gus:example.net", "quokka", "{}"))).isEmpty();
        server.as("hal").post("/rooms/" + room + "/forget", "{}");
        assertThat(bodies(search("hal", "quokka", "{}"))).isEmpty();
    }

    @Test
    void theIgnoredAreNotFoundInMessages() {
        String room = publicRoom("ida");
        server.as("pest").post("/rooms/" + room + "/join", "{}");
        server.as("pest").send(room, "1", "wombat");
        server.as("ida").send(room, "2", "wombat too");
        server.users.ignore("@ida:example.org", "@pest:example.org");

        var results = search("ida", "wombat", "{\"event_context\":{}}");
        assertThat(bodies(results)).containsExactly("wombat too");
        assertThat(results.toString()).doesNotContain("\"wombat\\\"");
        assertThat(results.path("results").get(0).path("context").toString()).doesNotContain("\"body\":\"wombat\"");
        assertThat(bodies(search("pest", "wombat", "{}"))).hasSize(2);
    }

    @Test
    void pagesNeitherOverlapNorLeaveHolesInEitherOrder() {
        String room = publicRoom("jon");
        for (int i = 0; i < 25; i++) {
            server.as("jon").send(room, "t" + i, "yak ".repeat(i % 4 + 1) + "number " + i + " of many".repeat(i % 3));
        }
        for (String order : List.of("recent", "rank")) {
            var all = new ArrayList<String>();
            var ranks = new ArrayList<Double>();
            @Nullable String next = null;
            do {
                var answer = ask("jon", "yak", "{\"order_by\":\"" + order + "\",\"filter\":{\"limit\":7}}", next);
                var results = answer.json().path("search_categories").path("room_events");
                assertThat(results.path("count").intValue()).isGreaterThanOrEqualTo(25);
                all.addAll(bodies(results));
                results.path("results")
                        .forEach(result -> ranks.add(result.path("rank").doubleValue()));
                next = results.path("next_batch").asString(null);
                server.as("jon").send(room, order + all.size(), "yak late");
            } while (next != null);
            var early = all.stream().filter(body -> !body.equals("yak late")).toList();
            assertThat(early).hasSize(25).doesNotHaveDuplicates();
            if (order.equals("recent")) {
                assertThat(early.getFirst()).contains("number 24");
                assertThat(early.getLast()).contains("number 0");
            } else {
                assertThat(ranks).isSortedAccordingTo(java.util.Comparator.reverseOrder());
            }
        }
        assertThat(bodies(search("jon", "yak", "{}"))).hasSize(10);
        assertThat(bodies(search("jon", "yak", "{\"filter\":{\"limit\":1000}}")).size())
                .isBetween(25, 50);
    }

    @Test
    void filtersNarrowWhatIsFound() {
        String room = publicRoom("kim");
        String other = publicRoom("kim");
        server.as("lou").post("/rooms/" + room + "/join", "{}");
        server.as("kim").send(room, "1", "emu kim");
        server.as("lou").send(room, "2", "emu lou");
        server.as("kim").send(other, "3", "emu other");
        server.as("kim")
                .put(
                        "/rooms/" + room + "/send/m.room.message/4",
                        "{\"body\":\"emu image\",\"url\":\"mxc://example.org/a\"}");
        server.as("kim").put("/rooms/" + room + "/state/m.room.topic/", "{\"topic\":\"emu topic\"}");

        assertThat(filtered("{\"rooms\":[\"" + other + "\"]}")).containsExactly("emu other");
        assertThat(filtered("{\"not_rooms\":[\"" + room + "\"]}")).containsExactly("emu other");
        assertThat(filtered("{\"senders\":[\"@lou:example.org\",\"@\\u0000\"]}"))
                .containsExactly("emu lou");
        assertThat(filtered("{\"not_senders\":[\"@kim:example.org\"]}")).containsExactly("emu lou");
        assertThat(filtered("{\"types\":[\"m.room.t*\"]}")).containsExactly("emu topic");
        assertThat(filtered("{\"not_types\":[\"m.room.message\"]}")).containsExactly("emu topic");
        assertThat(filtered("{\"contains_url\":true}")).containsExactly("emu image");
        assertThat(filtered("{\"contains_url\":false}")).hasSize(4);
        assertThat(filtered("{\"types\":[]}")).isEmpty();
        assertThat(filtered("{\"rooms\":[]}")).isEmpty();
    }

    private static List<String> filtered(String filter) {
        return bodies(search("kim", "emu", "{\"filter\":" + filter + "}"));
    }

    @Test
    void contextStateAndGroupsAreTold() {
        String room = server.as("max").createRoom("{\"preset\":\"public_chat\",\"name\":\"den\"}");
        server.as("ned").post("/rooms/" + room + "/join", "{}");
        server.as("max").send(room, "1", "one");
        server.as("ned").send(room, "2", "ibex");
        server.as("max").send(room, "3", "three");

        var results = search(
                "max",
                "ibex",
                "{\"event_context\":{\"before_limit\":1,\"after_limit\":3,\"include_profile\":true},"
                        + "\"include_state\":true,\"filter\":{\"lazy_load_members\":true},"
                        + "\"groupings\":{\"group_by\":[{\"key\":\"room_id\"},{\"key\":\"sender\"}]}}");

        var result = results.path("results").get(0);
        var context = result.path("context");
        assertThat(context.path("events_before")
                        .get(0)
                        .path("content")
                        .path("body")
                        .stringValue())
                .isEqualTo("one");
        assertThat(context.path("events_before").size()).isEqualTo(1);
        assertThat(context.path("events_after")
                        .get(0)
                        .path("content")
                        .path("body")
                        .stringValue())
                .isEqualTo("three");
        assertThat(context.path("profile_info")
                        .path("@ned:example.org")
                        .path("displayname")
                        .stringValue())
                .isEqualTo("ned");
        assertThat(context.path("profile_info").size()).isEqualTo(2);
        var back = server.as("max")
                .get("/rooms/" + room + "/messages?dir=b&limit=1&from="
                        + context.path("start").stringValue());
        assertThat(back.json().path("chunk").get(0).path("state_key").asString(""))
                .isEqualTo("@ned:example.org");
        assertThat(results.path("state").path(room).toString()).contains("m.room.name", "den");
        assertThat(results.path("groups")
                        .path("room_id")
                        .path(room)
                        .path("results")
                        .get(0))
                .isEqualTo(result.path("result").path("event_id"));
        assertThat(results.path("groups")
                        .path("sender")
                        .path("@ned:example.org")
                        .path("order")
                        .intValue())
                .isZero();
    }

    @Test
    void aGroupCanBeReadOnAlone() {
        String first = publicRoom("oda");
        String second = publicRoom("oda");
        for (int i = 0; i < 6; i++) {
            server.as("oda").send(i % 2 == 0 ? first : second, "t" + i, "kudu " + i);
        }
        var more =
                "{\"order_by\":\"recent\",\"filter\":{\"limit\":2},\"groupings\":{\"group_by\":[{\"key\":\"room_id\"}]}}";
        var next = search("oda", "kudu", more)
                .path("groups")
                .path("room_id")
                .path(first)
                .path("next_batch")
                .stringValue();

        var rest =
                ask("oda", "kudu", more, next).json().path("search_categories").path("room_events");
        assertThat(bodies(rest)).containsExactly("kudu 2", "kudu 0");
        assertThat(rest.has("next_batch")).isFalse();
    }

    @Test
    void whatIsRemovedIsNotFound() {
        String room = publicRoom("pia");
        server.as("pia").send(room, "1", "lynx");
        var database = server.bean(DatabaseClient.class);
        long pos = java.util.Objects.requireNonNull(
                database.sql("SELECT pos FROM room.search WHERE room_id = :room AND words @@ 'lynx'::tsquery")
                        .bind("room", room)
                        .mapValue(Long.class)
                        .one()
                        .block());
        var key = new TenantRoom(new TenantId(1), new RoomId(room));
        server.bean(SearchIndex.class)
                .remove(List.of(new Place(key, pos), new Place(key, 1)))
                .block();

        assertThat(bodies(search("pia", "lynx", "{}"))).isEmpty();
    }

    @Test
    void theNewestAreFoundAlsoOfAWordThatManyHave() {
        String flooded = publicRoom("zoe");
        String quiet = publicRoom("zoe");
        server.bean(DatabaseClient.class)
                .sql("""
                        INSERT INTO room.search (tenant, room_id, pos, shard, key, url, sender, ts, words)
                        SELECT 1, r.room_id, 1000000000 + n, r.shard, 1, false, '@zoe:example.org', n,
                               array_to_tsvector(ARRAY['flood', '@1', :word])
                          FROM room.room r, generate_series(1, 60000) n WHERE r.room_id = :room
                        """)
                .bind("room", flooded)
                .bind("word", flooded.substring(0, 9))
                .then()
                .block();
        server.as("zoe").send(quiet, "1", "a late flood");

        var results = search("zoe", "flood", "{\"order_by\":\"recent\"}");
        assertThat(bodies(results)).containsExactly("a late flood");
        assertThat(results.path("count").intValue()).isBetween(10_000, 60_001);
        assertThat(bodies(search("zoe", "late flood", "{}"))).containsExactly("a late flood");
    }

    @Test
    void hostileTermsFindNothingAndDoNoHarm() {
        publicRoom("quinn");
        for (String term : List.of(
                "",
                " ",
                "!!!",
                "\u0000",
                "'",
                "\\",
                "a'b\\c",
                "& | ! <-> ( :*",
                "🦆",
                "x".repeat(900_000),
                "word ".repeat(150_000))) {
            var results = search("quinn", term, "{}");
            assertThat(results.path("count").intValue()).isZero();
            assertThat(results.path("results").size()).isZero();
        }
        assertRefused(
                server.as("quinn").post("/search", "{\"a\":\"" + "x".repeat(1 << 20) + "\"}"), 413, "M_TOO_LARGE");
    }

    @Test
    void badSearchesGetTheContractsCodes() {
        for (String body :
                List.of("{}", "{\"search_categories\":{}}", "{\"search_categories\":{\"room_events\":{}}}")) {
            assertRefused(server.as("quinn").post("/search", body), 400, "M_MISSING_PARAM");
        }
        assertRefused(server.as("quinn").post("/search", "{"), 400, "M_NOT_JSON");
        assertRefused(server.as("quinn").post("/search", "{\"search_categories\":[]}"), 400, "M_BAD_JSON");
        for (String more : List.of(
                "{\"keys\":[\"content.other\"]}",
                "{\"order_by\":\"best\"}",
                "{\"groupings\":{\"group_by\":[{\"key\":\"day\"}]}}",
                "{\"filter\":{\"limit\":0}}",
                "{\"event_context\":{\"before_limit\":-1}}")) {
            assertRefused(ask("quinn", "x", more, null), 400, "M_INVALID_PARAM");
        }
        for (String more : List.of(
                "{\"search_term\":7}",
                "{\"keys\":7}",
                "{\"filter\":[]}",
                "{\"event_context\":true}",
                "{\"groupings\":{\"group_by\":[7]}}",
                "{\"include_state\":\"yes\"}")) {
            assertRefused(ask("quinn", "x", more, null), 400, "M_BAD_JSON");
        }
        for (String next : List.of("R", "RAAAA", "tAAAA", "s")) {
            assertRefused(ask("quinn", "x", "{}", next), 400, "M_INVALID_PARAM");
        }
    }

    @Test
    void whoIsInManyRoomsFindsWhatIsInThem() {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 40; i++) {
            rooms.add(publicRoom("rex"));
        }
        server.as("rex").send(rooms.get(3), "1", "gnu");
        server.as("rex").send(rooms.get(39), "2", "gnu");
        server.as("eve").send(publicRoom("eve"), "3", "gnu");

        assertThat(bodies(search("rex", "gnu", "{}"))).hasSize(2);
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.errcode() + " " + answer.status()).isEqualTo(errcode + " " + status);
    }
}
