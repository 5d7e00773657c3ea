// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** User-interactive authentication through the gateway: each rule of contract.md 3.4. */
@OnOneJvm
class AuthenticationE2E {
    private static final int FAILURES_MAX = 5;
    private static final Map<String, Object> CHANGE = Map.of("new_password", "another fine password");

    private final Rookery rookery;
    private Http http;
    private Session ada;

    AuthenticationE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void firstRequestDecidesTheFields() throws IOException {
        var uia = of(ada, "POST", "/v3/account/password");
        var begun = uia.begin(CHANGE);
        assertThat(begun.status()).isEqualTo(401);
        assertThat(begun.json().propertyNames()).containsExactlyInAnyOrder("flows", "params", "session");

        var other = uia.stage(begun, Map.of("new_password", "quite another password"), own());
        assertThat(other.status()).isEqualTo(403);
        assertThat(other.errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(uia.stage(begun, Map.of(), own()).text()).as("said before").isEqualTo("{}");
        assertThat(Steps.login(http, ada.userId(), "another fine password", Map.of())
                        .isOk())
                .isTrue();
    }

    @Test
    void stageThatIsNotAskedForIsRefused() throws IOException {
        var uia = of(ada, "POST", "/v3/account/password");
        var begun = uia.begin(CHANGE);
        for (String stage : List.of("m.login.dummy", "m.login.terms", "m.login.nonsense")) {
            var refused = uia.stage(begun, CHANGE, Map.of("type", stage));
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.errcode()).isEqualTo("M_UNRECOGNIZED");
            assertThat(session(refused)).isEqualTo(session(begun));
        }
        assertThat(uia.stage(begun, CHANGE, own()).isOk()).isTrue();
    }

    @Test
    void fiveFailuresEndTheSession() throws IOException {
        var uia = of(ada, "POST", "/v3/account/password");
        var begun = uia.begin(CHANGE);
        for (int i = 0; i < FAILURES_MAX; i++) {
            var failed = uia.stage(begun, CHANGE, Uia.password(ada.userId(), "wrong"));
            assertThat(failed.status()).isEqualTo(401);
            assertThat(failed.errcode()).isEqualTo("M_FORBIDDEN");
            assertThat(failed.json().has("flows")).isTrue();
        }
        var over = uia.stage(begun, CHANGE, own());
        assertThat(over.status()).isEqualTo(401);
        assertThat(over.errcode()).isEqualTo("M_UNKNOWN");
        assertThat(session(over)).isNotEqualTo(session(begun));
        assertThat(uia.stage(over, CHANGE, own()).isOk()).isTrue();
    }

