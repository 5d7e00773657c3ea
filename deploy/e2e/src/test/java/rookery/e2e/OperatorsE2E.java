// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** What operators and administrators of two tenants do with accounts and registration tokens, and to nobody else's (contract.md 5, 20). */
@OnOneJvm
class OperatorsE2E {
    private static final String OTHER = "/tenants/" + SharedRookery.SECOND_TENANT;
    private static final String STRICT = "/tenants/" + SharedRookery.STRICT;
    private static final String TOKENS = "/v3/admin/registration_tokens";

    private final Rookery rookery;

    OperatorsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    private Answer operator(String method, String path, Map<String, ?> body) throws IOException {
        return new OperatorCalls(rookery).call(method, path, body);
    }

    /** A new administrator, whose password the server has made. */
    private Session administrator(Http http, String tenant, String name) throws IOException {
        var made = operator("POST", tenant + "/administrators", Map.of("localpart", name))
                .ok();
        return session(http, made);
    }

    private static Session session(Http http, JsonNode made) throws IOException {
        var user = made.path("user_id").asString();
        var login = Steps.login(http, user, made.path("password").asString(), Map.of())
                .ok();
        return Session.known(
                http,
                user,
                login.path("device_id").asString(),
                login.path("access_token").asString());
    }

    @Test
    void operatorsMakeAppointAndDismissAdministrators() throws IOException {
        try (var http = Http.to(rookery.site(SharedRookery.STRICT))) {
            var name = People.name("boss");
            var boss = administrator(http, STRICT, name);
            assertThat(boss.call("GET", "/v3/admin/users", null).isOk()).isTrue();
            assertThat(operator("GET", STRICT + "/administrators?search=" + name, Map.of())
                            .ok()
                            .path("administrators")
                            .path(0)
                            .path("user_id")
                            .asString())
                    .isEqualTo(boss.userId());
            assertThat(operator("POST", STRICT + "/administrators", Map.of("localpart", name))
                            .errcode())
                    .isEqualTo("M_USER_IN_USE");
            assertThat(operator("PUT", OTHER + "/administrators/" + name, Map.of())
                            .errcode())
                    .as("of another tenant")
                    .isEqualTo("M_NOT_FOUND");

            operator("DELETE", STRICT + "/administrators/" + name, Map.of()).ok();
            assertThat(boss.call("GET", "/v3/admin/users", null).errcode()).isEqualTo("M_FORBIDDEN");
            operator("PUT", STRICT + "/administrators/" + name, Map.of()).ok();
            assertThat(boss.call("GET", "/v3/admin/users", null).isOk()).isTrue();

            var reset = operator("POST", STRICT + "/users/" + name + "/password", Map.of())
                    .ok();
            assertThat(boss.call("GET", "/v3/account/whoami", null).errcode())
                    .as("the next request")
                    .isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(session(http, reset).call("GET", "/v3/admin/users", null).isOk())
                    .isTrue();
            assertThat(operator("POST", STRICT + "/users/" + name + "/password", Map.of("new_password", "short"))
                            .errcode())
                    .isEqualTo("M_WEAK_PASSWORD");
        }
    }

    @Test
    void administratorsOfOneTenantReachNothingOfAnother() throws IOException {
        try (var http = Http.to(rookery.site(SharedRookery.STRICT));
                var others = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var boss = administrator(http, STRICT, People.name("boss"));
            var ada = People.newcomer(others, "ada");
            var password = Map.of("new_password", "another fine password");
            var path = "/v3/admin/users/" + Paths.encoded(ada.userId()) + "/password";
            assertThat(boss.call("POST", path, password).errcode()).isEqualTo("M_INVALID_PARAM");
            assertThat(others.call("POST", path, boss.token(), password).errcode())
                    .isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(ada.call("GET", "/v3/account/whoami", null).isOk()).isTrue();

            var id = operator("POST", OTHER + "/registration-tokens", Map.of())
                    .ok()
                    .path("id")
                    .asString();
            assertThat(boss.get(TOKENS).toString()).doesNotContain(id);
            assertThat(boss.call("DELETE", TOKENS + "/" + id, null).errcode()).isEqualTo("M_NOT_FOUND");
            assertThat(operator("GET", OTHER + "/registration-tokens/" + id, Map.of())
                            .isOk())
                    .isTrue();
        }
    }

