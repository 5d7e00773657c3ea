// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import rookery.embedded.Deadline;
import rookery.model.event.RoomVersion;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A new room in an old one's place (contract.md 8.4). */
class UpgradeIT {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String RICH = """
                    {"preset":"public_chat","room_alias_name":"upgraded","name":"Tea","topic":"Leaves",
                     "creation_content":{"type":"org.example.kind","m.federate":true,"org.example.other":1},
                     "power_level_content_override":{"users":{"@ada:example.org":100,"@bob:example.org":50},"kick":40},
                     "initial_state":[
                      {"type":"m.room.encryption","content":{"algorithm":"m.megolm.v1.aes-sha2"}},
                      {"type":"m.room.avatar","content":{"url":"mxc://example.org/tea"}},
                      {"type":"m.room.server_acl","content":{"allow":["*"]}},
                      {"type":"m.room.history_visibility","content":{"history_visibility":"invited"}},
                      {"type":"m.room.guest_access","content":{"guest_access":"can_join"}},
                      {"type":"m.space.child","state_key":"!aaaaaaaaaaaaaaaaaa:example.org","content":{"via":["a"]}},
                      {"type":"org.example.custom","content":{"a":1}}]}""";
    private static final String TO_11 = "{\"new_version\":\"11\",\"additional_creators\":[\"x\"]}";

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private static Client ada;
    private static Client bob;

    @BeforeAll
    static void start() {
        ada = server.as("ada");
        bob = server.as("bob");
    }

    @ParameterizedTest
    @EnumSource(RoomVersion.class)
    void theNewRoomIsAsTheOldOneWas(RoomVersion version) {
        String alias = "upgraded" + version.id;
        String old = ada.createRoom(RICH.replace("upgraded", alias));
        bob.post("/rooms/" + old + "/join", "{}");
        ban(old, "@eve:example.org", "spam");
        ban(old, "@fay:example.org", "x".repeat(9_000));
        ban(old, "@gil:example.org", "mistake");
        assertThat(ada.post("/rooms/" + old + "/unban", "{\"user_id\":\"@gil:example.org\"}")
                        .status())
                .isEqualTo(200);
        var levels = state(old, "m.room.power_levels");

        var answer = ada.post("/rooms/" + old + "/upgrade", "{\"new_version\":\"" + version.id + "\"}");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        String replacement = answer.text("replacement_room");
        var tombstone = ada.get("/rooms/" + old + "/state/m.room.tombstone?format=event")
                .json();
        assertThat(tombstone.path("content").path("replacement_room").asString())
                .isEqualTo(replacement);
        assertThat(tombstone.path("content").path("body").asString()).isNotEmpty();
        var create = (ObjectNode) state(replacement, "m.room.create");
        create.remove(List.of("creator", "rookery.nonce"));
        assertThat(create)
                .isEqualTo(JSON.readTree("{\"room_version\":\"" + version.id + "\",\"type\":\"org.example.kind\","
                        + "\"m.federate\":true,\"predecessor\":{\"room_id\":\"" + old + "\",\"event_id\":"
                        + tombstone.path("event_id") + "}}"));
        for (String copied : List.of(
                "name",
                "topic",
                "avatar",
                "encryption",
                "server_acl",
                "history_visibility",
                "guest_access",
                "join_rules")) {
            assertThat(state(replacement, "m.room." + copied)).as(copied).isEqualTo(state(old, "m.room." + copied));
        }
        assertThat(state(replacement, "m.room.canonical_alias").path("alias").asString())
                .isEqualTo("#" + alias + ":example.org");
        assertThat(state(old, "m.room.canonical_alias")).isEmpty();
        var carried = (ObjectNode) levels.deepCopy();
        if (version.hasUnboundedCreators()) {
            carried.withObject("users").remove("@ada:example.org");
            carried.withObject("events").put("m.room.tombstone", 150);
        }
        assertThat(state(replacement, "m.room.power_levels")).isEqualTo(carried);
        assertThat(state(replacement, "org.example.custom").path("errcode").asString())
                .isEqualTo("M_NOT_FOUND");
        assertThat(state(replacement, "m.space.child/!aaaaaaaaaaaaaaaaaa:example.org")
                        .path("errcode")
                        .asString())
                .as("no space")
                .isEqualTo("M_NOT_FOUND");
        assertBansMoved(replacement);
        assertQuiet(old, levels);
        assertSuccessor(replacement, old);
    }

