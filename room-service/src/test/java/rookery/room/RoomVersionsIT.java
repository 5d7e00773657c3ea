// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.platform.json.CanonicalJson;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The differences of the room versions that a client sees (contract.md 9.3). */
class RoomVersionsIT {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String V12 = "{\"room_version\":\"12\",\"preset\":\"public_chat\"}";

    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static Client ada;
    private static Client bob;

    @BeforeAll
    static void start() {
        ada = server.as("ada");
        bob = server.as("bob");
    }

    @Test
    void idOfVersion12IsTheHashOfTheCreateEvent() throws Exception {
        String room = ada.createRoom(V12);
        assertThat(room).matches("![A-Za-z0-9_-]{43}");
        var create = event(room, "m.room.create");
        assertThat(create.path("event_id").asString()).isEqualTo("$" + room.substring(1));

        var federated = JSON.createObjectNode().put("depth", 1);
        federated.putArray("auth_events");
        federated.putArray("prev_events");
        for (String field : List.of("content", "origin_server_ts", "sender", "state_key", "type")) {
            federated.set(field, create.get(field));
        }
        federated
                .putObject("hashes")
                .put("sha256", Base64.getEncoder().withoutPadding().encodeToString(sha256(withoutHashes(federated))));
        assertThat(Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(federated)))
                .isEqualTo(room.substring(1));
    }

    private static ObjectNode withoutHashes(ObjectNode event) {
        var copy = event.deepCopy();
        copy.remove("hashes");
        return copy;
    }

    private static byte[] sha256(ObjectNode event) throws Exception {
        return MessageDigest.getInstance("SHA-256")
                .digest(CanonicalJson.write(event).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void noTwoRoomsHaveTheSameIdWhateverTheirMakerSends() {
        String body = "{\"room_version\":\"12\",\"creation_content\":{\"rookery.nonce\":\"mine\"}}";
        assertThat(List.of(ada.createRoom(body), ada.createRoom(body), bob.createRoom(body)))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"10,!", "11,!", "12,#"})
    void onlyVersion10NamesTheCreatorAndOnlyVersion12LeavesTheServerNameOut(String version, String kind) {
        String room = ada.createRoom("{\"room_version\":\"" + version + "\",\"creation_content\":{\"a\":1}}");
        var create = state(room, "m.room.create");
        assertThat(create.path("room_version").asString()).isEqualTo(version);
        assertThat(create.path("a").asInt()).isEqualTo(1);
        assertThat(create.path("creator").asString("")).isEqualTo(version.equals("10") ? ada.user : "");
        assertThat(room.contains(":")).isEqualTo(kind.equals("!"));
        var levels = state(room, "m.room.power_levels");
        assertThat(levels.path("users").toString())
                .isEqualTo(version.equals("12") ? "{}" : "{\"@ada:example.org\":100}");
        assertThat(levels.path("events").path("m.room.tombstone").asInt()).isEqualTo(version.equals("12") ? 150 : 100);
        assertThat(ada.send(room, "t1", "hi").status()).isEqualTo(200);
    }

    @Test
    void invitedUsersOfATrustedChatAreCreatorsIfTheyExist() {
        String room = ada.createRoom("""
                {"room_version":"12","preset":"trusted_private_chat",
                 "invite":["@bob:example.org","@ada:example.org","@nobody:example.org"],
                 "creation_content":{"additional_creators":["@cy:example.org","@bob:example.org","@cy:example.org"]}}""");
        assertThat(state(room, "m.room.create").path("additional_creators").toString())
                .isEqualTo("[\"@cy:example.org\",\"@bob:example.org\"]");
        bob.post("/rooms/" + room + "/join", "{}");
        assertThat(bob.put("/rooms/" + room + "/state/m.room.name", "{\"name\":\"x\"}")
                        .status())
                .isEqualTo(200);
        String older = ada.createRoom(
                "{\"room_version\":\"11\",\"preset\":\"trusted_private_chat\",\"invite\":[\"@bob:example.org\"]}");
        assertThat(state(older, "m.room.create").has("additional_creators")).isFalse();
        assertThat(state(older, "m.room.power_levels")
                        .path("users")
                        .path(bob.user)
                        .asInt())
                .isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"creation_content\":{\"additional_creators\":{}}",
                "\"creation_content\":{\"additional_creators\":[\"bob\"]}",
                "\"creation_content\":{\"additional_creators\":[7]},\"preset\":\"trusted_private_chat\",\"invite\":[\"@bob:example.org\"]",
                "\"creation_content\":{\"additional_creators\":null},\"preset\":\"trusted_private_chat\",\"invite\":[\"@bob:example.org\"]",
                "\"power_level_content_override\":{\"users\":{\"@ada:example.org\":100}}",
                "\"creation_content\":{\"additional_creators\":[\"@bob:example.org\"]},\"power_level_content_override\":{\"users\":{\"@bob:example.org\":1}}",
                "\"initial_state\":[{\"type\":\"m.room.power_levels\",\"content\":{\"users\":{\"@ada:example.org\":100}}}]"
            })
    void roomsWithOtherCreatorsThanUsersAreNotMade(String part) {
        assertRefused(ada.post("/createRoom", "{\"room_version\":\"12\"," + part + "}"), 400, "M_INVALID_ROOM_STATE");
    }

    @Test
    void additionalCreatorsMeanNothingBeforeVersion12() {
        String room = ada.createRoom("""
                {"room_version":"11","preset":"public_chat","creation_content":{"additional_creators":{"x":"@bob:example.org"}}}""");
        assertThat(state(room, "m.room.create").path("additional_creators").has("x"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "{\"room_version\":\"9\"},400,M_UNSUPPORTED_ROOM_VERSION",
        "{\"room_version\":\"V12\"},400,M_UNSUPPORTED_ROOM_VERSION",
        "{\"room_version\":\"\"},400,M_UNSUPPORTED_ROOM_VERSION",
        "{\"room_version\":12},400,M_BAD_JSON"
    })
    void otherVersionsAreRefused(String body, int status, String errcode) {
        assertRefused(ada.post("/createRoom", body), status, errcode);
    }

    @Test
    void creatorsCannotBeRemovedOrGivenALevel() {
        String room = ada.createRoom("""
                {"room_version":"12","preset":"public_chat",
                 "creation_content":{"additional_creators":["@bob:example.org"]},
                 "power_level_content_override":{"users":{"@mod:example.org":9007199254740991}}}""");
        var mod = server.as("mod");
        for (var member : List.of(bob, mod)) {
            assertThat(member.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
        }
        for (var strong : List.of(mod, bob)) {
            for (String action : List.of("kick", "ban")) {
                String target = "{\"user_id\":\"@ada:example.org\"}";
                assertRefused(strong.post("/rooms/" + room + "/" + action, target), 403, "M_FORBIDDEN");
            }
            String levels = "{\"users\":{\"@ada:example.org\":0}}";
            assertRefused(strong.put("/rooms/" + room + "/state/m.room.power_levels", levels), 403, "M_FORBIDDEN");
        }
        assertThat(ada.put("/rooms/" + room + "/state/m.room.power_levels", "{\"users\":{}}")
                        .status())
                .as("creators demote a user with the highest level")
                .isEqualTo(200);
        assertThat(bob.post("/rooms/" + room + "/ban", "{\"user_id\":\"@mod:example.org\"}")
                        .status())
                .isEqualTo(200);
        assertThat(ada.post("/rooms/" + room + "/leave", "{}").status()).isEqualTo(200);
        assertThat(ada.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
        assertThat(ada.put("/rooms/" + room + "/state/m.room.topic", "{\"topic\":\"back\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void redactionInVersion12KeepsTheCreateEventAndRemovesMessages() {
        String room = ada.createRoom(V12);
        var create = event(room, "m.room.create");
        String said = ada.send(room, "t1", "secret").text("event_id");
        for (String target : List.of(said, create.path("event_id").asString())) {
            assertThat(ada.put("/rooms/" + room + "/redact/" + target + "/r" + target.substring(1, 9), "{}")
                            .status())
                    .isEqualTo(200);
        }
        assertThat(ada.get("/rooms/" + room + "/event/" + said).json().path("content"))
                .isEmpty();
        assertThat(event(room, "m.room.create").path("content")).isEqualTo(create.path("content"));
        assertThat(ada.put("/rooms/" + room + "/state/m.room.name", "{\"name\":\"x\"}")
                        .status())
                .as("still a creator")
                .isEqualTo(200);
    }

    @Test
    void aRoomWithoutAServerNameDoesNotExistForAnotherTenant() {
        String room = ada.createRoom("{\"room_version\":\"12\",\"preset\":\"public_chat\","
                + "\"creation_content\":{\"additional_creators\":[\"@ada:example.net\"]}}");
        var stranger = server.as("@ada:example.net");
        assertRefused(stranger.post("/rooms/" + room + "/join", "{}"), 404, "M_NOT_FOUND");
        assertRefused(stranger.post("/join/" + room, "{}"), 404, "M_NOT_FOUND");
        assertRefused(stranger.post("/knock/" + room, "{}"), 404, "M_NOT_FOUND");
        assertRefused(stranger.get("/v1/room_summary/" + room), 404, "M_NOT_FOUND");
        assertRefused(stranger.get("/rooms/" + room + "/messages"), 403, "M_FORBIDDEN");
        assertRefused(stranger.get("/rooms/" + room + "/state"), 403, "M_FORBIDDEN");
        assertRefused(stranger.send(room, "t1", "hi"), 403, "M_FORBIDDEN");
        assertRefused(stranger.post("/rooms/" + room + "/upgrade", "{\"new_version\":\"12\"}"), 403, "M_FORBIDDEN");
        assertThat(server.internal("GET", "/internal/rooms/" + room + "/facts?tenant=2&user=@ada:example.net", null)
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"10,11", "10,12", "11,10", "11,12", "12,10", "12,11", "12,12"})
    void everyVersionIsUpgradedToEveryOther(String from, String to) {
        String old = ada.createRoom("{\"room_version\":\"" + from
                + "\",\"preset\":\"public_chat\",\"creation_content\":{\"type\":\"org.example.kind\"}}");
        bob.post("/rooms/" + old + "/join", "{}");
        var answer = ada.post(
                "/rooms/" + old + "/upgrade",
                "{\"new_version\":\"" + to + "\",\"additional_creators\":[\"@bob:example.org\"]}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        String successor = answer.text("replacement_room");

        var create = state(successor, "m.room.create");
        assertThat(create.path("room_version").asString()).isEqualTo(to);
        assertThat(create.path("type").asString()).isEqualTo("org.example.kind");
        assertThat(create.path("predecessor").path("room_id").asString()).isEqualTo(old);
        assertThat(create.path("predecessor").path("event_id"))
                .isEqualTo(event(old, "m.room.tombstone").path("event_id"));
        assertThat(create.path("additional_creators")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList())
                .isEqualTo(to.equals("12") ? List.of(bob.user) : List.of());
        assertThat(event(successor, "m.room.create").path("event_id").asString().equals("$" + successor.substring(1)))
                .isEqualTo(to.equals("12"));
        bob.post("/rooms/" + successor + "/join", "{}");
        assertThat(bob.put("/rooms/" + successor + "/state/m.room.name", "{\"name\":\"x\"}")
                        .status())
                .isEqualTo(to.equals("12") ? 200 : 403);
        assertThat(ada.put("/rooms/" + successor + "/state/m.room.tombstone", "{}")
                        .status())
                .as("the upgrader has at least the power of before")
                .isEqualTo(200);
    }

    @Test
    void additionalCreatorsOfAnUpgradeAreUserIdsAndNotBanned() {
        String old = ada.createRoom(V12);
        String path = "/rooms/" + old + "/upgrade";
        for (String creators : List.of("[\"bob\"]", "[\"@Bob:example.org\"]", "[\"@b\\u0000:example.org\"]")) {
            String body = "{\"new_version\":\"12\",\"additional_creators\":" + creators + "}";
            assertRefused(ada.post(path, body), 400, "M_INVALID_PARAM");
        }
        var many = JSON.createArrayNode();
        for (int i = 0; i < 5_000; i++) {
            many.add("@user" + i + ":example.org");
        }
        assertRefused(
                ada.post(path, "{\"new_version\":\"12\",\"additional_creators\":" + many + "}"), 413, "M_TOO_LARGE");
        ada.post("/rooms/" + old + "/ban", "{\"user_id\":\"@bob:example.org\"}");

        String successor = ada.post(path, "{\"new_version\":\"12\",\"additional_creators\":[\"@bob:example.org\"]}")
                .text("replacement_room");

        assertThat(bob.post("/rooms/" + successor + "/join", "{}").status()).isEqualTo(200);
    }

    private static JsonNode state(String room, String type) {
        return ada.get("/rooms/" + room + "/state/" + type).json();
    }

    private static JsonNode event(String room, String type) {
        return ada.get("/rooms/" + room + "/state/" + type + "?format=event").json();
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.errcode()).isEqualTo(errcode);
    }
}
