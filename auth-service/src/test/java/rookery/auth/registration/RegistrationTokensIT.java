// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.auth.AuthServer.Tenant;
import tools.jackson.databind.JsonNode;

/** Registration tokens as admin-service makes, lists and revokes them. */
class RegistrationTokensIT {
    private static final String REGISTER = "/_api/client/v3/register";
    private static final Tenant ALPHA = AuthServer.ALPHA;

    private final AuthServer server = AuthServer.shared();

    private JsonNode make(int tenant, String more) {
        return ask("registration-token", "{\"tenant\":%d%s}".formatted(tenant, more))
                .json();
    }

    private Answer ask(String path, String body) {
        return server.internal("POST", "/internal/admin/" + path, body);
    }

    private Answer find(int tenant, String id) {
        return ask("registration-token/find", "{\"tenant\":%d,\"id\":\"%s\"}".formatted(tenant, id));
    }

    private Answer revoke(int tenant, String id) {
        return ask("registration-token/revoke", "{\"tenant\":%d,\"id\":\"%s\"}".formatted(tenant, id));
    }

    @Test
    void aTokenIsShownWithoutItsText() {
        var made = make(1, ",\"uses\":3,\"life_seconds\":60,\"grants_admin\":true");
        var id = made.path("id").asString();
        assertThat(AuthServer.sha256(made.path("token").asString())).startsWith(id);

        var found = find(1, id).json();
        assertThat(found.propertyNames())
                .containsExactlyInAnyOrder("id", "uses_left", "pending", "expires_at", "grants_admin", "created_at");
        assertThat(found.path("uses_left").asInt()).isEqualTo(3);
        assertThat(found.path("pending").asInt()).isZero();
        assertThat(found.path("grants_admin").asBoolean()).isTrue();
        assertThat(found.path("expires_at").asLong() - found.path("created_at").asLong())
                .isEqualTo(60_000);

        var unlimited = find(1, make(1, "").path("id").asString()).json();
        assertThat(unlimited.path("uses_left").isNull()).isTrue();
        assertThat(unlimited.path("expires_at").isNull()).isTrue();
    }

    @Test
    void aRevokedTokenRegistersNobody() {
        var made = make(1, ",\"uses\":2");
        var id = made.path("id").asString();
        var name = AuthServer.name();
        var begun = server.call(
                ALPHA, "POST", REGISTER, """
                {"username":"%s","password":"correct horse","auth":{"type":"m.login.registration_token","token":"%s"}}
                """.formatted(name, made.path("token").asString()));
        assertThat(begun.status()).as("open registration ends with this stage").isEqualTo(200);
        assertThat(find(1, id).json().path("uses_left").asInt()).isEqualTo(1);

        assertThat(revoke(1, id).raw().body()).isEqualTo("{}");
        assertThat(revoke(1, id).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(find(1, id).refusal()).isEqualTo("404 M_NOT_FOUND");
        var refused = server.call(ALPHA, "POST", REGISTER, """
                {"username":"%s","password":"correct horse","auth":{"type":"m.login.registration_token","token":"%s"}}
                """.formatted(
                        AuthServer.name(), made.path("token").asString()));
        assertThat(refused.status()).isEqualTo(401);
    }

    @Test
    void pagesFollowEachOtherWithinTheTenant() {
        var made = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            made.add(make(2, ",\"uses\":1").path("id").asString());
        }
        var other = make(1, ",\"uses\":1").path("id").asString();
        var seen = new ArrayList<String>();
        var after = "";
        do {
            var lines = server.lines(
                    "/internal/admin/registration-tokens",
                    "{\"tenant\":2,\"after\":\"%s\",\"limit\":2}".formatted(after));
            lines.subList(1, lines.size() - 1)
                    .forEach(line -> seen.add(line.path("id").asString()));
            after = lines.getLast().path("next").asString("");
        } while (!after.isEmpty());
        assertThat(seen).isSorted().doesNotHaveDuplicates().containsAll(made).doesNotContain(other);
        assertThat(find(2, other).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(revoke(2, other).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(find(1, other).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0", "\\u0000"})
    void whatIsNoIdIsNotFound(String id) {
        for (var answer : List.of(find(1, id), revoke(1, id))) {
            assertThat(answer.refusal()).isEqualTo("404 M_NOT_FOUND");
        }
    }
}