    @Test
    void aSpaceKeepsItsChildren() {
        String old = ada.createRoom("{\"creation_content\":{\"type\":\"m.space\"}}");
        for (String child : List.of("!aaaaaaaaaaaaaaaaaa:example.org", "!bbbbbbbbbbbbbbbbbb:example.org")) {
            ada.put("/rooms/" + old + "/state/m.space.child/" + child, "{\"via\":[\"example.org\"],\"order\":\"1\"}");
        }
        ada.put("/rooms/" + old + "/state/m.space.child/!bbbbbbbbbbbbbbbbbb:example.org", "{}");

        String replacement = upgraded(ada, old);

        assertThat(state(replacement, "m.space.child/!aaaaaaaaaaaaaaaaaa:example.org")
                        .path("order")
                        .asString())
                .isEqualTo("1");
        assertThat(state(replacement, "m.space.child/!bbbbbbbbbbbbbbbbbb:example.org")
                        .path("errcode")
                        .asString())
                .isEqualTo("M_NOT_FOUND");
    }

    @Test
    void whoseUpgradeItIsNeedsPowerForTheTombstoneOnly() {
        String old = ada.createRoom("""
                {"preset":"public_chat","name":"Mods","power_level_content_override":{
                  "users":{"@ada:example.org":100,"@mod:example.org":50},"users_default":7,"ban":90,"state_default":80,
                  "events":{"m.room.tombstone":50,"m.room.power_levels":100,"m.room.name":95}}}""");
        var mod = server.as("mod");
        mod.post("/rooms/" + old + "/join", "{}");
        bob.post("/rooms/" + old + "/join", "{}");
        ban(old, "@eve:example.org", "spam");
        var levels = state(old, "m.room.power_levels");
        assertRefused(bob.post("/rooms/" + old + "/upgrade", TO_11), 403, "M_FORBIDDEN");

        String replacement = upgraded(mod, old);

        assertThat(mod.get("/rooms/" + replacement + "/state/m.room.power_levels")
                        .json())
                .isEqualTo(levels);
        assertThat(mod.get("/rooms/" + replacement + "/state/m.room.name").text("name"))
                .isEqualTo("Mods");
        assertThat(mod.get("/rooms/" + replacement + "/state/m.room.member/@eve:example.org")
                        .text("membership"))
                .isEqualTo("ban");
        assertThat(state(old, "m.room.power_levels")).as("more than mod may").isEqualTo(levels);
        assertRefused(mod.put("/rooms/" + replacement + "/state/m.room.name", "{\"name\":\"x\"}"), 403, "M_FORBIDDEN");
    }

    @Test
    void whatCannotBeUpgradedStaysAsItIs() {
        String room = ada.createRoom("{}");
        String path = "/rooms/" + room + "/upgrade";
        for (String version : List.of("\"13\"", "\"9\"", "\"\"", "\"\\u0000\"")) {
            assertRefused(ada.post(path, "{\"new_version\":" + version + "}"), 400, "M_UNSUPPORTED_ROOM_VERSION");
        }
        assertRefused(ada.post(path, "{}"), 400, "M_MISSING_PARAM");
        assertRefused(ada.post(path, "{\"new_version\":11}"), 400, "M_BAD_JSON");
        assertRefused(ada.post(path, "{\"new_version\":\"11\",\"additional_creators\":{}}"), 400, "M_BAD_JSON");
        assertRefused(bob.post(path, TO_11), 403, "M_FORBIDDEN");
        assertRefused(server.as("@ada:example.net").post(path, TO_11), 403, "M_FORBIDDEN");
        assertRefused(ada.post("/rooms/!AAAAAAAAAAAAAAAAAA:example.org/upgrade", TO_11), 403, "M_FORBIDDEN");
        assertRefused(ada.post("/rooms/room/upgrade", TO_11), 400, "M_INVALID_PARAM");
        assertThat(state(room, "m.room.tombstone").path("errcode").asString()).isEqualTo("M_NOT_FOUND");
    }

