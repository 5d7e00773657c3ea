// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.admin.RunningAdmin;
import rookery.admin.StandIn;

/** What operators do with accounts, registration tokens and logs, and the requests to the owners, for which the test has a stand-in. */
class AdministratorsIT {
    private static final StandIn OTHERS = new StandIn();
    private static final RunningAdmin ADMIN = new RunningAdmin(settings());
    private static final OperatorCalls ROOT = new OperatorCalls(ADMIN, OperatorCalls.ROOT);
    private static final String PATH = "/tenants/tenant2.example/administrators";
    private static final String RESET = "/tenants/2/users/ada/password";

    private static String[] settings() {
        var settings = new ArrayList<>(OperatorCalls.settings());
        for (var service : List.of("auth-service", "room-service", "directory-service")) {
            settings.add(OTHERS.as(service));
        }
        return settings.toArray(String[]::new);
    }

    @BeforeEach
    void reset() {
        OTHERS.answers(200, "{}");
    }

    @AfterAll
    static void stop() {
        ADMIN.close();
        OTHERS.close();
    }

    @Test
    void anAdministratorIsMadeWithAPasswordThatIsShownOnce() {
        var made = ROOT.json("POST", PATH, "{\"localpart\":\"ada\"}");
        assertThat(made.path("user_id").asString()).isEqualTo("@ada:tenant2.example");
        var password = made.path("password").asString();
        assertThat(password).matches("[A-Za-z0-9_-]{24}");
        assertThat(OTHERS.requests())
                .containsExactly(
                        "/internal/admin/create {\"tenant\":2,\"user\":\"@ada:tenant2.example\",\"password\":\"%s\"}"
                                .formatted(password));

        var given = ROOT.json("POST", PATH, "{\"localpart\":\"bob\",\"password\":\"correct horse\"}");
        assertThat(given.toString()).isEqualTo("{\"user_id\":\"@bob:tenant2.example\"}");
        assertThat(ROOT.records())
                .contains("2 operator:root POST /tenants/2/administrators/bob 200")
                .noneMatch(line -> line.contains("horse") || line.contains(password));
    }

