// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

/** The rules of contract.md 3.4, on an operation whose runs can be counted. */
class InteractiveIT {
    private static final String TOKEN = "/_api/client/v1/login/get_token";
    private static final String DEACTIVATE = "/_api/client/v3/account/deactivate";
    private static final String PASSWORD = "/_api/client/v3/account/password";

    private final AuthServer server = AuthServer.shared();
    private final Answer session = server.register(ALPHA, AuthServer.name(), "correct horse");

    @Test
    void challengeHasExactlyItsFields() {
        var challenge = call(TOKEN, "{}");

        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.json().propertyNames()).containsExactlyInAnyOrder("flows", "params", "session");
        assertThat(challenge.json().path("flows").toString()).isEqualTo("[{\"stages\":[\"m.login.password\"]}]");
        assertThat(challenge.json().path("params").isEmpty()).isTrue();
    }

    @Test
    void wrongPasswordMayBeTriedFiveTimes() {
        String id = call(TOKEN, "{}").text("session");
        String wrong = AuthServer.authenticated("{}", session, "wrong horse", id);
        for (int i = 0; i < 5; i++) {
            var refused = call(TOKEN, wrong);
            assertThat(refused.refusal()).isEqualTo("401 M_FORBIDDEN");
            assertThat(refused.text("session")).isEqualTo(id);
            assertThat(refused.json().has("flows")).isTrue();
        }

        var dead = call(TOKEN, AuthServer.authenticated("{}", session, "correct horse", id));

        assertThat(dead.refusal()).isEqualTo("401 M_UNKNOWN");
        assertThat(dead.text("session")).isNotEqualTo(id);
    }

    @Test
    void wrongPasswordsCountAsFailedLogins() {
        for (int i = 0; i < 20; i++) {
            call(TOKEN, oneShot("wrong horse"));
        }

        assertThat(call(TOKEN, oneShot("correct horse")).refusal()).isEqualTo("429 M_LIMIT_EXCEEDED");
    }

    @Test
    void oneRequestIsEnough() {
        assertThat(call(TOKEN, oneShot("correct horse")).status()).isEqualTo(200);

        var wrong = call(TOKEN, oneShot("wrong horse"));
        assertThat(wrong.refusal()).isEqualTo("401 M_FORBIDDEN");
        assertThat(call(TOKEN, AuthServer.authenticated("{}", session, "correct horse", wrong.text("session")))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void deprecatedFieldNamesTheUserToo() {
        String body = "{\"auth\":{\"type\":\"m.login.password\",\"user\":\"%s\",\"password\":\"correct horse\"}}"
                .formatted(session.text("user_id"));

        assertThat(call(TOKEN, body).status()).isEqualTo(200);
    }

    @Test
    void onlyTheTokensOwnUserPasses() {
        var other = server.register(ALPHA, AuthServer.name(), "correct horse");
        String id = call(TOKEN, "{}").text("session");

        assertThat(call(TOKEN, AuthServer.authenticated("{}", other, "correct horse", id))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(call(TOKEN, AuthServer.authenticated("{}", session, "correct horse", id))
                        .status())
                .as("the session stays usable")
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"auth":7}                                                             | 400 M_BAD_JSON
            {"auth":{"type":7}}                                                    | 400 M_BAD_JSON
            {"auth":{"type":"m.login.password","session":7}}                       | 400 M_BAD_JSON
            {"auth":{"type":"m.login.password","user":"u"}}                        | 400 M_MISSING_PARAM
            {"auth":{"type":"m.login.password","password":"p"}}                    | 400 M_MISSING_PARAM
            {"auth":{"type":"m.login.password","user":"u","password":7}}           | 400 M_BAD_JSON
            {"auth":{"type":"m.login.dummy"}}                                      | 401 M_UNRECOGNIZED
            {"auth":{"type":"m.login.password","session":"nonsense"}}              | 401 M_UNKNOWN
            {"auth":{"session":"nonsense"}}                                        | 401 M_UNKNOWN
            """)
    void badAuthenticationsAreRefused(String body, String refusal) {
        assertThat(call(TOKEN, body).refusal()).isEqualTo(refusal);
    }

    @Test
    void sessionIsOfOneUserDeviceOperationAndTenant() {
        String id = call(TOKEN, "{}").text("session");
        var other = server.register(ALPHA, AuthServer.name(), "correct horse");
        var elsewhere = server.register(BETA, AuthServer.name(), "correct horse");

        assertThat(call(ALPHA, other, TOKEN, AuthServer.authenticated("{}", other, "correct horse", id))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(call(DEACTIVATE, AuthServer.authenticated("{}", session, "correct horse", id))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(call(BETA, elsewhere, TOKEN, AuthServer.authenticated("{}", elsewhere, "correct horse", id))
                        .refusal())
                .isEqualTo("401 M_UNKNOWN");
    }

    @Test
    void statusPollAsksForWhatIsMissing() {
        String id = call(TOKEN, "{}").text("session");
        var polled = call(TOKEN, "{\"auth\":{\"session\":\"%s\"}}".formatted(id));

        assertThat(polled.status()).isEqualTo(401);
        assertThat(polled.json().has("errcode")).isFalse();
        assertThat(polled.text("session")).isEqualTo(id);
    }

    @Test
    void parametersAreFrozenByTheFirstRequest() {
        String id = call(DEACTIVATE, "{\"erase\":false}").text("session");

        assertThat(call(DEACTIVATE, AuthServer.authenticated("{\"erase\":true}", session, "correct horse", id))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        String none = call(DEACTIVATE, "{}").text("session");
        assertThat(call(DEACTIVATE, AuthServer.authenticated("{\"erase\":true}", session, "correct horse", none))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.state(ALPHA, session.text("access_token"))).isEqualTo("known");
    }

    @Test
    void absentParametersAreTakenFromTheFirstRequest() {
        String id = call(PASSWORD, "{\"new_password\":\"other horse\",\"logout_devices\":null}")
                .text("session");

        assertThat(call(PASSWORD, AuthServer.authenticated("{}", session, "correct horse", id))
                        .status())
                .isEqualTo(200);
        assertThat(call(TOKEN, oneShot("other horse")).status()).isEqualTo(200);
    }

    @Test
    void requestThatRepeatsAFinishedOneIsAnsweredAsThatWas() {
        String change = "{\"new_password\":\"other horse\"}";
        String id = call(PASSWORD, change).text("session");
        String body = AuthServer.authenticated(change, session, "correct horse", id);
        var first = call(PASSWORD, body);
        String later = "{\"new_password\":\"third horse\"}";
        String laterId = call(PASSWORD, later).text("session");
        call(PASSWORD, AuthServer.authenticated(later, session, "other horse", laterId));

        assertThat(call(PASSWORD, body).raw().body())
                .as("its answer was lost")
                .isEqualTo(first.raw().body())
                .isEqualTo("{}");

        assertThat(call(TOKEN, oneShot("third horse")).status())
                .as("nothing happens")
                .isEqualTo(200);
    }

    @Test
    void sessionIsUsedUpByTheOperation() throws Exception {
        String id = call(TOKEN, "{}").text("session");
        String body = AuthServer.authenticated("{}", session, "correct horse", id);
        var answers = new ArrayList<Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 12)
                    .mapToObj(_ -> threads.submit(() -> call(TOKEN, body)))
                    .toList();
            for (var one : running) {
                answers.add(one.get());
            }
        }

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 200)
                .extracting(Answer::refusal)
                .containsOnly("401 M_UNKNOWN");
        assertThat(server.count(
                        "SELECT count(*) FROM auth.login_token WHERE user_id = '" + session.text("user_id") + "'"))
                .isEqualTo(1);
    }

    @Test
    void sessionGoesOnAtAnotherInstance() {
        String id = call(TOKEN, "{}").text("session");
        assertThat(AuthServer.sharedSecond()
                        .call(
                                ALPHA,
                                session.text("access_token"),
                                "POST",
                                TOKEN,
                                AuthServer.authenticated("{}", session, "correct horse", id))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void longFieldsAreNotKept() {
        String long_ = "\"%s\"".formatted("x".repeat(20_000));

        assertThat(server.call(ALPHA, "POST", "/_api/client/v3/register", "{\"refresh_token\":%s}".formatted(long_))
                        .refusal())
                .isEqualTo("400 M_BAD_JSON");
        assertThat(server.call(ALPHA, "POST", "/_api/client/v3/register", "{\"unknown\":%s}".formatted(long_))
                        .status())
                .isEqualTo(401);
        assertThat(server.count("SELECT max(length(parameters)) FROM auth.uia_session"))
                .isLessThan(10_000);
    }

    private String oneShot(String password) {
        return AuthServer.authenticated("{}", session, password, "").replace(",\"session\":\"\"", "");
    }

    private Answer call(String path, String body) {
        return call(ALPHA, session, path, body);
    }

    private Answer call(AuthServer.Tenant tenant, Answer who, String path, String body) {
        return server.call(tenant, who.text("access_token"), "POST", path, body);
    }
}