    @Test
    void passwordOfAnybodyElseIsForbidden() throws IOException {
        var bob = People.newcomer(http, "bob");
        var uia = of(ada, "POST", "/v3/account/password");
        var begun = uia.begin(CHANGE);
        var refused = uia.stage(begun, CHANGE, Uia.password(bob.userId(), Steps.PASSWORD));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.errcode()).isEqualTo("M_FORBIDDEN");
    }

    @Test
    void sessionIsOfOneUserDeviceAndOperation() throws IOException {
        var begun = of(ada, "POST", "/v3/account/password").begin(CHANGE);
        var bob = People.newcomer(http, "bob");
        var phone = Session.login(http, ada.userId());

        assertForbidden(of(bob, "POST", "/v3/account/password")
                .stage(begun, CHANGE, Uia.password(bob.userId(), Steps.PASSWORD)));
        assertForbidden(of(phone, "POST", "/v3/account/password").stage(begun, CHANGE, own()));
        assertForbidden(of(ada, "POST", "/v3/account/deactivate").stage(begun, Map.of(), own()));
        assertForbidden(of(ada, "POST", "/v1/login/get_token").stage(begun, Map.of(), own()));
        assertForbidden(new Uia(http, null, "POST", "/v3/account/password").stage(begun, CHANGE, own()));
        assertForbidden(new Uia(http, null, "POST", "/v3/register")
                .stage(begun, Map.of("password", Steps.PASSWORD), Uia.dummy()));
        try (var other = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var stranger = People.newcomer(other, "ada");
            var elsewhere = new Uia(other, stranger.token(), "POST", "/v3/account/password");
            assertThat(elsewhere
                            .stage(begun, CHANGE, Uia.password(stranger.userId(), Steps.PASSWORD))
                            .errcode())
                    .isEqualTo("M_UNKNOWN");
        }
        assertThat(of(ada, "POST", "/v3/account/password")
                        .stage(begun, CHANGE, own())
                        .isOk())
                .isTrue();
    }

    @Test
    void sessionIsUsedUpBySuccess() throws IOException {
        var uia = of(ada, "POST", "/v1/login/get_token");
        var begun = uia.begin(Map.of());
        assertThat(uia.stage(begun, Map.of(), own()).isOk()).isTrue();
        var again = uia.stage(begun, Map.of(), own());
        assertThat(again.status()).isEqualTo(401);
        assertThat(again.errcode()).isEqualTo("M_UNKNOWN");
        assertThat(session(again)).isNotEqualTo(session(begun));
    }

    @Test
    void refusalOfAnotherKindLeavesTheSession() throws IOException {
        var uia = of(ada, "POST", "/v3/account/password");
        var begun = uia.begin(CHANGE);
        assertThat(uia.stage(begun, CHANGE, Map.of("type", "m.login.password")).errcode())
                .isEqualTo("M_MISSING_PARAM");
        assertThat(uia.stage(begun, CHANGE, own()).isOk()).isTrue();
    }

    @Test
    void registrationSaysAgainWhatItSaid() throws IOException {
        var uia = new Uia(http, null, "POST", "/v3/register");
        var name = People.name("ann");
        var body = Map.of("username", name.toUpperCase(java.util.Locale.ROOT), "password", Steps.PASSWORD);
        var begun = uia.begin(body);
        assertThat(begun.status()).isEqualTo(401);
        assertThat(begun.text())
                .isEqualTo("{\"flows\":[{\"stages\":[\"m.login.dummy\"]}],\"params\":{},\"session\":\"%s\"}"
                        .formatted(session(begun)));
        var made = uia.stage(begun, body, Uia.dummy()).ok();
        assertThat(made.path("user_id").asString()).isEqualTo("@" + name + ":localhost");
        var again = uia.stage(begun, body, Uia.dummy()).ok();
        assertThat(again.path("device_id")).isEqualTo(made.path("device_id"));
        assertThat(again.path("access_token")).isNotEqualTo(made.path("access_token"));
        assertThat(uia.begin(body).errcode()).isEqualTo("M_USER_IN_USE");
        var available = http.call("GET", "/v3/register/available?username=" + name, null, null);
        assertThat(available.status()).isEqualTo(400);
        assertThat(available.errcode()).isEqualTo("M_USER_IN_USE");
        assertThat(available.json().path("available").asBoolean(true)).isFalse();
    }

    @Test
    void lastWordOfARegistrationWins() throws IOException {
        var uia = new Uia(http, null, "POST", "/v3/register");
        var first = People.name("ann");
        var second = People.name("ann");
        var begun = uia.begin(Map.of("username", first, "password", Steps.PASSWORD, "inhibit_login", true));
        var made = uia.stage(begun, Map.of("username", second), Uia.dummy()).ok();
        assertThat(made.propertyNames()).containsExactlyInAnyOrder("user_id", "home_server");
        assertThat(made.path("user_id").asString()).isEqualTo("@" + second + ":localhost");
        assertThat(http.call("GET", "/v3/register/available?username=" + first, null, null)
                        .text())
                .isEqualTo("{\"available\":true}");
        assertThat(Steps.login(http, second, Steps.PASSWORD, Map.of()).isOk()).isTrue();
    }

    @Test
    void oneRequestIsEnoughForWhoKnowsTheStage() throws IOException {
        var change = Map.of("new_password", "another fine password", "auth", own());
        assertThat(ada.call("POST", "/v3/account/password", change).text()).isEqualTo("{}");
        var wrong = Map.of("new_password", "yet another password", "auth", own());
        var refused = ada.call("POST", "/v3/account/password", wrong);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(session(refused)).isNotEmpty();
    }

    @Test
    void sessionAloneAsksHowFarItIs() throws IOException {
        var uia = of(ada, "POST", "/v3/account/password");
        var begun = uia.begin(CHANGE);
        var challenge = uia.stage(begun, Map.of(), Map.of());
        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.errcode()).isEmpty();
        assertThat(session(challenge)).isEqualTo(session(begun));
        var unknown = ada.call(
                "POST",
                "/v3/account/password",
                Map.of("new_password", "another fine password", "auth", Map.of("session", "nonsense")));
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown.errcode()).isEqualTo("M_UNKNOWN");
    }

    @Test
    void wrongPasswordEndsNoAccount() throws IOException {
        var uia = of(ada, "POST", "/v3/account/deactivate");
        var refused = uia.stage(uia.begin(Map.of()), Map.of(), Uia.password(ada.userId(), "wrong"));
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(ada.call("GET", "/v3/account/whoami", null).isOk()).isTrue();
        var done = uia.stage(refused, Map.of(), own());
        assertThat(done.text()).isEqualTo("{\"id_server_unbind_result\":\"no-support\"}");
        assertThat(ada.call("GET", "/v3/account/whoami", null).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
    }

    @Test
    void operationsAreProvenEachForItself() throws IOException {
        for (int i = 0; i < 2; i++) { // no grace after the first
            assertThat(ada.call("POST", "/v1/login/get_token", Map.of()).status())
                    .isEqualTo(401);
            assertThat(Steps.withPassword(ada, "POST", "/v1/login/get_token", Map.of())
                            .isOk())
                    .isTrue();
        }
    }

    private Uia of(Session session, String method, String path) {
        return new Uia(http, session.token(), method, path);
    }

    private Map<String, Object> own() {
        return Uia.password(ada.userId(), Steps.PASSWORD);
    }

    private static String session(Answer answer) {
        return answer.json().path("session").asString();
    }

    private static void assertForbidden(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(403);
        assertThat(answer.errcode()).isEqualTo("M_FORBIDDEN");
    }
}