    @Test
    void aRoomIsUpgradedOnce() throws Exception {
        String old = ada.createRoom(
                "{\"preset\":\"public_chat\",\"power_level_content_override\":{\"users\":{\"@ada:example.org\":100,\"@bob:example.org\":100}}}");
        bob.post("/rooms/" + old + "/join", "{}");
        try (var other = server.another();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var requests = new java.util.ArrayList<Callable<Answer>>();
            for (int i = 0; i < 5; i++) {
                requests.add(() -> ada.post("/rooms/" + old + "/upgrade", TO_11));
                requests.add(() -> other.as("ada").post("/rooms/" + old + "/upgrade", TO_11));
                requests.add(() -> other.as("bob").post("/rooms/" + old + "/upgrade", TO_11));
            }
            var answers = new HashSet<String>();
            for (var answer : threads.invokeAll(requests)) {
                answers.add(
                        answer.get().status() == 200
                                ? answer.get().text("replacement_room")
                                : answer.get().status() + answer.get().errcode());
            }
            String replacement =
                    state(old, "m.room.tombstone").path("replacement_room").asString();
            assertThat(answers).containsExactlyInAnyOrder(replacement, "403M_FORBIDDEN");
            assertThat(tombstones(old)).isEqualTo(1);
        }
    }

    /** The end of a shard, in which other tests may have written much before. */
    private static JsonNode newest(int shard) {
        var heads = server.internal("GET", "/internal/log/heads", null).json();
        long after = Math.max(0, heads.path("positions").path(shard).asLong() - 100);
        return server.internal("GET", "/internal/log/%d?after=%d&limit=1000".formatted(shard, after), null)
                .json()
                .path("entries");
    }

    @Test
    void bothRoomsChangeInOneUnit() {
        String old = ada.createRoom("{\"name\":\"Unit\"}");
        ban(old, "@eve:example.org", "spam");
        String replacement = upgraded(ada, old);
        int shard = server.internal(
                        "GET", "/internal/rooms/" + replacement + "/facts?tenant=1&user=@ada:example.org", null)
                .json()
                .path("shard")
                .asInt();
        var ends = new java.util.ArrayList<Boolean>();
        boolean begun = false;
        for (var entry : newest(shard)) {
            begun |= entry.path("room").asString("").equals(replacement);
            if (begun) {
                assertThat(entry.path("room").asString()).isIn(old, replacement);
                ends.add(entry.path("unit_end").asBoolean());
            }
        }
        assertThat(ends).hasSizeGreaterThan(8).endsWith(true);
        assertThat(ends.subList(0, ends.size() - 1)).containsOnly(false);
    }

    @Test
    void whatUsersMadeOfTheOldRoomFollowsThem() {
        String old = ada.createRoom("{\"preset\":\"public_chat\"}");
        bob.post("/rooms/" + old + "/join", "{}");
        server.users.dataIsAway(true);
        String replacement = upgraded(ada, old);
        assertThat(bob.post("/rooms/" + replacement + "/join", "{}").status()).isEqualTo(200);
        server.restart();
        server.users.dataIsAway(false);

        String adas = "@ada:example.org " + old + " " + replacement;
        String bobs = "@bob:example.org " + old + " " + replacement;
        assertThat(Deadline.in(LONG).until(() -> carried(replacement).size() >= 2))
                .isTrue();
        assertThat(carried(replacement)).contains(adas, bobs);

        assertThat(Deadline.in(LONG).until(() -> notes() == 0)).isTrue();
        int before = carried(replacement).size();
        bob.post("/rooms/" + replacement + "/leave", "{}");
        bob.post("/rooms/" + replacement + "/join", "{}");
        assertThat(notes()).as("who comes back has settled in already").isEqualTo(0);
        assertThat(carried(replacement)).hasSize(before);
    }

