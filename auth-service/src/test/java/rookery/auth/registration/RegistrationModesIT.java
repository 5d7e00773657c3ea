// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.auth.AddressShown;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.auth.AuthServer.Tenant;

/** One tenant requires a token and the terms, the other an email address. */
@NullUnmarked // runs before all tests
class RegistrationModesIT {
    private static final String REGISTER = "/_api/client/v3/register";
    private static final String VALIDITY = "/_api/client/v1/register/m.login.registration_token/validity";

    private static AuthServer server;

    private final String name = AuthServer.name();

    @BeforeAll
    static void start() {
        server = AuthServer.with(
                List.of(new AddressShown()),
                "--rookery.auth.registration.mode=token",
                "--rookery.auth.registration.terms.[privacy_policy].version=1.2",
                "--rookery.auth.registration.terms.[privacy_policy].texts.en.name=Privacy",
                "--rookery.auth.registration.terms.[privacy_policy].texts.en.url=https://alpha.example/privacy",
                "--rookery.tenants[1].settings.registration=email",
                "--rookery.tenants[1].settings.terms={}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void tokenAndTermsAreShownOneAfterTheOther() { // contract.md 16.2
        String token = token(1, false);
        var challenge = register(ALPHA, "{\"username\":\"%s\",\"password\":\"correct horse\"}".formatted(name));
        assertThat(challenge.json().path("flows").toString())
                .isEqualTo("[{\"stages\":[\"m.login.registration_token\",\"m.login.terms\"]}]");
        assertThat(challenge.json().path("params").toString())
                .isEqualTo("{\"m.login.terms\":{\"policies\":{\"privacy_policy\":{\"version\":\"1.2\","
                        + "\"en\":{\"name\":\"Privacy\",\"url\":\"https://alpha.example/privacy\"}}}}}");

        var half = register(ALPHA, auth("m.login.registration_token", challenge, ",\"token\":\"%s\"".formatted(token)));
        assertThat(half.status()).isEqualTo(401);
        assertThat(half.json().path("completed").toString()).isEqualTo("[\"m.login.registration_token\"]");
        assertThat(half.json().has("errcode")).isFalse();
        var again = register(ALPHA, auth("m.login.registration_token", challenge, ""));
        assertThat(again.json().path("completed").toString())
                .as("not run again")
                .isEqualTo("[\"m.login.registration_token\"]");

        var made = register(ALPHA, auth("m.login.terms", challenge, ""));
        assertThat(made.text("user_id")).isEqualTo(ALPHA.user(name));
        assertThat(register(ALPHA, auth("m.login.terms", challenge, "")).text("device_id"))
                .as("repeated")
                .isEqualTo(made.text("device_id"));
        assertThat(valid(ALPHA, token)).isFalse();
    }

    @Test
    void useIsReservedBetweenTheStageAndTheAccount() {
        String token = token(1, false);
        assertThat(valid(ALPHA, token)).isTrue();
        var first = register(ALPHA, "{\"username\":\"%s\",\"password\":\"correct horse\"}".formatted(name));
        register(ALPHA, auth("m.login.registration_token", first, ",\"token\":\"%s\"".formatted(token)));

        var second = register(ALPHA, "{\"password\":\"correct horse\"}");
        var refused = register(ALPHA, auth("m.login.registration_token", second, ",\"token\":\"%s\"".formatted(token)));

        assertThat(refused.refusal()).isEqualTo("401 M_FORBIDDEN");
        assertThat(valid(ALPHA, token)).isFalse();
        assertThat(register(ALPHA, auth("m.login.terms", first, "")).status()).isEqualTo(200);
    }

    @Test
    void aReservedUseIsPendingAndEndsWithTheToken() {
        String token = token(1, false);
        var id = "{\"tenant\":1,\"id\":\"%s\"}"
                .formatted(AuthServer.sha256(token).substring(0, 16));
        var begun = register(ALPHA, "{\"username\":\"%s\",\"password\":\"correct horse\"}".formatted(name));
        register(ALPHA, auth("m.login.registration_token", begun, ",\"token\":\"%s\"".formatted(token)));

        var shown = server.internal("POST", "/internal/admin/registration-token/find", id)
                .json();
        assertThat(shown.path("pending").asInt()).isEqualTo(1);
        assertThat(shown.path("uses_left").asInt()).isEqualTo(1);
        server.internal("POST", "/internal/admin/registration-token/revoke", id);
        assertThat(register(ALPHA, auth("m.login.terms", begun, "")).refusal()).isEqualTo("403 M_FORBIDDEN");
    }

    @Test
    void tokenMakesAsManyAccountsAsItMayAtTheSameTime() throws Exception {
        String token = token(3, false);
        var answers = new ArrayList<Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 12)
                    .mapToObj(_ -> threads.submit(() -> registered(token)))
                    .toList();
            for (var one : running) {
                answers.add(one.get());
            }
        }

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(3);
        assertThat(valid(ALPHA, token)).isFalse();
    }

    @Test
    void tokenThatIsWrongOrExpiredOrOfAnotherTenantIsRefused() {
        String late = token(1, false);
        server.database()
                .execute(
                        "UPDATE auth.registration_token SET expires_at = now() - interval '1 second' WHERE token_hash = '\\x%s'"
                                .formatted(AuthServer.sha256(late)));

        assertThat(List.of(valid(ALPHA, late), valid(ALPHA, "nonsense"), valid(BETA, token(1, false))))
                .containsOnly(false);
        var challenge = register(ALPHA, "{\"password\":\"correct horse\"}");
        assertThat(register(ALPHA, auth("m.login.registration_token", challenge, ",\"token\":\"%s\"".formatted(late)))
                        .refusal())
                .isEqualTo("401 M_FORBIDDEN");
        assertThat(register(ALPHA, auth("m.login.registration_token", challenge, ""))
                        .refusal())
                .isEqualTo("400 M_MISSING_PARAM");
        assertThat(register(ALPHA, auth("m.login.dummy", challenge, "")).refusal())
                .isEqualTo("401 M_UNRECOGNIZED");
        assertThat(server.call(ALPHA, "GET", VALIDITY, null).refusal()).isEqualTo("400 M_MISSING_PARAM");
    }

    @Test
    void tokenMayMakeAnAdministratorWhereRegistrationIsOpenToo() {
        String token = token(1, true);
        try (var open = server.another(
                "--rookery.auth.registration.mode=open", "--rookery.auth.registration.asks-for-terms=false")) {
            var made = open.call(ALPHA, "POST", REGISTER, """
                    {"username":"%s","password":"correct horse",
                     "auth":{"type":"m.login.registration_token","token":"%s"}}
                    """.formatted(name, token));

            assertThat(made.status()).isEqualTo(200);
            assertThat(open.resolve(ALPHA, made.text("access_token"))
                            .path("admin")
                            .booleanValue())
                    .isTrue();
            var plain = open.register(ALPHA, AuthServer.name(), "correct horse");
            assertThat(open.resolve(ALPHA, plain.text("access_token"))
                            .path("admin")
                            .booleanValue())
                    .isFalse();
        }
    }

    @Test
    void failedSingleRequestGivesTheUseBack() {
        String token = token(1, false);
        try (var open = server.another(
                "--rookery.auth.registration.mode=open", "--rookery.auth.registration.asks-for-terms=false")) {
            String auth = "\"auth\":{\"type\":\"m.login.registration_token\",\"token\":\"%s\"}".formatted(token);

            assertThat(open.call(ALPHA, "POST", REGISTER, "{" + auth + "}").refusal())
                    .isEqualTo("400 M_MISSING_PARAM");
            assertThat(open.call(ALPHA, "POST", REGISTER, "{\"password\":\"correct horse\"," + auth + "}")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void provenAddressBecomesTheAccounts() {
        var challenge = register(BETA, "{\"username\":\"%s\",\"password\":\"correct horse\"}".formatted(name));
        assertThat(challenge.json().path("flows").toString()).isEqualTo("[{\"stages\":[\"m.login.email.identity\"]}]");
        assertThat(challenge.json().path("params").isEmpty()).isTrue();
        String address = name + "@mail.example";
        String creds = ",\"threepid_creds\":{\"sid\":\"%s\",\"client_secret\":\"s\"}".formatted(address);

        assertThat(register(BETA, auth("m.login.email.identity", challenge, creds))
                        .status())
                .isEqualTo(200);

        assertThat(server.count("SELECT count(*) FROM auth.threepid WHERE tenant = 2 AND address = '" + address
                        + "' AND user_id = '" + BETA.user(name) + "'"))
                .isEqualTo(1);
        var late = register(BETA, "{\"password\":\"correct horse\"}");
        assertThat(register(BETA, auth("m.login.email.identity", late, creds)).refusal())
                .as("taken meanwhile")
                .isEqualTo("400 M_THREEPID_IN_USE");
    }

    @Test
    void proofsCannotBeReadInTheDatabase() {
        try (var both = AuthServer.with(
                List.of(new AddressShown()), "--rookery.tenants[1].settings.registration=token-email")) {
            var challenge = both.call(BETA, "POST", REGISTER, "{\"password\":\"correct horse\"}");
            var half =
                    both.call(BETA, "POST", REGISTER, auth("m.login.email.identity", challenge, """
                    ,"threepid_creds":{"sid":"canary-%s@mail.example","client_secret":"s"}""".formatted(name)));

            assertThat(half.json().path("completed").toString()).isEqualTo("[\"m.login.email.identity\"]");
            assertThat(both.count("SELECT count(*) FROM auth.uia_session WHERE proofs::text LIKE '%canary%'"))
                    .isZero();
        }
    }

    @Test
    void closedTenantTellsNothingOfTokens() {
        try (var closed = server.another("--rookery.tenants[0].settings.registration=closed")) {
            assertThat(closed.call(ALPHA, "GET", VALIDITY + "?token=x", null).refusal())
                    .isEqualTo("403 M_FORBIDDEN");
            assertThat(closed.call(ALPHA, "POST", REGISTER, "{}").refusal()).isEqualTo("403 M_FORBIDDEN");
            assertThat(closed.call(BETA, "POST", REGISTER, "{}").status()).isEqualTo(401);
        }
    }

    private static Answer registered(String token) {
        var challenge = register(ALPHA, "{\"password\":\"correct horse\"}");
        register(ALPHA, auth("m.login.registration_token", challenge, ",\"token\":\"%s\"".formatted(token)));
        return register(ALPHA, auth("m.login.terms", challenge, ""));
    }

    private static String token(int uses, boolean admin) {
        return server.internal("POST", "/internal/admin/registration-token", """
                        {"tenant":1,"uses":%d,"life_seconds":3600,"grants_admin":%b}""".formatted(uses, admin))
                .text("token");
    }

    private static boolean valid(Tenant tenant, String token) {
        return server.call(tenant, "GET", VALIDITY + "?token=" + token, null)
                .json()
                .path("valid")
                .booleanValue();
    }

    private static String auth(String stage, Answer challenge, String more) {
        return "{\"auth\":{\"type\":\"%s\",\"session\":\"%s\"%s}}".formatted(stage, challenge.text("session"), more);
    }

    private static Answer register(Tenant tenant, String body) {
        return server.call(tenant, "POST", REGISTER, body);
    }
}