    @Test
    void administratorsAreAppointedAndDismissed() {
        for (var method : List.of("PUT", "PUT", "DELETE", "DELETE")) {
            OTHERS.answers(200, "{}");
            assertThat(ROOT.json(method, PATH + "/@ada:tenant2.example", "").toString())
                    .isEqualTo("{\"user_id\":\"@ada:tenant2.example\"}");
            assertThat(OTHERS.requests())
                    .containsExactly(
                            "/internal/admin/promote {\"tenant\":2,\"user\":\"@ada:tenant2.example\",\"admin\":%s,\"by\":null}"
                                    .formatted(method.equals("PUT")));
        }
        OTHERS.answers(404, "{\"errcode\":\"M_NOT_FOUND\",\"error\":\"there is no such user\"}");
        assertThat(ROOT.refusal("PUT", PATH + "/ada", "")).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void aTenantWithoutDataGetsNoAccountsAndTokens() {
        var name = "gone.example";
        ROOT.json("POST", "/tenants", "{\"server_name\":\"%s\",\"import\":true}".formatted(name));
        for (var path : List.of("administrators", "registration-tokens", "first-administrator")) {
            assertThat(ROOT.refusal("POST", "/tenants/%s/%s".formatted(name, path), "{\"localpart\":\"ada\"}"))
                    .isEqualTo("409 M_INVALID_PARAM");
        }
        assertThat(OTHERS.requests()).isEmpty();
    }

    @Test
    void administratorsAreListed() {
        OTHERS.answers(200, """
                {"total":2}
                {"user_id":"@ada:tenant2.example","admin":true}
                {"end":1,"next":"@ada:tenant2.example"}
                """);
        assertThat(ROOT.json("GET", PATH + "?limit=1&from=@a", "").toString())
                .isEqualTo("{\"total\":2,\"administrators\":[{\"user_id\":\"@ada:tenant2.example\",\"admin\":true}],"
                        + "\"next_batch\":\"@ada:tenant2.example\"}");
        assertThat(OTHERS.requests().getFirst())
                .startsWith("/internal/admin/users {\"asked\":{\"tenant\":2,")
                .contains("\"admin\":true", "\"after\":\"@a\",\"limit\":1");
        assertThat(ROOT.refusal("GET", PATH + "?limit=0", "")).isEqualTo("400 M_INVALID_PARAM");
        OTHERS.answers(500, "");
        assertThat(ROOT.call("GET", PATH, "").statusCode()).isEqualTo(503);
    }

    @Test
    void passwordsAreReset() {
        assertThat(ROOT.json("POST", RESET, "{\"new_password\":\"correct horse\",\"logout_devices\":false}")
                        .toString())
                .isEqualTo("{\"user_id\":\"@ada:tenant2.example\"}");
        assertThat(OTHERS.requests())
                .containsExactly("/internal/admin/password {\"tenant\":2,\"user\":\"@ada:tenant2.example\","
                        + "\"password\":\"correct horse\",\"logout_devices\":false,\"by\":null}");
        OTHERS.answers(200, "{}");
        var password = ROOT.json("POST", RESET, "").path("password").asString();
        assertThat(OTHERS.requests().getFirst()).contains(password, "\"logout_devices\":true");
        OTHERS.answers(400, "{\"errcode\":\"M_WEAK_PASSWORD\",\"error\":\"choose a longer one\"}");
        assertThat(ROOT.refusal("POST", RESET, "{\"new_password\":\"short\"}")).isEqualTo("400 M_WEAK_PASSWORD");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            POST   | /tenants/2/administrators            | {}                                     | 400 M_MISSING_PARAM
            POST   | /tenants/2/administrators            | {"localpart":7}                        | 400 M_BAD_JSON
            POST   | /tenants/2/administrators            | {"localpart":""}                       | 400 M_INVALID_PARAM
            POST   | /tenants/2/administrators            | {"localpart":"Ada"}                    | 400 M_INVALID_PARAM
            POST   | /tenants/2/administrators            | {"localpart":"a\\u0000"}               | 400 M_INVALID_PARAM
            POST   | /tenants/2/administrators            | {"localpart":"@ada:tenant1.example"}   | 400 M_INVALID_PARAM
            POST   | /tenants/2/administrators            | {"localpart":"ada","password":7}       | 400 M_BAD_JSON
            POST   | /tenants/2/administrators            | nonsense                               | 400 M_NOT_JSON
            POST   | /tenants/9/administrators            | {"localpart":"ada"}                    | 404 M_NOT_FOUND
            PUT    | /tenants/2/administrators/%00        | {}                                     | 400 M_INVALID_PARAM
            PUT    | /tenants/2/administrators/@x:tenant1.example | {}                             | 400 M_INVALID_PARAM
            POST   | /tenants/2/users/ada/password        | {"new_password":7}                     | 400 M_BAD_JSON
            POST   | /tenants/2/users/ada/password        | {"logout_devices":"no"}                | 400 M_BAD_JSON
            POST   | /tenants/2/registration-tokens       | {"uses":-1}                            | 400 M_INVALID_PARAM
            POST   | /tenants/2/registration-tokens       | {"uses":1000001}                       | 400 M_INVALID_PARAM
            POST   | /tenants/2/registration-tokens       | {"uses":1.5}                           | 400 M_BAD_JSON
            POST   | /tenants/2/registration-tokens       | {"expires_in_ms":999}                  | 400 M_INVALID_PARAM
            POST   | /tenants/2/registration-tokens       | {"expires_in_ms":9223372036854775807}  | 400 M_INVALID_PARAM
            POST   | /tenants/2/registration-tokens       | {"grants_admin":true,"uses":2}         | 400 M_INVALID_PARAM
            POST   | /tenants/2/registration-tokens       | {"grants_admin":true,"uses":0}         | 400 M_INVALID_PARAM
            POST   | /tenants/2/registration-tokens       | {"grants_admin":true,"expires_in_ms":0} | 400 M_INVALID_PARAM
            POST   | /logs/sync/raise-epoch               | {}                                     | 404 M_NOT_FOUND
            POST   | /logs/room/lower-epoch               | {}                                     | 404 M_UNRECOGNIZED
            POST   | /rebuild/everything                  | {}                                     | 404 M_UNRECOGNIZED
            """)
    void badRequestsReachNobody(String method, String path, String body, String refusal) {
        assertThat(ROOT.refusal(method, path, body)).isEqualTo(refusal);
        assertThat(OTHERS.requests()).isEmpty();
    }

    @Test
    void operatorsMakeShowAndRevokeRegistrationTokens() {
        var path = "/tenants/tenant2.example/registration-tokens";
        OTHERS.answers(200, "{\"token\":\"rkg_secret\",\"id\":\"0123456789abcdef\"}");
        assertThat(ROOT.json("POST", path, "{\"grants_admin\":true,\"expires_in_ms\":86400000}")
                        .path("token")
                        .asString())
                .isEqualTo("rkg_secret");
        ROOT.json("POST", path, "{\"uses\":0,\"expires_in_ms\":0}");
        ROOT.json("POST", "/tenants/2/first-administrator", "");
        assertThat(OTHERS.requests())
                .containsExactly(
                        "/internal/admin/registration-token "
                                + "{\"tenant\":2,\"uses\":1,\"life_seconds\":86400,\"grants_admin\":true}",
                        "/internal/admin/registration-token "
                                + "{\"tenant\":2,\"uses\":null,\"life_seconds\":null,\"grants_admin\":false}",
                        "/internal/admin/registration-token "
                                + "{\"tenant\":2,\"uses\":1,\"life_seconds\":604800,\"grants_admin\":true}");
        assertThat(ROOT.records()).noneMatch(line -> line.contains("rkg_secret"));

        OTHERS.answers(200, "{}");
        ROOT.json("GET", path + "/0123456789abcdef", "");
        ROOT.json("DELETE", path + "/0123456789abcdef", "");
        assertThat(OTHERS.requests())
                .containsExactly(
                        "/internal/admin/registration-token/find {\"tenant\":2,\"id\":\"0123456789abcdef\"}",
                        "/internal/admin/registration-token/revoke {\"tenant\":2,\"id\":\"0123456789abcdef\"}");
        OTHERS.answers(200, "{\"total\":0}\n{\"end\":0,\"next\":null}\n");
        assertThat(ROOT.json("GET", path, "").toString()).isEqualTo("{\"total\":0,\"registration_tokens\":[]}");
    }

    @Test
    void logsAndDirectoriesAreLeftToTheirOwners() {
        OTHERS.answers(200, "{\"epoch\":7}");
        for (var log : List.of("room", "user")) {
            assertThat(ROOT.json("POST", "/logs/%s/raise-epoch".formatted(log), "")
                            .toString())
                    .isEqualTo("{\"epoch\":7}");
        }
        OTHERS.answers(200, "{\"changed\":false}");
        assertThat(ROOT.json("POST", "/logs/user/trust-timeline", "").toString())
                .isEqualTo("{\"changed\":false}");
        assertThat(OTHERS.requests()).containsExactly("/internal/admin/trust-timeline {}");
        OTHERS.answers(200, "{\"log\":\"rooms\",\"done\":false}\n{\"done\":true}\n");
        var rebuilt = ROOT.call("POST", "/rebuild/directory", "");
        assertThat(rebuilt.body()).isEqualTo("{\"log\":\"rooms\",\"done\":false}\n{\"done\":true}\n");
        assertThat(rebuilt.headers().firstValue("Content-Type")).contains("application/x-ndjson");
        OTHERS.answers(500, "");
        assertThat(ROOT.call("POST", "/rebuild/directory", "").statusCode()).isEqualTo(503);
        assertThat(ROOT.records())
                .contains("0 operator:root POST /rebuild/directory 200", "0 operator:root POST /rebuild/directory 503");
    }
}