    @Test
    void administratorsMakeAndRevokeRegistrationTokens() throws IOException {
        try (var http = Http.to(rookery.site(SharedRookery.STRICT))) {
            var boss = administrator(http, STRICT, People.name("boss"));
            var made = boss.call("POST", TOKENS, Map.of("uses", 2)).ok();
            var token = made.path("token").asString();
            var id = made.path("id").asString();
            assertThat(isValid(http, token)).isTrue();
            assertThat(boss.get(TOKENS + "/" + id).path("uses_left").asInt()).isEqualTo(2);
            assertThat(boss.get(TOKENS).toString()).contains(id).doesNotContain(token);
            assertThat(boss.call("POST", TOKENS, Map.of("grants_admin", true)).errcode())
                    .isEqualTo("M_FORBIDDEN");

            assertThat(boss.call("DELETE", TOKENS + "/" + id, null).text()).isEqualTo("{}");
            assertThat(isValid(http, token)).isFalse();
            assertThat(boss.call("DELETE", TOKENS + "/" + id, null).errcode()).isEqualTo("M_NOT_FOUND");
        }
    }

    private static boolean isValid(Http http, String token) throws IOException {
        return http.call("GET", "/v1/register/m.login.registration_token/validity?token=" + token, null, null)
                .ok()
                .path("valid")
                .asBoolean();
    }

    @Test
    void readersReadAndRevokedOperatorsDoNothing() throws IOException {
        var name = People.name("reader");
        var body = Map.of("name", name, "scopes", new String[] {"read"});
        var token = operator("POST", "/operators", body).ok().path("token").asString();
        try (var http = Http.to(TenantAddress.at(rookery.operator().base(), "/operator/v1"))) {
            assertThat(http.call("GET", STRICT, token, null).isOk()).isTrue();
            assertThat(http.call("POST", STRICT + "/suspend", token, Map.of()).errcode())
                    .isEqualTo("M_FORBIDDEN");
            assertThat(http.call("GET", STRICT + "/export/auth-service", token, null)
                            .errcode())
                    .isEqualTo("M_FORBIDDEN");
            operator("DELETE", "/operators/" + name, Map.of()).ok();
            assertThat(http.call("GET", STRICT, token, null).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        }
    }

    @Test
    void everyCommandOfDeployAdminUsesTheApi() throws Exception {
        var admin = new AdminProgram(rookery);
        var name = People.name("boss");
        var user = "@%s:%s".formatted(name, SharedRookery.STRICT);
        var strict = "--tenant=" + SharedRookery.STRICT;
        assertThat(printed(admin, "create-admin", name, strict))
                .contains(user + " is an administrator now", "its password is ");
        assertThat(printed(admin, "demote", user, strict)).contains(user + " is no administrator any more");
        assertThat(printed(admin, "reset-password", name, strict))
                .contains(user + " has another password now", "its password is ");
        assertThat(printed(admin, "registration-token", "--uses=3", strict)).contains("rkg_", "3 registrations");
        assertThat(printed(admin, "tokens", "list", strict)).contains("uses left: 3");
        assertThat(printed(admin, "operator", "create", name, "--read-only")).contains("rkp_");
        assertThat(printed(admin, "operator", "list")).contains(name + "  (read)");
        assertThat(printed(admin, "operator", "revoke", name)).contains(name + " is revoked");
        assertThat(printed(admin, "trust-timeline")).contains("the database of the room log has not changed");
        var refused = admin.run("promote", "nobody-at-all");
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.printed()).contains("M_NOT_FOUND");
    }

    private static String printed(AdminProgram admin, String... words) throws Exception {
        var run = admin.run(words);
        assertThat(run.exit()).as(run.printed()).isZero();
        return run.printed();
    }

    @Test
    void operatorsAskTheOwnersOfTheLogs() throws IOException {
        for (var log : new String[] {"room", "user"}) {
            assertThat(operator("POST", "/logs/%s/trust-timeline".formatted(log), Map.of())
                            .ok()
                            .path("changed")
                            .asBoolean(true))
                    .isFalse();
        }
        assertThat(operator("POST", "/rebuild/directory", Map.of()).text().strip())
                .endsWith("\"done\":true}");
    }
}
