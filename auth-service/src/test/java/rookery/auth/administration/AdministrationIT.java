// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import io.lettuce.core.RedisClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.embedded.TestServers;
import tools.jackson.databind.json.JsonMapper;

class AdministrationIT {
    private final AuthServer server = AuthServer.shared();
    private final Answer session = server.register(ALPHA, AuthServer.name(), "correct horse");

    @Test
    void whoisTellsOfDevicesAndWhereTheyWereUsed() {
        for (int i = 1; i <= 2; i++) {
            server.internal("POST", "/internal/tokens/resolve", """
                    {"tenant":1,"token_hash":"%s","ip":"192.0.2.%d","user_agent":"agent/1"}
                    """.formatted(AuthServer.sha256(token()), i));
        }

        var answer = ask("whois", "").json();

        assertThat(answer.propertyNames()).containsExactlyInAnyOrder("user_id", "devices");
        var device = answer.path("devices").path(session.text("device_id"));
        assertThat(device.propertyNames())
                .containsExactlyInAnyOrder("device_id", "display_name", "last_seen_ts", "last_seen_ip", "sessions");
        assertThat(device.path("display_name").stringValue())
                .as("nobody gave it a name")
                .isEqualTo("agent");
        assertThat(device.path("last_seen_ip").stringValue()).isEqualTo("192.0.2.2");
        var connections = device.path("sessions").get(0).path("connections");
        assertThat(connections).hasSize(2);
        assertThat(connections.get(0).path("ip").stringValue()).isEqualTo("192.0.2.2");
        assertThat(connections.get(0).path("user_agent").stringValue()).isEqualTo("agent/1");
        assertThat(connections.get(0).path("last_seen").longValue()).isGreaterThan(1_700_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({"whois", "deactivate", "block", "unblock"})
    void unknownUsersAreNotFound(String action) {
        assertThat(call(action, 1, "@nobody:alpha.example", "").refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(call(action, 2, session.text("user_id"), "").refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void blockedUserIsLockedUntilThatIsTakenBack() {
        String of = "1:" + AuthServer.sha256(token());
        try (var client = RedisClient.create(TestServers.redisUrl());
                var redis = client.connect()) {
            redis.sync().set("tok:" + of, "{}");

            assertThat(ask("block", ",\"by\":\"@boss:alpha.example\"").raw().body())
                    .isEqualTo("{}");

            assertThat(redis.sync().get("tok:" + of)).as("gateways ask again").isNull();
            assertThat(redis.sync().get("gone:" + of)).isEqualTo("1");
        }
        assertThat(server.state(ALPHA, token())).isEqualTo("locked");
        assertThat(server.count("SELECT count(*) FROM auth.log_entry WHERE kind = 'session_locked' AND subject = '"
                        + session.text("user_id") + "'"))
                .as("sync-service learns of the lock")
                .isEqualTo(1);
        assertThat(ask("block", "").status()).as("once more").isEqualTo(200);
        assertThat(ask("unblock", "").raw().body()).isEqualTo("{}");
        assertThat(ask("unblock", "").status()).isEqualTo(200);
        assertThat(server.state(ALPHA, token())).isEqualTo("known");
        assertThat(stateEntries("blocked")).as("for each request").isEqualTo(2);
        assertThat(stateEntries("active")).isEqualTo(2);
    }

    /** The number of entries in the user log with this state of the account. */
    private int stateEntries(String state) {
        return server.count("SELECT count(*) FROM auth.log_entry WHERE kind = 'account' AND subject = '"
                + session.text("user_id") + "' AND body LIKE '%" + state + "%'");
    }

    @Test
    void suspensionIsKnownAtOnce() {
        String of = "1:" + AuthServer.sha256(token());
        try (var client = RedisClient.create(TestServers.redisUrl());
                var redis = client.connect()) {
            for (boolean suspended : new boolean[] {true, true, false, false}) {
                redis.sync().del("gone:" + of);
                redis.sync().set("tok:" + of, "{}");

                assertThat(suspend(suspended).raw().body()).isEqualTo("{}");

                assertThat(redis.sync().get("tok:" + of))
                        .as("gateways ask again")
                        .isNull();
                assertThat(redis.sync().get("gone:" + of)).isEqualTo("1");
                assertThat(server.state(ALPHA, token())).isEqualTo("known");
                assertThat(isSuspended(token())).isEqualTo(suspended);
                assertThat(call("user", 1, session.text("user_id"), "")
                                .json()
                                .path("suspended")
                                .booleanValue())
                        .isEqualTo(suspended);
            }
        }
    }

    @Test
    void sessionsThatASuspendedUserOpensAreSuspended() {
        suspend(true);

        assertThat(isSuspended(server.login(ALPHA, localpart()).text("access_token")))
                .isTrue();
    }

    @Test
    void nobodySuspendsThemselvesOrAnAdministrator() {
        assertThat(call(
                                "suspend",
                                1,
                                session.text("user_id"),
                                ",\"suspended\":true,\"by\":\"%s\"".formatted(session.text("user_id")))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(call("suspend", 2, session.text("user_id"), ",\"suspended\":true,\"by\":\"@boss:beta.example\"")
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
        suspend(true);
        ask("promote", ",\"admin\":true");
        assertThat(isSuspended(token())).as("no administrator is suspended").isFalse();
        assertThat(suspend(true).refusal()).isEqualTo("403 M_FORBIDDEN");
        ask("promote", ",\"admin\":false");
        ask("deactivate", "");
        assertThat(suspend(true).refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    private Answer suspend(boolean suspended) {
        return ask("suspend", ",\"suspended\":%s,\"by\":\"@boss:alpha.example\"".formatted(suspended));
    }

    private boolean isSuspended(String token) {
        return server.resolve(ALPHA, token).path("suspended").booleanValue(false);
    }

    @Test
    void blockedUserMayOnlyLogOut() {
        ask("block", "");

        var refused = server.call(ALPHA, token(), "GET", "/_api/client/v3/account/whoami", null);
        assertThat(refused.refusal()).isEqualTo("401 M_USER_LOCKED");
        assertThat(refused.json().path("soft_logout").booleanValue()).isTrue();
        assertThat(server.call(ALPHA, token(), "POST", "/_api/client/v3/logout", null)
                        .status())
                .isEqualTo(200);
        assertThat(server.state(ALPHA, token())).isEqualTo("unknown");
    }

    @Test
    void nobodyBlocksThemselvesOrAnAdministrator() {
        assertThat(ask("block", ",\"by\":\"%s\"".formatted(session.text("user_id")))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        ask("promote", ",\"admin\":true");
        assertThat(ask("block", ",\"by\":\"@boss:alpha.example\"").refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(server.state(ALPHA, token())).isEqualTo("known");
    }

    @Test
    void promotionIsKnownAtOnce() {
        ask("promote", ",\"admin\":true");
        assertThat(server.resolve(ALPHA, token()).path("admin").booleanValue()).isTrue();
        assertThat(server.call(ALPHA, token(), "GET", "/_api/client/v3/capabilities", null)
                        .json()
                        .path("capabilities")
                        .path("m.account_moderation"))
                .isEqualTo(JsonMapper.shared().readTree("{\"suspend\":true,\"lock\":true}"));

        ask("promote", ",\"admin\":false");
        assertThat(server.resolve(ALPHA, token()).path("admin").booleanValue()).isFalse();
        try (var client = RedisClient.create(TestServers.redisUrl());
                var redis = client.connect()) {
            assertThat(redis.sync().get("gone:1:" + AuthServer.sha256(token()))).isEqualTo("1");
        }
        assertThat(call("promote", 1, "@nobody:alpha.example", ",\"admin\":true")
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void deactivatedUsersAreNeitherBlockedNorPromoted() {
        ask("deactivate", "");

        assertThat(ask("block", "").refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(ask("unblock", "").refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(ask("promote", ",\"admin\":true").refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(ask("whois", "").json().path("devices").isEmpty()).isTrue();
    }

    @Test
    void aNewPasswordEndsEverySession() {
        String of = "1:" + AuthServer.sha256(token());
        try (var client = RedisClient.create(TestServers.redisUrl());
                var redis = client.connect()) {
            assertThat(reset("another horse", true, "@boss:alpha.example").raw().body())
                    .isEqualTo("{}");
            assertThat(redis.sync().get("gone:" + of)).as("gateways ask again").isEqualTo("1");
        }
        assertThat(server.state(ALPHA, token())).isEqualTo("unknown");
        assertThat(server.login(ALPHA, localpart()).refusal()).isEqualTo("403 M_FORBIDDEN");
        var again = login("another horse");
        assertThat(again.status()).isEqualTo(200);

        assertThat(reset("a third horse", false, "@boss:alpha.example").status())
                .isEqualTo(200);
        assertThat(server.state(ALPHA, again.text("access_token"))).isEqualTo("known");
        assertThat(login("a third horse").status()).isEqualTo(200);
    }

    @Test
    void passwordsThatAreRefusedChangeNothing() {
        String user = session.text("user_id");
        assertThat(reset("short", true, "@boss:alpha.example").refusal()).isEqualTo("400 M_WEAK_PASSWORD");
        assertThat(reset("\\ud800 is half a pair", true, "@boss:alpha.example").refusal())
                .isEqualTo("400 M_BAD_JSON");
        assertThat(reset(localpart(), true, "@boss:alpha.example").refusal()).isEqualTo("400 M_WEAK_PASSWORD");
        assertThat(reset("another horse", true, user).refusal())
                .as("the own password")
                .isEqualTo("403 M_FORBIDDEN");
        var password = ",\"password\":\"another horse\",\"logout_devices\":true";
        assertThat(call("password", 2, user, password).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(call("password", 1, "@nobody:alpha.example", password).refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(server.state(ALPHA, token())).isEqualTo("known");
        assertThat(server.login(ALPHA, localpart()).status()).isEqualTo(200);

        ask("deactivate", "");
        assertThat(ask("password", password).refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void aNewPasswordLeavesABlockedUserBlocked() {
        ask("block", "");

        assertThat(reset("another horse", true, "@boss:alpha.example").status()).isEqualTo(200);

        assertThat(login("another horse").refusal()).isEqualTo("401 M_USER_LOCKED");
    }

    private Answer reset(String password, boolean logoutDevices, String by) {
        return ask(
                "password",
                ",\"password\":\"%s\",\"logout_devices\":%s,\"by\":\"%s\"".formatted(password, logoutDevices, by));
    }

    private Answer login(String password) {
        return server.call(ALPHA, "POST", "/_api/client/v3/login", """
                {"type":"m.login.password","identifier":{"type":"m.id.user","user":"%s"},"password":"%s"}
                """.formatted(localpart(), password));
    }

    private String localpart() {
        return session.text("user_id").substring(1, session.text("user_id").indexOf(':'));
    }

    @Test
    void registrationTokensAreStoredAsHashes() {
        var made = server.internal("POST", "/internal/admin/registration-token", "{\"tenant\":1,\"uses\":1}");

        assertThat(made.text("token")).matches("[0-9A-Za-z._~-]{1,64}");
        assertThat(server.count("SELECT count(*) FROM auth.registration_token WHERE token_hash = '\\x"
                        + AuthServer.sha256(made.text("token")) + "' AND NOT grants_admin"))
                .isEqualTo(1);
        assertThat(server.internal("POST", "/internal/admin/registration-token", "{\"tenant\":1,\"uses\":0}")
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void onlyServicesMayAsk() {
        for (var action : List.of(
                "whois", "deactivate", "block", "unblock", "suspend", "promote", "password", "registration-token")) {
            assertThat(server.call(BETA, "POST", "/internal/admin/" + action, "{}")
                            .refusal())
                    .isEqualTo("403 M_FORBIDDEN");
        }
    }

    private Answer ask(String action, String more) {
        return call(action, 1, session.text("user_id"), more);
    }

    private Answer call(String action, int tenant, String user, String more) {
        return server.internal(
                "POST", "/internal/admin/" + action, "{\"tenant\":%d,\"user\":\"%s\"%s}".formatted(tenant, user, more));
    }

    private String token() {
        return session.text("access_token");
    }
}