    @Test
    void nobodyMakesARoomTheSuccessorOfAnother() {
        String old = ada.createRoom("{\"preset\":\"public_chat\"}");
        String claimed = bob.createRoom("{\"creation_content\":{\"predecessor\":{\"room_id\":\"" + old + "\"}}}");
        ada.put("/rooms/" + old + "/state/m.room.tombstone", "{\"replacement_room\":\"" + claimed + "\"}");

        assertThat(server.internal("GET", "/internal/rooms/" + claimed + "/predecessor?tenant=1", null)
                        .status())
                .isEqualTo(404);
        assertThat(notes()).isEqualTo(0);
    }

    private static void assertSuccessor(String replacement, String old) {
        assertThat(server.internal("GET", "/internal/rooms/" + replacement + "/predecessor?tenant=1", null)
                        .text("room_id"))
                .isEqualTo(old);
        assertThat(server.internal("GET", "/internal/rooms/" + replacement + "/predecessor?tenant=2", null)
                        .status())
                .isEqualTo(404);
    }

    private static void assertBansMoved(String replacement) {
        assertThat(members(replacement, "ban")).containsExactlyInAnyOrder("@eve:example.org", "@fay:example.org");
        assertThat(state(replacement, "m.room.member/@eve:example.org")
                        .path("reason")
                        .asString())
                .isEqualTo("spam");
        assertThat(members(replacement, "join")).containsExactly("@ada:example.org");
    }

    private static void assertQuiet(String old, JsonNode levels) {
        var quiet = state(old, "m.room.power_levels");
        assertThat(quiet.path("events_default").asInt()).isEqualTo(50);
        assertThat(quiet.path("invite").asInt()).isEqualTo(50);
        assertThat(quiet.path("users")).isEqualTo(levels.path("users"));
    }

    private static long notes() {
        var count = server.bean(org.springframework.r2dbc.core.DatabaseClient.class)
                .sql("SELECT count(*) FROM room.carry_over")
                .mapValue(Long.class)
                .one()
                .block();
        return count == null ? -1 : count;
    }

    private static List<String> carried(String room) {
        return server.users.carriedOver().stream()
                .filter(line -> line.endsWith(room))
                .toList();
    }

    private static int tombstones(String room) {
        int count = 0;
        for (var event :
                ada.get("/rooms/" + room + "/messages?dir=b&limit=100").json().path("chunk")) {
            count += event.path("type").asString().equals("m.room.tombstone") ? 1 : 0;
        }
        return count;
    }

    private static void ban(String room, String user, String reason) {
        var answer =
                ada.post("/rooms/" + room + "/ban", "{\"user_id\":\"" + user + "\",\"reason\":\"" + reason + "\"}");
        assertThat(answer.status()).isEqualTo(200);
    }

    private static String upgraded(Client who, String room) {
        var answer = who.post("/rooms/" + room + "/upgrade", TO_11);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.text("replacement_room");
    }

    private static JsonNode state(String room, String path) {
        return ada.get("/rooms/" + room + "/state/" + path).json();
    }

    private static List<String> members(String room, String membership) {
        return ada.get("/rooms/" + room + "/members?membership=" + membership)
                .json()
                .path("chunk")
                .valueStream()
                .map(event -> event.path("state_key").asString())
                .toList();
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.errcode()).isEqualTo(errcode);
    }
}
