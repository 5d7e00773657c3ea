// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;
import tools.jackson.databind.JsonNode;

/** Rooms, devices, files, tokens and reports by Synapse's administration API (contract.md 5.7). */
@OnOneJvm
class SynapseRoomsE2E {
    private static final String SYNAPSE = "/_synapse/admin";
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final Rookery rookery;
    private final String mark = People.name("tools");
    private Http http;
    private Http synapse;
    /** An administrator at Synapse's API. */
    private Session tool;

    private Session ada;
    private Session bob;

    SynapseRoomsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        synapse = Http.to(rookery.site().withPrefix(SYNAPSE));
        tool = Steps.administrator(rookery, http).through(synapse);
        ada = Session.register(http, mark + "-ada");
        bob = Session.register(http, mark + "-bob");
    }

    @AfterEach
    void close() {
        http.close();
        synapse.close();
    }

    private static String path(String before, String id, String after) {
        return before + Paths.encoded(id) + after;
    }

    private static String text(Answer answer) {
        return answer.status() + " " + (answer.isOk() ? "" : answer.errcode());
    }

    private String ask(String method, String path, @Nullable Map<String, ?> body) throws IOException {
        return text(tool.call(method, path, body));
    }

    private static List<String> texts(JsonNode array, String field) {
        return array.valueStream()
                .map(item -> field.isEmpty() ? item : item.path(field))
                .map(JsonNode::asString)
                .toList();
    }

    @Test
    void roomsAreListedAndShown() throws IOException {
        var rooms = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            rooms.add(ada.createRoom(Map.of("name", mark + " tea", "topic", "Hot", "visibility", "public")));
        }
        var room = rooms.getFirst();
        bob.join(room);
        rooms.sort(null);
        var search = "/v1/rooms?search_term=" + mark;
        assertThat(Deadline.in(PATIENCE).until(() -> total(search) == 3)).isTrue();
        var found = new ArrayList<String>();
        for (String from = "0"; !from.isEmpty(); ) {
            var page = tool.get(search + "&limit=2&from=" + from);
            assertThat(page.path("offset").asString()).isEqualTo(from);
            found.addAll(texts(page.path("rooms"), "room_id"));
            from = page.path("next_batch").asString("");
        }
        assertThat(found).isEqualTo(rooms);
        assertThat(total(search + "&empty_rooms=true")).isZero();
        assertThat(total(search + "&public_rooms=false")).isZero();
        ada.leave(rooms.get(rooms.getFirst().equals(room) ? 1 : 0));
        assertThat(total(search + "&empty_rooms=true")).isEqualTo(1);
        assertThat(total(search + "&empty_rooms=false")).isEqualTo(2);

        var shown = tool.get(path("/v1/rooms/", room, ""));
        assertThat(shown.path("name").asString()).isEqualTo(mark + " tea");
        assertThat(shown.path("topic").asString()).isEqualTo("Hot");
        assertThat(shown.path("creator").asString()).isEqualTo(ada.userId());
        assertThat(shown.path("joined_members").asInt()).isEqualTo(2);
        assertThat(shown.path("version").asString()).isEqualTo("11");
        var members = tool.get(path("/v1/rooms/", room, "/members"));
        assertThat(texts(members.path("members"), "")).containsExactlyInAnyOrder(ada.userId(), bob.userId());
        assertThat(members.path("total").asInt()).isEqualTo(2);
        assertThat(texts(tool.get(path("/v1/rooms/", room, "/state")).path("state"), "type"))
                .contains("m.room.create", "m.room.name", "m.room.power_levels", "m.room.member");
        var joined = tool.get(path("/v1/users/", bob.userId(), "/joined_rooms"));
        assertThat(texts(joined.path("joined_rooms"), "")).containsExactly(room);
        assertThat(joined.path("total").asInt()).isEqualTo(1);
    }

    private int total(String path) {
        try {
            return tool.get(path).path("total_rooms").asInt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aRoomIsDeletedForEverybody() throws IOException {
        var room = People.roomOf(ada, bob);
        assertThat(tool.get(path("/v1/rooms/", room, "/block")).path("block").asBoolean())
                .isFalse();
        assertThat(ask("GET", path("/v2/rooms/", room, "/delete_status"), null)).isEqualTo("404 M_NOT_FOUND");
        assertThat(ask("DELETE", path("/v2/rooms/", room, ""), Map.of("new_room_user_id", ada.userId())))
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(ask("DELETE", path("/v2/rooms/", room, ""), Map.of("purge", false)))
                .isEqualTo("400 M_INVALID_PARAM");
        var id = tool.call("DELETE", path("/v2/rooms/", room, ""), Map.of("block", true, "purge", true))
                .ok()
                .path("delete_id")
                .asString();
        assertThat(text(ada.send(room, "txn", Map.of("msgtype", "m.text", "body", "still here?"))))
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(ask("GET", path("/v1/rooms/", room, ""), null)).isEqualTo("404 M_NOT_FOUND");
        assertThat(tool.get(path("/v1/rooms/", room, "/block")).path("user_id").asString())
                .isEqualTo(tool.userId());
        var status = path("/v2/rooms/delete_status/", id, "");
        assertThat(tool.get(status).path("status").asString()).isIn("active", "complete");
        assertThat(Deadline.in(PATIENCE).until(Duration.ofMillis(500), () -> isComplete(status)))
                .isTrue();
        assertThat(tool.get(path("/v2/rooms/", room, "/delete_status"))
                        .path("results")
                        .path(0)
                        .path("room_id")
                        .asString())
                .isEqualTo(room);
        assertThat(ask("DELETE", path("/v1/rooms/", room, ""), Map.of()))
                .as("again")
                .isEqualTo("200 ");
        for (String nothing : List.of("x", "%00", "%3D%3D", "IWE6ZWxzZXdoZXJl")) {
            assertThat(ask("GET", "/v2/rooms/delete_status/" + nothing, null)).isEqualTo("404 M_NOT_FOUND");
        }
    }

    private boolean isComplete(String status) {
        try {
            return tool.get(status).path("status").asString().equals("complete");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aMemberGetsTheHighestPower() throws IOException {
        var room = People.roomOf(ada, bob);
        var rename = Paths.room(room, "/state/m.room.name");
        assertThat(text(bob.call("PUT", rename, Map.of("name", "Mine")))).isEqualTo("403 M_FORBIDDEN");
        var promote = path("/v1/rooms/", room, "/make_room_admin");
        assertThat(ask("POST", promote, Map.of("user_id", bob.userId()))).isEqualTo("200 ");
        assertThat(text(bob.call("PUT", rename, Map.of("name", "Mine")))).isEqualTo("200 ");
        var levels = ada.get(Paths.room(room, "/state/m.room.power_levels"));
        assertThat(levels.path("users").path(bob.userId()).asInt()).isEqualTo(100);
        assertThat(levels.path("users").path(ada.userId()).asInt()).isEqualTo(100);
        assertThat(ask("POST", promote, Map.of("user_id", bob.userId())))
                .as("again")
                .isEqualTo("200 ");
        assertThat(ask("POST", promote, Map.of())).as("no member").isEqualTo("403 M_FORBIDDEN");

        var newest = ada.createRoom(Map.of("room_version", "12", "preset", "public_chat"));
        bob.join(newest);
        assertThat(ask("POST", path("/v1/rooms/", newest, "/make_room_admin"), Map.of("user_id", bob.userId())))
                .isEqualTo("200 ");
        assertThat(text(bob.call("PUT", Paths.room(newest, "/state/m.room.name"), Map.of("name", "Mine"))))
                .isEqualTo("200 ");
    }

    @Test
    void devicesAreShownAndEnded() throws IOException {
        var second = Session.login(http, ada.userId());
        var devices = path("/v2/users/", ada.userId(), "/devices");
        var shown = tool.get(devices);
        assertThat(texts(shown.path("devices"), "device_id"))
                .containsExactlyInAnyOrder(ada.deviceId(), second.deviceId());
        assertThat(shown.path("total").asInt()).isEqualTo(2);
        assertThat(tool.get(devices + "/" + second.deviceId()).path("user_id").asString())
                .isEqualTo(ada.userId());
        assertThat(ask("DELETE", devices + "/" + second.deviceId(), null)).isEqualTo("200 ");
        assertThat(text(second.call("GET", "/v3/account/whoami", null))).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(ask("GET", devices + "/" + second.deviceId(), null)).isEqualTo("404 M_NOT_FOUND");
        var some = path("/v2/users/", ada.userId(), "/delete_devices");
        assertThat(ask("POST", some, Map.of("devices", List.of()))).isEqualTo("400 M_INVALID_PARAM");
        assertThat(ask("POST", some, Map.of("devices", List.of(ada.deviceId(), "GONE"))))
                .isEqualTo("200 ");
        assertThat(text(ada.call("GET", "/v3/account/whoami", null))).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(ask("DELETE", "/v2/users/@nobody:localhost/devices/X", null)).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void filesAreHiddenAndDeleted() throws Exception {
        try (var files = new MediaClient(rookery)) {
            var first = files.upload(ada, new byte[] {1, 2, 3}, "image/png");
            var second = files.upload(ada, new byte[] {4, 5, 6}, "image/png");
            var id = first.substring(first.lastIndexOf('/') + 1);
            var server = first.substring("mxc://".length(), first.lastIndexOf('/'));
            var list = path("/v1/users/", ada.userId(), "/media");
            assertThat(tool.get(list + "?limit=1").path("next_token").asInt()).isEqualTo(1);
            assertThat(texts(tool.get(list + "?limit=1&from=1").path("media"), "media_id"))
                    .containsExactly(id);
            var file = "/" + server + "/" + id;
            assertThat(tool.get("/v1/media" + file)
                            .path("media_info")
                            .path("media_length")
                            .asInt())
                    .isEqualTo(3);
            assertThat(ask("POST", "/v1/media/quarantine" + file, Map.of())).isEqualTo("200 ");
            assertThat(files.download(ada, first).statusCode()).isEqualTo(404);
            assertThat(ask("POST", "/v1/media/unquarantine" + file, Map.of())).isEqualTo("200 ");
            assertThat(files.download(ada, first).statusCode()).isEqualTo(200);
            assertThat(tool.post(path("/v1/user/", ada.userId(), "/media/quarantine"), Map.of())
                            .path("num_quarantined")
                            .asInt())
                    .isEqualTo(2);
            assertThat(files.download(ada, second).statusCode()).isEqualTo(404);
            assertThat(tool.call("DELETE", "/v1/media" + file, null)
                            .ok()
                            .path("total")
                            .asInt())
                    .isEqualTo(1);
            assertThat(ask("DELETE", "/v1/media" + file, null)).isEqualTo("404 M_NOT_FOUND");
            assertThat(ask("DELETE", "/v1/media/elsewhere.example/" + id, null)).isEqualTo("400 M_INVALID_PARAM");
            assertThat(tool.call("DELETE", list, null).ok().path("total").asInt())
                    .isEqualTo(1);
            assertThat(tool.get(list).path("total").asInt()).isZero();
        }
    }

    @Test
    void registrationTokensAreMadeAndRevoked() throws IOException {
        var tokens = "/v1/registration_tokens";
        var made = tool.post(tokens + "/new", Map.of("uses_allowed", 2));
        var token = made.path("token").asString();
        var valid = "/v1/register/m.login.registration_token/validity?token=" + token;
        assertThat(http.call("GET", valid, null, null).ok().path("valid").asBoolean())
                .isTrue();
        var shown = tool.get(tokens + "/" + token);
        assertThat(shown.path("uses_allowed").asInt()).isEqualTo(2);
        var id = shown.path("token").asString();
        assertThat(texts(tool.get(tokens + "?valid=true").path("registration_tokens"), "token"))
                .contains(id);
        assertThat(texts(tool.get(tokens + "?valid=false").path("registration_tokens"), "token"))
                .doesNotContain(id);
        assertThat(ask("DELETE", tokens + "/" + token, null)).isEqualTo("200 ");
        assertThat(http.call("GET", valid, null, null).ok().path("valid").asBoolean())
                .isFalse();
        assertThat(ask("GET", tokens + "/" + id, null)).isEqualTo("404 M_NOT_FOUND");
        for (Map<String, ?> bad :
                List.of(Map.of("token", "short"), Map.of("uses_allowed", 0), Map.of("expiry_time", 1_000))) {
            assertThat(ask("POST", tokens + "/new", bad)).isEqualTo("400 M_INVALID_PARAM");
        }
    }

    @Test
    void reportsAreReadAndClosed() throws IOException {
        var room = People.roomOf(ada, bob);
        var event = ada.say(room, "something bad");
        var other = ada.say(room, "something else");
        for (String reported : List.of(event, other)) {
            bob.post(Paths.room(room, "/report/" + Paths.encoded(reported)), Map.of("reason", "bad"));
        }
        bob.post(Paths.room(room, "/report"), Map.of("reason", "bad"));
        var newest = tool.get("/v1/event_reports?limit=2").path("event_reports");
        assertThat(texts(newest, "event_id")).containsExactly(other, event);
        assertThat(newest.path(0).path("user_id").asString()).isEqualTo(bob.userId());
        assertThat(newest.path(0).path("sender").asString()).isEqualTo(ada.userId());
        int all = tool.get("/v1/event_reports").path("total").asInt();
        assertThat(texts(tool.get("/v1/event_reports?dir=f&from=" + (all - 2)).path("event_reports"), "event_id"))
                .containsExactly(event, other);
        var report = "/v1/event_reports/" + newest.path(0).path("id").asString();
        assertThat(tool.get(report)
                        .path("event_json")
                        .path("content")
                        .path("body")
                        .asString())
                .isEqualTo("something else");
        var context = path("/v1/rooms/", room, "/context/");
        assertThat(tool.get(context + Paths.encoded(other) + "?limit=1")
                        .path("event")
                        .path("sender")
                        .asString())
                .isEqualTo(ada.userId());
        var unreported = ada.say(room, "private");
        assertThat(ask("GET", context + Paths.encoded(unreported), null)).isEqualTo("404 M_NOT_FOUND");
        assertThat(ask("DELETE", report, null)).isEqualTo("200 ");
        assertThat(texts(tool.get("/v1/event_reports?limit=2").path("event_reports"), "event_id"))
                .doesNotContain(other);
        assertThat(ask("GET", "/v1/event_reports?room_id=x", null)).isEqualTo("400 M_INVALID_PARAM");
        assertThat(ask("GET", "/v1/event_reports?dir=x", null)).isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void othersAndNonsenseAreRefused() throws IOException {
        var room = ada.createRoom(Map.of());
        var user = ada.through(synapse);
        var requests = List.of(
                "GET /v1/rooms",
                "GET /v1/rooms/%s",
                "GET /v1/rooms/%s/members",
                "GET /v1/rooms/%s/state",
                "GET /v1/rooms/%s/block",
                "DELETE /v1/rooms/%s",
                "DELETE /v2/rooms/%s",
                "GET /v2/rooms/%s/delete_status",
                "POST /v1/rooms/%s/make_room_admin",
                "GET /v1/rooms/%s/context/$x",
                "GET /v1/users/%s/joined_rooms",
                "GET /v1/users/%s/media",
                "DELETE /v1/users/%s/media",
                "GET /v2/users/%s/devices",
                "DELETE /v2/users/%s/devices/%s",
                "POST /v1/user/%s/media/quarantine",
                "GET /v1/media/%s/%s",
                "POST /v1/media/quarantine/%s/%s",
                "GET /v1/event_reports/%s",
                "DELETE /v1/event_reports/%s",
                "GET /v1/registration_tokens/%s",
                "DELETE /v1/registration_tokens/%s");
        for (String request : requests) {
            for (String id : List.of(room, "x", "%00", "..%2f..", "%ff", "!x:elsewhere.example", "9".repeat(40))) {
                var words = request.replace("%s", id).split(" ", 2);
                assertThat(user.call(words[0], words[1], null).status())
                        .as(request + " of a user")
                        .isIn(403, 400, 404);
                if (!id.equals(room)) {
                    assertThat(tool.call(words[0], words[1], null).status())
                            .as(request + " with " + id)
                            .isIn(200, 400, 404);
                }
            }
        }
        try (var others = Http.to(rookery.site(SharedRookery.SECOND_TENANT));
                var theirs = Http.to(rookery.site(SharedRookery.SECOND_TENANT).withPrefix(SYNAPSE))) {
            var stranger = Steps.administrator(rookery, others, 2).through(theirs);
            assertThat(text(stranger.call("GET", path("/v1/rooms/", room, ""), null)))
                    .isEqualTo("400 M_INVALID_PARAM");
            assertThat(text(stranger.call("DELETE", path("/v2/rooms/", room, ""), Map.of())))
                    .isEqualTo("400 M_INVALID_PARAM");
            assertThat(text(stranger.call("GET", path("/v1/users/", ada.userId(), "/media"), null)))
                    .isEqualTo("400 M_INVALID_PARAM");
        }
    }
}
