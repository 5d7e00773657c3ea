// SPDX-License-Identifier: Apache-2.0
package rookery.admin.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.admin.RunningAdmin;
import rookery.admin.StandIn;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;

/** Registration tokens for a tenant's administrators; the test has a stand-in for auth-service. */
class RegistrationTokenAdministrationIT {
    private static final StandIn TOKENS = new StandIn();
    private static final RunningAdmin ADMIN = new RunningAdmin(TOKENS.as("auth-service"));
    private static final Identity ROOT = new Known(new UserId("@root:tenant1.example"), new DeviceId("D"), true);
    private static final Identity OF_TWO = new Known(new UserId("@root:tenant2.example"), new DeviceId("D"), true);
    private static final Identity ADA = new Known(new UserId("@ada:tenant1.example"), new DeviceId("D"), false);
    private static final String PATH = "/v3/admin/registration_tokens";
    private static final String ID = PATH + "/0123456789abcdef";

    @BeforeEach
    void reset() {
        TOKENS.answers(200, "{}");
    }

    @AfterAll
    static void stop() {
        ADMIN.close();
        TOKENS.close();
    }

    @Test
    void administratorsMakeListAndRevokeTokensOfTheirTenant() {
        TOKENS.answers(200, "{\"token\":\"rkg_secret\",\"id\":\"0123456789abcdef\"}");
        assertThat(ADMIN.call(2, OF_TWO, "POST", PATH, "{\"uses\":5}").body()).contains("rkg_secret");
        assertThat(ADMIN.call(2, OF_TWO, "GET", ID).statusCode()).isEqualTo(200);
        assertThat(ADMIN.call(2, OF_TWO, "DELETE", ID).body()).isEqualTo("{}");
        assertThat(TOKENS.requests())
                .containsExactly(
                        "/internal/admin/registration-token "
                                + "{\"tenant\":2,\"uses\":5,\"life_seconds\":604800,\"grants_admin\":false}",
                        "/internal/admin/registration-token/find {\"tenant\":2,\"id\":\"0123456789abcdef\"}",
                        "/internal/admin/registration-token/revoke {\"tenant\":2,\"id\":\"0123456789abcdef\"}");
        TOKENS.answers(200, "{\"total\":1}\n{\"id\":\"0123456789abcdef\"}\n{\"end\":1,\"next\":null}\n");
        assertThat(ADMIN.call(2, OF_TWO, "GET", PATH + "?limit=10").body())
                .isEqualTo("{\"total\":1,\"registration_tokens\":[{\"id\":\"0123456789abcdef\"}]}");
        assertThat(TOKENS.requests())
                .containsExactly("/internal/admin/registration-tokens {\"tenant\":2,\"after\":\"\",\"limit\":10}");
        assertThat(records(2))
                .containsExactly(
                        "@root:tenant2.example make registration token  200",
                        "@root:tenant2.example see registration token 0123456789abcdef 200",
                        "@root:tenant2.example revoke registration token 0123456789abcdef 200",
                        "@root:tenant2.example list registration tokens  200");
    }

    @Test
    void administratorsMakeNoTokensOfAdministrators() {
        assertThat(refusal(ROOT, "POST", PATH, "{\"grants_admin\":true}")).isEqualTo("403 M_FORBIDDEN");
        assertThat(TOKENS.requests()).isEmpty();
        assertThat(records(1)).contains("@root:tenant1.example make registration token  403");
    }

    @Test
    void usersSeeNoTokens() {
        for (var method : List.of("GET", "POST")) {
            assertThat(refusal(ADA, method, PATH, "{}")).isEqualTo("403 M_FORBIDDEN");
        }
        for (var method : List.of("GET", "DELETE")) {
            assertThat(refusal(ADA, method, ID, "")).isEqualTo("403 M_FORBIDDEN");
        }
        assertThat(TOKENS.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"uses":"1"}                       | 400 M_BAD_JSON
            {"uses":1e30}                      | 400 M_BAD_JSON
            {"uses":-1}                        | 400 M_INVALID_PARAM
            {"uses":99999999999}               | 400 M_INVALID_PARAM
            {"expires_in_ms":-1}               | 400 M_INVALID_PARAM
            {"expires_in_ms":true}             | 400 M_BAD_JSON
            {"grants_admin":1}                 | 400 M_BAD_JSON
            {                                  | 400 M_NOT_JSON
            """)
    void hostileBodiesAreRefused(String body, String refusal) {
        assertThat(refusal(ROOT, "POST", PATH, body)).isEqualTo(refusal);
        assertThat(TOKENS.requests()).isEmpty();
    }

    private static String refusal(Identity identity, String method, String path, String body) {
        var answer = ADMIN.call(1, identity, method, path, body);
        return answer.statusCode() + " "
                + JsonMapper.shared().readTree(answer.body()).path("errcode").asString("");
    }

    private static List<String> records(int tenant) {
        return Objects.requireNonNull(ADMIN.database()
                .sql("SELECT actor || ' ' || action || ' ' || target || ' ' || status"
                        + " FROM admin.audit_record WHERE tenant = " + tenant + " ORDER BY at, id")
                .mapValue(String.class)
                .all()
                .collectList()
                .block());
    }
}
