// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.embedded.TestServers;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import tools.jackson.databind.JsonNode;

class ProfileIT {
    private static final String PROFILE = "/_api/client/v3/profile/";

    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final String token = server.tokenOfNewUser(ALPHA, name);

    @Test
    void profileBeginsWithTheLocalpartAsName() {
        String path = PROFILE + ALPHA.user(name);

        assertThat(server.call(ALPHA, "GET", path, null).raw().body())
                .isEqualTo("{\"displayname\":\"%s\"}".formatted(name));
        assertThat(server.call(ALPHA, "GET", path + "/displayname", null).raw().body())
                .isEqualTo("{\"displayname\":\"%s\"}".formatted(name));
        assertThat(server.call(ALPHA, "GET", path + "/avatar_url", null).refusal())
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void usersOfNobodyOrOfAnotherTenantHaveNone() {
        assertThat(server.call(ALPHA, "GET", PROFILE + "@nobody:alpha.example", null)
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(server.call(BETA, "GET", PROFILE + ALPHA.user(name), null).refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(server.call(ALPHA, "GET", PROFILE + "bob", null).refusal()).isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void servicesAskForManyAtOnce() {
        var answer = server.internal(
                "POST",
                "/internal/profiles",
                "{\"tenant\":1,\"users\":[\"%s\",\"@nobody:alpha.example\"]}".formatted(ALPHA.user(name)));

        assertThat(answer.raw().body())
                .isEqualTo("{\"profiles\":{\"%s\":{\"displayname\":\"%s\",\"epoch\":1,\"pos\":%d}}}"
                        .formatted(
                                ALPHA.user(name),
                                name,
                                entries().getLast().path("pos").longValue()));
    }

    @Test
    void servicesLearnWhoWantsNoInvitations() {
        String question = "{\"tenant\":1,\"users\":[\"%s\"]}".formatted(ALPHA.user(name));
        for (String action : List.of("\"block\"", "\"allow\"", "5", "null", "\"block\"")) {
            setInvitePermission("{\"default_action\":%s,\"\\u0000\":1}".formatted(action));
            var profile = server.internal("POST", "/internal/profiles", question)
                    .json()
                    .path("profiles")
                    .path(ALPHA.user(name));
            assertThat(profile.path("blocks_invites").asBoolean(false))
                    .as(action)
                    .isEqualTo(action.equals("\"block\""));
        }
    }

    private void setInvitePermission(String content) {
        String path = "/_api/client/v3/user/%s/account_data/m.invite_permission_config".formatted(ALPHA.user(name));
        assertThat(server.call(ALPHA, token, "PUT", path, content).status()).isEqualTo(200);
    }

    @Test
    void whatIsPutIsReadAndEmptyClears() {
        assertThat(put("displayname", "{\"displayname\":\"Ada \\u0000 L\"}")
                        .raw()
                        .body())
                .isEqualTo("{}");
        assertThat(put("avatar_url", "{\"avatar_url\":\"mxc://alpha.example/abc_-1\"}")
                        .status())
                .isEqualTo(200);
        assertThat(put("us.cloke.pronouns", "{\"us.cloke.pronouns\":[{\"x\":0.5}]}")
                        .status())
                .isEqualTo(200);

        assertThat(get("").raw().body())
                .isEqualTo("{\"avatar_url\":\"mxc://alpha.example/abc_-1\",\"displayname\":\"Ada \\u0000 L\","
                        + "\"us.cloke.pronouns\":[{\"x\":0.5}]}");
        assertThat(get("/us.cloke.pronouns").raw().body()).isEqualTo("{\"us.cloke.pronouns\":[{\"x\":0.5}]}");

        assertThat(put("displayname", "{\"displayname\":\"\"}").status()).isEqualTo(200);
        assertThat(put("avatar_url", "{\"avatar_url\":\"\"}").status()).isEqualTo(200);
        assertThat(delete("us.cloke.pronouns").raw().body()).isEqualTo("{}");
        assertThat(delete("us.cloke.pronouns").status()).isEqualTo(200);
        assertThat(get("").raw().body()).isEqualTo("{}");
        assertThat(get("/displayname").refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void badFieldsAreRefused() {
        assertThat(put("displayname", "{}").refusal()).isEqualTo("400 M_MISSING_PARAM");
        assertThat(put("displayname", "{\"displayname\":7}").refusal()).isEqualTo("400 M_BAD_JSON");
        assertThat(put("displayname", "{\"displayname\":\"\\ud800\"}").refusal())
                .isEqualTo("400 M_BAD_JSON");
        assertThat(put("displayname", "{").refusal()).isEqualTo("400 M_NOT_JSON");
        assertThat(put("displayname", "{\"displayname\":\"%s\"}".formatted("\ud83d\ude00".repeat(256)))
                        .status())
                .isEqualTo(200);
        assertThat(put("displayname", "{\"displayname\":\"%s\"}".formatted("x".repeat(257)))
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        for (String url : List.of("https://a/b", "mxc://a", "mxc://a/", "mxc://a/b/c", "mxc://a/" + "b".repeat(255))) {
            assertThat(put("avatar_url", "{\"avatar_url\":\"%s\"}".formatted(url))
                            .refusal())
                    .as(url)
                    .isEqualTo("400 M_INVALID_PARAM");
        }
        assertThat(put("m.x", "{\"m.y\":1}").refusal()).isEqualTo("400 M_MISSING_PARAM");
        assertThat(put("m.x", "{\"m.x\":\"\\ud800\"}").refusal()).isEqualTo("400 M_BAD_JSON");
        assertThat(put("%00", "{\"\\u0000\":1}").refusal()).isEqualTo("400 M_INVALID_PARAM");
        assertThat(put("k".repeat(256), "{\"%s\":1}".formatted("k".repeat(256))).refusal())
                .isEqualTo("400 M_KEY_TOO_LARGE");
        assertThat(delete("k".repeat(256)).refusal()).isEqualTo("400 M_KEY_TOO_LARGE");
    }

    @Test
    void aProfileHasLessThanSixtyFourKilobytes() {
        assertThat(put("m.x", "{\"m.x\":\"%s\"}".formatted("x".repeat(40_000))).status())
                .isEqualTo(200);
        assertThat(put("m.y", "{\"m.y\":\"%s\"}".formatted("x".repeat(30_000))).refusal())
                .isEqualTo("400 M_PROFILE_TOO_LARGE");
        assertThat(put("m.x", "{\"m.x\":\"short\"}").status()).isEqualTo(200);
        assertThat(put("m.y", "{\"m.y\":\"%s\"}".formatted("x".repeat(30_000))).status())
                .isEqualTo(200);
    }

    @Test
    void onlyTheOwnerAndAdministratorsOfTheTenantChangeIt() throws SQLException {
        String body = "{\"displayname\":\"Changed\"}";
        String path = PROFILE + ALPHA.user(name) + "/displayname";
        String adminName = AuthServer.name();
        String other = server.tokenOfNewUser(ALPHA, adminName);
        String betaAdmin = server.tokenOfNewUser(BETA, adminName);

        assertThat(server.call(ALPHA, "PUT", path, body).refusal()).isEqualTo("401 M_MISSING_TOKEN");
        assertThat(server.call(ALPHA, other, "PUT", path, body).refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, other, "DELETE", path, null).refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, other, "PUT", PROFILE + "@no:alpha.example/displayname", body)
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");

        makeAdmin(adminName);
        assertThat(server.call(ALPHA, other, "PUT", path, body).status()).isEqualTo(200);
        assertThat(get("/displayname").text("displayname")).isEqualTo("Changed");
        assertThat(server.call(ALPHA, other, "PUT", PROFILE + "@no:alpha.example/displayname", body)
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(server.call(BETA, betaAdmin, "PUT", path, body).refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    private void makeAdmin(String localpart) throws SQLException {
        try (var connection = TestServers.superuserOf(server.database()).connect();
                var update = connection.prepareStatement("UPDATE auth.account SET admin = true WHERE user_id LIKE ?")) {
            update.setString(1, "@" + localpart + ":%");
            update.executeUpdate();
        }
    }

    @Test
    void registrationAndEachChangeOfNameOrAvatarIsOneEntryOfTheUserLog() {
        put("displayname", "{\"displayname\":\"One\"}");
        put("displayname", "{\"displayname\":\"One\"}");
        put("m.custom", "{\"m.custom\":1}");
        put("avatar_url", "{\"avatar_url\":\"mxc://alpha.example/a\"}");

        var entries = entries();

        assertThat(entries)
                .extracting(entry -> entry.path("body").stringValue())
                .containsExactly(
                        "{\"displayname\":\"" + name + "\"}", // the display name of a new account is the user name
                        "{\"displayname\":\"One\"}",
                        "{\"displayname\":\"One\",\"avatar_url\":\"mxc://alpha.example/a\"}");
        var shown = server.internal(
                        "POST", "/internal/profiles", "{\"tenant\":1,\"users\":[\"%s\"]}".formatted(ALPHA.user(name)))
                .json()
                .path("profiles")
                .path(ALPHA.user(name));
        assertThat(shown.path("pos").longValue())
                .isEqualTo(entries.getLast().path("pos").longValue());
    }

    private List<JsonNode> entries() {
        var entries = new ArrayList<JsonNode>();
        int shard = Shards.of(new UserId(ALPHA.user(name)));
        long after = 0;
        while (true) {
            var range = server.internal("GET", "/internal/log/%d?after=%d".formatted(shard, after), null)
                    .json();
            for (var entry : range.path("entries")) {
                if (entry.path("kind").stringValue().equals("profile")
                        && entry.path("subject").stringValue().equals(ALPHA.user(name))) {
                    entries.add(entry);
                }
            }
            after = range.path("covered_to").longValue();
            if (after == range.path("head").longValue()) {
                return entries;
            }
        }
    }

    private Answer put(String key, String body) {
        return server.call(ALPHA, token, "PUT", PROFILE + ALPHA.user(name) + "/" + key, body);
    }

    private Answer delete(String key) {
        return server.call(ALPHA, token, "DELETE", PROFILE + ALPHA.user(name) + "/" + key, null);
    }

    private Answer get(String rest) {
        return server.call(ALPHA, "GET", PROFILE + ALPHA.user(name) + rest, null);
    }

    @Test
    void statisticsCountUsersAndDevices() {
        server.resolve(ALPHA, token);

        var stats = server.internal("GET", "/internal/stats?tenant=1", null).json();

        assertThat(stats.path("users").propertyNames())
                .containsExactlyInAnyOrder("total", "active", "deactivated", "blocked", "active_24h", "active_30d");
        assertThat(stats.path("users").path("active_24h").longValue()).isPositive();
        assertThat(stats.path("devices").path("total").longValue()).isPositive();
    }

    @Test
    void capabilitiesAreTold() {
        var capabilities = server.call(ALPHA, token, "GET", "/_api/client/v3/capabilities", null)
                .json()
                .path("capabilities");

        assertThat(capabilities.path("m.room_versions").path("default").stringValue())
                .isEqualTo("11");
        assertThat(capabilities.has("m.account_moderation")).isFalse();
    }
}
