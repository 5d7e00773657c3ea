// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.e2e.Eventually.eventually;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** Accounts by Synapse's administration API, with the requests of existing tools (contract.md 5.7). */
@OnOneJvm
class SynapseAdminE2E {
    private static final String SYNAPSE = "/_synapse/admin";

    private final Rookery rookery;
    private final String mark = People.name("tool");
    private Http http;
    private Http synapse;
    /** An administrator at the standard's API, and at Synapse's. */
    private Session root;

    private Session tool;
    private Session ada;

    SynapseAdminE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        synapse = Http.to(rookery.site().withPrefix(SYNAPSE));
        root = Steps.administrator(rookery, http);
        tool = root.through(synapse);
        ada = Session.register(http, mark + "-ada");
    }

    @AfterEach
    void close() {
        http.close();
        synapse.close();
    }

    private static String path(String before, String id, String after) {
        return before + Paths.encoded(id) + after;
    }

    private static String v2(String user) {
        return path("/v2/users/", user, "");
    }

    private static String text(Answer answer) {
        return answer.status() + " " + (answer.isOk() ? "" : answer.errcode());
    }

    private static List<String> texts(JsonNode array, String field) {
        return array.valueStream().map(item -> item.path(field).asString()).toList();
    }

    @Test
    void anybodySeesTheVersionAndOnlyAdministratorsTheRest() throws IOException {
        var version = synapse.call("GET", "/v1/server_version", null, null);
        assertThat(version.ok().path("server_version").asString()).startsWith("Rookery ");
        assertThat(version.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
        var user = ada.through(synapse);
        for (String path : List.of(
                "GET /v2/users",
                "GET /v3/users",
                "GET " + v2(root.userId()),
                "PUT " + v2(ada.userId()),
                "PUT " + path("/v1/users/", ada.userId(), "/admin"),
                "POST " + path("/v1/deactivate/", root.userId(), ""),
                "POST " + path("/v1/reset_password/", "@nobody:localhost", ""))) {
            var words = path.split(" ", 2);
            assertThat(text(user.call(words[0], words[1], null))).as(path).isEqualTo("403 M_FORBIDDEN");
            assertThat(text(synapse.call(words[0], words[1], null, null)))
                    .as(path)
                    .isEqualTo("401 M_MISSING_TOKEN");
        }
        assertThat(text(tool.call("GET", "/v1/background_updates/status", null)))
                .isEqualTo("404 M_UNRECOGNIZED");
        assertThat(text(tool.call("DELETE", "/v2/users", null))).isEqualTo("405 M_UNRECOGNIZED");
    }

    @Test
    void listsOfUsersAreReadByOffset() throws IOException {
        for (String name : List.of("bob", "cy", "dora", "eve")) {
            tool.call("PUT", v2("@" + mark + "-" + name + ":localhost"), Map.of("password", Steps.PASSWORD));
        }
        tool.put(v2("@" + mark + "-dora:localhost"), Map.of("locked", true));
        tool.put(v2("@" + mark + "-eve:localhost"), Map.of("deactivated", true));
        var names = new ArrayList<String>();
        var query = "/v2/users?limit=2&locked=true&name=" + mark;
        for (String from = "0"; !from.isEmpty(); ) {
            var page = tool.get(query + "&from=" + from);
            assertThat(page.path("total").asInt()).isEqualTo(4);
            names.addAll(texts(page.path("users"), "name"));
            from = page.path("next_token").asString("");
        }
        assertThat(names)
                .containsExactly(
                        ada.userId(),
                        "@" + mark + "-bob:localhost",
                        "@" + mark + "-cy:localhost",
                        "@" + mark + "-dora:localhost");
        assertThat(texts(tool.get(query + "&from=3").path("users"), "name"))
                .containsExactly("@" + mark + "-dora:localhost");
        assertThat(tool.get(query + "&from=4").path("users").isEmpty()).isTrue();
        assertThat(tool.get(query + "&from=1000000").path("users").isEmpty()).isTrue();
        assertThat(tool.get("/v2/users?name=" + mark).path("total").asInt()).isEqualTo(3);
        assertThat(tool.get("/v2/users?deactivated=true&name=" + mark)
                        .path("total")
                        .asInt())
                .isEqualTo(4);
        assertThat(texts(tool.get("/v3/users?deactivated=true&name=" + mark).path("users"), "name"))
                .containsExactly("@" + mark + "-eve:localhost");
        for (String bad : List.of("from=-1", "from=x", "from=9999999999", "limit=0", "admins=1", "not_user_type=bot")) {
            assertThat(text(tool.call("GET", "/v2/users?" + bad, null))).as(bad).isEqualTo("400 M_INVALID_PARAM");
        }
    }

    @Test
    void accountsAreMadeAndChangedByOnePut() throws IOException {
        var user = "@" + mark + "-new:localhost";
        assertThat(text(tool.call("PUT", v2(user), Map.of("displayname", "New"))))
                .isEqualTo("400 M_MISSING_PARAM");
        var made = tool.call("PUT", v2(user), Map.of("password", Steps.PASSWORD, "displayname", "New One"));
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.json().path("name").asString()).isEqualTo(user);
        assertThat(made.json().path("displayname").asString()).isEqualTo("New One");
        var session = Session.login(http, user);

        // the whole account is sent back, as a page does that shows it in a form
        var shown = tool.get(v2(user));
        var whole = new HashMap<String, Object>();
        shown.properties().forEach(field -> whole.put(field.getKey(), field.getValue()));
        whole.put("admin", true);
        assertThat(tool.call("PUT", v2(user), whole).status()).isEqualTo(200);
        assertThat(tool.get(path("/v1/users/", user, "/admin")).path("admin").asBoolean())
                .isTrue();
        assertThat(session.call("GET", "/v3/admin/rate-limits", null).isOk()).isTrue();
        tool.put(path("/v1/users/", user, "/admin"), Map.of("admin", false));
        assertThat(text(session.call("GET", "/v3/admin/rate-limits", null))).isEqualTo("403 M_FORBIDDEN");

        tool.put(v2(user), Map.of("locked", true));
        assertThat(text(session.call("GET", "/v3/joined_rooms", null))).isEqualTo("401 M_USER_LOCKED");
        tool.put(v2(user), Map.of("locked", false, "displayname", ""));
        assertThat(tool.get(v2(user)).path("displayname").isNull()).isTrue();
        tool.put(v2(user), Map.of("password", "another fine password"));
        assertThat(text(session.call("GET", "/v3/joined_rooms", null))).isEqualTo("401 M_UNKNOWN_TOKEN");
        tool.put(v2(user), Map.of("deactivated", true));
        assertThat(text(Steps.login(http, user, "another fine password", Map.of())))
                .isEqualTo("403 M_USER_DEACTIVATED");
        assertThat(text(tool.call("PUT", v2(user), Map.of("deactivated", false))))
                .isEqualTo("400 M_INVALID_PARAM");
        var email = Map.of("threepids", List.of(Map.of("medium", "email", "address", "a@a.test")));
        assertThat(text(tool.call("PUT", v2(ada.userId()), email))).isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void singleActsHaveTheEffectOfOurOwn() throws IOException {
        assertThat(tool.put(path("/v1/suspend/", ada.userId(), ""), Map.of("suspend", true))
                        .properties())
                .hasSize(1);
        assertThat(text(ada.call("POST", "/v3/createRoom", Map.of()))).isEqualTo("403 M_USER_SUSPENDED");
        tool.put(path("/v1/suspend/", ada.userId(), ""), Map.of("suspend", false));
        var whois = tool.get(path("/v1/whois/", ada.userId(), ""));
        assertThat(whois.path("devices").path("").at("/sessions/0/connections")).isNotEmpty();
        tool.post(
                path("/v1/reset_password/", ada.userId(), ""),
                Map.of("new_password", "another fine password", "logout_devices", false));
        assertThat(ada.get("/v3/account/whoami").path("user_id").asString()).isEqualTo(ada.userId());
        assertThat(Steps.login(http, ada.userId(), "another fine password", Map.of())
                        .isOk())
                .isTrue();
        assertThat(tool.get("/v1/username_available?username=" + mark + "-free")
                        .path("available")
                        .asBoolean())
                .isTrue();
        assertThat(text(tool.call("GET", "/v1/username_available?username=" + mark + "-ada", null)))
                .isEqualTo("400 M_USER_IN_USE");
        assertThat(text(tool.call("GET", "/v1/username_available?username=A%20b", null)))
                .isEqualTo("400 M_INVALID_USERNAME");
        tool.post(path("/v1/deactivate/", ada.userId(), ""), Map.of("erase", true));
        assertThat(text(ada.call("GET", "/v3/account/whoami", null))).isEqualTo("401 M_UNKNOWN_TOKEN");
        var gone = tool.get(v2(ada.userId()));
        assertThat(gone.path("deactivated").asBoolean()).isTrue();
        assertThat(gone.path("displayname").isNull()).isTrue();
    }

    @Test
    void messagesOfAUserAreRedacted() throws IOException {
        var room = ada.createRoom(Map.of("preset", "public_chat", "name", mark + " mess"));
        var events = List.of(ada.say(room, "first " + mark), ada.say(room, "second " + mark));
        var begun = tool.post(path("/v1/user/", ada.userId(), "/redact"), Map.of("rooms", List.of(), "reason", "spam"));
        var status = "/v1/user/redact_status/" + begun.path("redact_id").asString();
        eventually(() -> tool.get(status).path("status").asString().equals("completed"));
        for (String event : events) {
            var redacted = ada.get("/v3/rooms/" + room + "/event/" + event);
            assertThat(redacted.path("content")).isEmpty();
            assertThat(redacted.at("/unsigned/redacted_because/sender").asString())
                    .isEqualTo(root.userId());
        }
        assertThat(text(tool.call("GET", "/v1/user/redact_status/" + "0".repeat(32), null)))
                .isEqualTo("404 M_NOT_FOUND");
        for (Map<String, ?> bad : List.of(Map.of("after_ts", 1), Map.of("limit", 3_000_000_000L), Map.of("limit", 0))) {
            assertThat(text(tool.call("POST", path("/v1/user/", ada.userId(), "/redact"), bad)))
                    .as("%s", bad)
                    .isEqualTo("400 M_INVALID_PARAM");
        }
        assertThat(text(tool.call("GET", "/v1/user/redact_status/%00", null))).isEqualTo("404 M_NOT_FOUND");
        assertThat(tool.call("POST", path("/v1/user/", ada.userId(), "/redact"), Map.of("reason", "\0"))
                        .isOk())
                .isTrue();
        assertThat(text(tool.call("DELETE", path("/v1/users/", ada.userId(), "/media?dir=f"), null)))
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(text(tool.call(
                        "PUT", v2("@" + mark + "-x:localhost"), Map.of("password", Steps.PASSWORD, "approved", false))))
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(text(tool.call("GET", v2("@" + mark + "-x:localhost"), null)))
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void registrationTokensHaveTheTextThatToolsChoose() throws IOException {
        var chosen = Map.of("token", mark + ".guests", "uses_allowed", 2);
        assertThat(tool.post("/v1/registration_tokens/new", chosen)
                        .path("token")
                        .asString())
                .isEqualTo(mark + ".guests");
        var validity = "/v1/register/m.login.registration_token/validity?token=" + mark + ".guests";
        assertThat(http.call("GET", validity, null, null).text()).contains("true");
        assertThat(text(tool.call("POST", "/v1/registration_tokens/new", chosen)))
                .as("used twice")
                .isEqualTo("400 M_INVALID_PARAM");
        for (String text : List.of("short", "with space", "x".repeat(65), "0123456789abcdef")) {
            assertThat(text(tool.call("POST", "/v1/registration_tokens/new", Map.of("token", text))))
                    .as(text)
                    .isEqualTo("400 M_INVALID_PARAM");
        }
        assertThat(tool.call("DELETE", "/v1/registration_tokens/" + mark + ".guests", null)
                        .isOk())
                .isTrue();
        assertThat(http.call("GET", validity, null, null).text()).contains("false");
    }

    @Test
    void listsAreOrderedAndAbsentThingsAreEmpty() throws IOException {
        var large = ada.createRoom(Map.of("preset", "public_chat", "name", mark + " large"));
        ada.createRoom(Map.of("preset", "public_chat", "name", mark + " small"));
        root.join(large);
        var rooms = "/v1/rooms?search_term=" + mark + "&order_by=joined_members";
        eventually(() -> tool.get(rooms).path("rooms").size() == 2);
        assertThat(tool.get(rooms).at("/rooms/0/room_id").asString()).isEqualTo(large);
        assertThat(tool.get(rooms + "&dir=b").at("/rooms/1/room_id").asString()).isEqualTo(large);
        var created = tool.get(v2(ada.userId())).path("creation_ts").asLong();
        assertThat(created).as("in seconds").isLessThan(100_000_000_000L);
        assertThat(tool.get(path("/v1/users/", ada.userId(), "/memberships"))
                        .path("memberships")
                        .path(large)
                        .asString())
                .isEqualTo("join");
        assertThat(tool.get(path("/v1/experimental_features/", ada.userId(), ""))
                        .path("features"))
                .isEmpty();
        assertThat(tool.get(path("/v1/users/", ada.userId(), "/override_ratelimit")))
                .isEmpty();
        assertThat(tool.get("/v1/federation/destinations").path("total").asInt(-1))
                .isZero();
        assertThat(tool.get("/v1/scheduled_tasks").path("scheduled_tasks")).isEmpty();
    }

    @Test
    void othersTenantsAndNonsenseAreRefused() throws IOException {
        for (String user : List.of("@ada:elsewhere.example", "nonsense", "@:localhost", "@a\0:localhost", "%")) {
            assertThat(text(tool.call("GET", v2(user), null))).as(user).isEqualTo("400 M_INVALID_PARAM");
            assertThat(text(tool.call("PUT", v2(user), Map.of("password", Steps.PASSWORD))))
                    .as(user)
                    .isEqualTo("400 M_INVALID_PARAM");
        }
        assertThat(text(tool.call("GET", v2("@nobody:localhost"), null))).isEqualTo("404 M_NOT_FOUND");
        assertThat(text(tool.call("PUT", v2(ada.userId()), Map.of("admin", "yes"))))
                .isEqualTo("400 M_BAD_JSON");
        assertThat(text(tool.call("PUT", v2(ada.userId()), Map.of("avatar_url", "http://a"))))
                .isEqualTo("400 M_INVALID_PARAM");
        try (var others = Http.to(rookery.site(SharedRookery.SECOND_TENANT));
                var theirs = Http.to(rookery.site(SharedRookery.SECOND_TENANT).withPrefix(SYNAPSE))) {
            var stranger = Steps.administrator(rookery, others, 2).through(theirs);
            assertThat(text(stranger.call("GET", v2(ada.userId()), null))).isEqualTo("400 M_INVALID_PARAM");
            assertThat(text(stranger.call("POST", path("/v1/deactivate/", ada.userId(), ""), Map.of())))
                    .isEqualTo("400 M_INVALID_PARAM");
            assertThat(stranger.get("/v2/users?name=" + mark).path("total").asInt())
                    .isZero();
        }
        assertThat(text(synapse.call("GET", "/v2/users", "nonsense", null))).isEqualTo("401 M_UNKNOWN_TOKEN");
    }
}
