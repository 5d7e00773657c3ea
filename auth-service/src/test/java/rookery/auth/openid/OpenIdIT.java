// SPDX-License-Identifier: Apache-2.0
package rookery.auth.openid;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.auth.AuthServer.Tenant;

class OpenIdIT {
    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final Answer session = server.register(ALPHA, name, "correct horse");

    @Test
    void tokenProvesWhoItsOwnerIsAndNothingElse() {
        var token = request(session);

        assertThat(token.json().propertyNames())
                .containsExactly("access_token", "token_type", "matrix_server_name", "expires_in");
        assertThat(token.text("token_type")).isEqualTo("Bearer");
        assertThat(token.text("matrix_server_name")).isEqualTo("alpha.example");
        assertThat(token.json().path("expires_in").intValue()).isEqualTo(3600);
        String text = token.text("access_token");
        for (int i = 0; i < 2; i++) {
            assertThat(owner(ALPHA, text).raw().body()).isEqualTo("{\"sub\":\"%s\"}".formatted(user()));
        }
        assertThat(AuthServer.sharedSecond()
                        .call(ALPHA, "GET", path(text), null)
                        .text("sub"))
                .as("at another instance")
                .isEqualTo(user());
        assertThat(server.state(ALPHA, text)).as("as an access token").isEqualTo("unknown");
        assertThat(owner(ALPHA, session.text("access_token")).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(owner(BETA, text).refusal()).as("of another tenant").isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(server.call(ALPHA, "GET", "/_matrix/federation/v1/openid/userinfo", null)
                        .refusal())
                .isEqualTo("401 M_MISSING_TOKEN");
        assertThat(owner(ALPHA, "%00%ff").refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(server.count("SELECT count(*) FROM auth.openid_token WHERE token_hash = '\\x"
                        + AuthServer.sha256(text) + "'"))
                .as("stored as a hash")
                .isEqualTo(1);
    }

    @Test
    void nobodyAsksForATokenOfSomebodyElse() {
        String path = "/_api/client/v3/user/%s/openid/request_token";
        assertThat(server.call(ALPHA, session.text("access_token"), "POST", path.formatted(ALPHA.user("other")), "{}")
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, "POST", path.formatted(user()), "{}").refusal())
                .isEqualTo("401 M_MISSING_TOKEN");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE auth.openid_token SET expires_at = now() WHERE user_id = '%s'",
                "UPDATE auth.account SET suspended = true WHERE user_id = '%s'",
                "UPDATE auth.account SET blocked = true WHERE user_id = '%s'",
            })
    void tokenThatIsOverOrOfWhoMayNotActProvesNothing(String change) {
        String token = request(session).text("access_token");

        server.database().execute(change.formatted(user()));

        assertThat(owner(ALPHA, token).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
    }

    @Test
    void tokensGoWithTheirDevice() {
        var other = server.login(ALPHA, name);
        String stays = request(session).text("access_token");
        String goes = request(other).text("access_token");

        server.call(ALPHA, other.text("access_token"), "POST", "/_api/client/v3/logout", null);

        assertThat(owner(ALPHA, goes).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(owner(ALPHA, stays).status()).isEqualTo(200);
    }

    @Test
    void onlyTheNewestTokensOfADeviceCount() {
        String first = request(session).text("access_token");
        server.database()
                .execute("INSERT INTO auth.openid_token (tenant, token_hash, user_id, device_id, expires_at)"
                        + " SELECT 1, sha256(('%1$s' || n)::bytea), '%1$s', '%2$s', now() + interval '2 hours'"
                                .formatted(user(), session.text("device_id"))
                        + " FROM generate_series(1, %d) n".formatted(OpenIdTokens.MOST));

        String last = request(session).text("access_token");

        assertThat(owner(ALPHA, first).refusal()).isEqualTo("401 M_UNKNOWN_TOKEN");
        assertThat(owner(ALPHA, last).status()).isEqualTo(200);
        assertThat(server.count("SELECT count(*) FROM auth.openid_token WHERE user_id = '" + user() + "'"))
                .isEqualTo(OpenIdTokens.MOST);
    }

    private Answer request(Answer session) {
        return server.call(
                ALPHA,
                session.text("access_token"),
                "POST",
                "/_api/client/v3/user/%s/openid/request_token".formatted(user()),
                "{}");
    }

    private Answer owner(Tenant tenant, String token) {
        return server.call(tenant, "GET", path(token), null);
    }

    private static String path(String token) {
        return "/_matrix/federation/v1/openid/userinfo?access_token=" + token;
    }

    private String user() {
        return session.text("user_id");
    }
}
