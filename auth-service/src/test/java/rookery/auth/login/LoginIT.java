// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class LoginIT {
    private static final String LOGIN = "/_api/client/v3/login";

    private final AuthServer server = AuthServer.shared();

    @Test
    void onlyPasswordsAreOffered() {
        assertThat(server.call(ALPHA, "GET", LOGIN, null).raw().body())
                .isEqualTo("{\"flows\":[{\"type\":\"m.login.password\"}]}");
    }

    @Test
    void everyFormOfTheNameLeadsIn() {
        String name = newUser();

        assertThat(login(ALPHA, identifier(name), "correct horse").text("user_id"))
                .isEqualTo(ALPHA.user(name));
        assertThat(login(ALPHA, identifier(name.toUpperCase(Locale.ROOT)), "correct horse")
                        .status())
                .isEqualTo(200);
        assertThat(login(ALPHA, identifier(ALPHA.user(name)), "correct horse").status())
                .isEqualTo(200);
        assertThat(login(ALPHA, "\"user\":\"%s\"".formatted(name), "correct horse")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void sessionHasTheFourFieldsAndItsTokenIsGoodForItsTenantOnly() {
        String name = newUser();
        var session = login(ALPHA, identifier(name), "correct horse");
        String token = session.text("access_token");

        assertThat(session.json().propertyNames())
                .containsExactlyInAnyOrder("user_id", "access_token", "device_id", "home_server");
        assertThat(token).matches("rky_[A-Za-z0-9_-]{43}_[A-Za-z0-9_-]{6}");
        assertThat(server.call(ALPHA, token, "GET", "/_api/client/v3/account/whoami", null)
                        .raw()
                        .body())
                .isEqualTo("{\"user_id\":\"%s\",\"device_id\":\"%s\",\"is_guest\":false}"
                        .formatted(ALPHA.user(name), session.text("device_id")));
        assertThat(server.call(BETA, token, "GET", "/_api/client/v3/account/whoami", null)
                        .refusal())
                .isEqualTo("401 M_UNKNOWN_TOKEN");
    }

    @Test
    void allWrongLoginsAreAnsweredAlike() {
        String name = newUser();
        var answers = java.util.List.of(
                login(ALPHA, identifier(name), "wrong horse"),
                login(ALPHA, identifier("nobody-" + name), "correct horse"),
                login(ALPHA, identifier("späth"), "correct horse"),
                login(ALPHA, identifier(BETA.user(name)), "correct horse"),
                login(BETA, identifier(name), "correct horse"),
                login(ALPHA, identifier(name), "x".repeat(513)),
                login(
                        ALPHA,
                        "\"identifier\":{\"type\":\"m.id.thirdparty\",\"medium\":\"email\",\"address\":\"a@b.example\"}",
                        "correct horse"),
                login(
                        ALPHA,
                        "\"identifier\":{\"type\":\"m.id.phone\",\"country\":\"DE\",\"phone\":\"0301234\"}",
                        "correct horse"));

        assertThat(answers).extracting(Answer::refusal).containsOnly("403 M_FORBIDDEN");
        assertThat(answers.stream().map(answer -> answer.raw().body()).distinct())
                .hasSize(1);
    }

    @Test
    void anotherLoginOfADeviceEndsItsEarlierToken() {
        String name = newUser();
        String first = loginAs(name, "PHONE").text("access_token");
        String other = loginAs(name, "TABLET").text("access_token");
        String second = loginAs(name, "PHONE").text("access_token");

        assertThat(state(first)).isEqualTo("unknown");
        assertThat(state(second)).isEqualTo("known");
        assertThat(state(other)).isEqualTo("known");
    }

    @Test
    void blockedAndDeactivatedUsersLearnItOnlyWithTheRightPassword() {
        String blocked = newUser();
        String gone = newUser();
        server.database()
                .execute(
                        "UPDATE auth.account SET blocked = true WHERE user_id = '%s'".formatted(ALPHA.user(blocked)),
                        "UPDATE auth.account SET deactivated = true WHERE user_id = '%s'".formatted(ALPHA.user(gone)));

        var locked = login(ALPHA, identifier(blocked), "correct horse");
        assertThat(locked.refusal()).isEqualTo("401 M_USER_LOCKED");
        assertThat(locked.json().path("soft_logout").booleanValue()).isTrue();
        assertThat(login(ALPHA, identifier(gone), "correct horse").refusal()).isEqualTo("403 M_USER_DEACTIVATED");
        assertThat(login(ALPHA, identifier(blocked), "wrong horse").refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(login(ALPHA, identifier(gone), "wrong horse").refusal()).isEqualTo("403 M_FORBIDDEN");
    }

    @Test
    void tooManyGuessesAreRefusedEvenWhenRightAndOnAnotherInstance() {
        String name = newUser();
        for (int i = 0; i < 20; i++) {
            assertThat(login(ALPHA, identifier(name), "guess " + i).refusal()).isEqualTo("403 M_FORBIDDEN");
        }

        var refused = login(ALPHA, identifier(name), "correct horse");
        assertThat(refused.refusal()).isEqualTo("429 M_LIMIT_EXCEEDED");
        assertThat(refused.raw().headers().firstValue("Retry-After").orElse("")).matches("[1-9][0-9]*");
        assertThat(refused.json().path("retry_after_ms").longValue()).isBetween(1L, 900_000L);
        assertThat(AuthServer.sharedSecond()
                        .call(ALPHA, "POST", LOGIN, body(identifier(name), "correct horse"))
                        .refusal())
                .isEqualTo("429 M_LIMIT_EXCEEDED");
    }

    @Test
    void guessesAtAnUnknownUserAreCountedToo() {
        String name = "nobody-" + AuthServer.name();
        for (int i = 0; i < 20; i++) {
            login(ALPHA, identifier(name), "guess " + i);
        }

        assertThat(login(ALPHA, identifier(name), "guess").refusal()).isEqualTo("429 M_LIMIT_EXCEEDED");
    }

    @Test
    void refreshableSessionIsMadeOnlyWhenAskedFor() {
        String name = newUser();
        var session = server.call(
                ALPHA,
                "POST",
                LOGIN,
                "{\"type\":\"m.login.password\",%s,\"password\":\"correct horse\",\"refresh_token\":true}"
                        .formatted(identifier(name)));

        assertThat(session.text("refresh_token")).startsWith("rkr_");
        assertThat(session.json().path("expires_in_ms").longValue()).isEqualTo(3_600_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                                        | 400 M_MISSING_PARAM
            {"type":"m.login.magic"}                                                  | 400 M_UNKNOWN
            {"type":7}                                                                | 400 M_BAD_JSON
            {"type":"m.login.password","password":"p"}                                | 400 M_MISSING_PARAM
            {"type":"m.login.password","user":"u"}                                    | 400 M_MISSING_PARAM
            {"type":"m.login.password","user":"u","password":1}                       | 400 M_BAD_JSON
            {"type":"m.login.password","identifier":"u","password":"p"}               | 400 M_BAD_JSON
            {"type":"m.login.password","identifier":{"type":"m.id.x"},"password":"p"} | 400 M_UNKNOWN
            {"type":"m.login.password","identifier":{"user":"u"},"password":"p"}      | 400 M_MISSING_PARAM
            {"type":"m.login.password","user":"u","password":"p","device_id":"\\n"}   | 400 M_INVALID_PARAM
            {"type":"m.login.password","user":"u","password":"p","device_id":1}       | 400 M_BAD_JSON
            {"type":"m.login.token"}                                                  | 400 M_MISSING_PARAM
            {"type":"m.login.token","token":"t"}                                      | 403 M_FORBIDDEN
            nonsense                                                                  | 400 M_NOT_JSON
            """)
    void badLoginsAreRefused(String body, String refusal) {
        assertThat(server.call(ALPHA, "POST", LOGIN, body).refusal()).isEqualTo(refusal);
    }

    @Test
    void anotherMethodIsNotAllowed() {
        var answer = server.call(ALPHA, "PUT", LOGIN, "{}");

        assertThat(answer.refusal()).isEqualTo("405 M_UNRECOGNIZED");
        assertThat(answer.raw().headers().firstValue("Allow").orElse("")).contains("GET", "POST");
    }

    private String newUser() {
        String name = AuthServer.name();
        server.register(ALPHA, name, "correct horse");
        return name;
    }

    private Answer loginAs(String name, String device) {
        return login(ALPHA, "\"device_id\":\"%s\",%s".formatted(device, identifier(name)), "correct horse");
    }

    private Answer login(AuthServer.Tenant tenant, String who, String password) {
        return server.call(tenant, "POST", LOGIN, body(who, password));
    }

    private static String body(String who, String password) {
        return "{\"type\":\"m.login.password\",%s,\"password\":\"%s\"}".formatted(who, password);
    }

    private static String identifier(String user) {
        return "\"identifier\":{\"type\":\"m.id.user\",\"user\":\"%s\"}".formatted(user);
    }

    private String state(String token) {
        return server.resolve(ALPHA, token).path("state").stringValue();
    }
}
