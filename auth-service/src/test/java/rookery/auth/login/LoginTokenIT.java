// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class LoginTokenIT {
    private static final String LOGIN = "/_api/client/v3/login";
    private static final String TOKEN = "/_api/client/v1/login/get_token";
    private static final String SSO = LOGIN + "/sso/redirect";

    private final AuthServer server = AuthServer.shared();
    private final Answer session = server.register(ALPHA, AuthServer.name(), "correct horse");

    @Test
    void tokenLogsInOnceAndMakesAnotherDevice() {
        var made = server.withPassword(ALPHA, session, "POST", TOKEN, "{}");
        assertThat(made.json().propertyNames()).containsExactlyInAnyOrder("login_token", "expires_in_ms");
        assertThat(made.json().path("expires_in_ms").longValue()).isEqualTo(120_000);
        assertThat(made.text("login_token")).matches("[0-9A-Za-z._~-]{40,255}");

        var first = login(ALPHA, made.text("login_token"));

        assertThat(first.text("user_id")).isEqualTo(session.text("user_id"));
        assertThat(first.text("device_id")).isNotEqualTo(session.text("device_id"));
        assertThat(server.state(ALPHA, first.text("access_token"))).isEqualTo("known");
        assertThat(server.state(ALPHA, session.text("access_token"))).isEqualTo("known");
        assertThat(login(ALPHA, made.text("login_token")).refusal()).isEqualTo("403 M_FORBIDDEN");
    }

    @Test
    void tokenUsedManyTimesAtOnceLogsInOnce() throws Exception {
        String token = token();
        var answers = new ArrayList<Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 10)
                    .mapToObj(_ -> threads.submit(() -> login(ALPHA, token)))
                    .toList();
            for (var one : running) {
                answers.add(one.get());
            }
        }

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 200)
                .extracting(Answer::refusal)
                .containsOnly("403 M_FORBIDDEN");
    }

    @Test
    void tokenIsOfItsTenantAndRunsOut() {
        assertThat(login(BETA, token()).refusal()).isEqualTo("403 M_FORBIDDEN");
        String late = token();
        server.database()
                .execute("UPDATE auth.login_token SET expires_at = now() - interval '1 second' WHERE user_id = '%s'"
                        .formatted(session.text("user_id")));

        var refused = login(ALPHA, late);

        assertThat(refused.refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(refused.text("error"))
                .isEqualTo(server.call(
                                ALPHA,
                                "POST",
                                LOGIN,
                                "{\"type\":\"m.login.password\",\"user\":\"nobody-x\",\"password\":\"p\"}")
                        .text("error"));
    }

    @Test
    void refusedLoginDoesNotUseTheTokenUp() {
        String token = token();
        var bad = server.call(
                ALPHA,
                "POST",
                LOGIN,
                "{\"type\":\"m.login.token\",\"token\":\"%s\",\"device_id\":\"\"}".formatted(token));

        assertThat(bad.refusal()).isEqualTo("400 M_INVALID_PARAM");
        assertThat(login(ALPHA, token).status()).isEqualTo(200);
    }

    @Test
    void blockedUserIsLocked() {
        String token = token();
        server.database()
                .execute("UPDATE auth.account SET blocked = true WHERE user_id = '%s'"
                        .formatted(session.text("user_id")));

        assertThat(login(ALPHA, token).refusal()).isEqualTo("401 M_USER_LOCKED");
    }

    @Test
    void tokenIsGivenOnlyToWhoIsLoggedIn() {
        assertThat(server.call(ALPHA, "POST", TOKEN, "{}").refusal()).isEqualTo("401 M_MISSING_TOKEN");
    }

    @Test
    void tenantMaySwitchItOffOrTellOfIt() {
        try (var other = server.another(
                "--rookery.tenants[0].settings.login-tokens=false",
                "--rookery.tenants[1].settings.login-tokens-advertised=true")) {
            var token = session.text("access_token");
            assertThat(other.call(ALPHA, token, "POST", TOKEN, "{}").refusal()).isEqualTo("400 M_UNRECOGNIZED");
            assertThat(other.call(ALPHA, token, "GET", "/_api/client/v3/capabilities", null)
                            .json()
                            .at("/capabilities/m.get_login_token/enabled")
                            .booleanValue())
                    .isFalse();
            assertThat(other.call(BETA, "GET", LOGIN, null).raw().body())
                    .isEqualTo("{\"flows\":[{\"type\":\"m.login.password\"},{\"type\":\"m.login.token\"}]}");
        }
    }

    @Test
    void thereIsNoSingleSignOn() {
        assertThat(server.call(ALPHA, "GET", SSO, null).refusal()).isEqualTo("501 M_UNRECOGNIZED");
        assertThat(server.call(ALPHA, "GET", SSO + "/any?redirectUrl=https://evil.example", null)
                        .text("error"))
                .isEqualTo("Single sign-on is not implemented");
    }

    @Test
    void addressesOfTheAccountLeadIn() {
        String address = session.text("user_id").substring(1, 6) + AuthServer.name() + "@mail.example";
        server.database().execute("""
                        INSERT INTO auth.threepid (tenant, medium, address, user_id, validated_at, added_at)
                        VALUES (1, 'email', '%s', '%s', now(), now()),
                               (1, 'msisdn', '4930%s', '%s', now(), now())
                        """.formatted(
                        address,
                        session.text("user_id"),
                        AuthServer.name().replaceAll("\\D", "") + "777",
                        session.text("user_id")));

        assertThat(addressed("email", " " + address.toUpperCase(java.util.Locale.ROOT))
                        .text("user_id"))
                .isEqualTo(session.text("user_id"));
        assertThat(server.call(ALPHA, "POST", LOGIN, """
                {"type":"m.login.password","medium":"email","address":"%s","password":"correct horse"}
                """.formatted(address)).status())
                .isEqualTo(200);
        assertThat(addressed("email", "nobody@mail.example").refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(addressed("pigeon", address).refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(addressed("email", "no address").refusal()).isEqualTo("403 M_FORBIDDEN");
    }

    private Answer addressed(String medium, String address) {
        return server.call(ALPHA, "POST", LOGIN, """
                {"type":"m.login.password","password":"correct horse",
                 "identifier":{"type":"m.id.thirdparty","medium":"%s","address":"%s"}}
                """.formatted(medium, address));
    }

    private String token() {
        return server.withPassword(ALPHA, session, "POST", TOKEN, "{}").text("login_token");
    }

    private Answer login(AuthServer.Tenant tenant, String token) {
        return server.call(tenant, "POST", LOGIN, "{\"type\":\"m.login.token\",\"token\":\"%s\"}".formatted(token));
    }
}
