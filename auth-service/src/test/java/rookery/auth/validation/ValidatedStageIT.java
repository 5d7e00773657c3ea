// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.validation.Channels.SERVER;
import static rookery.auth.validation.Channels.SMS;
import static rookery.auth.validation.Channels.link;
import static rookery.auth.validation.Channels.newEmail;
import static rookery.auth.validation.Channels.newPhone;
import static rookery.auth.validation.Channels.requestEmail;
import static rookery.auth.validation.Channels.requestPhone;
import static rookery.auth.validation.Channels.submit;
import static rookery.auth.validation.Channels.validated;

import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class ValidatedStageIT {
    private static final String THREEPIDS = "/_api/client/v3/account/3pid";
    private static final String PASSWORD = "/_api/client/v3/account/password";
    private static final String REGISTER = "/_api/client/v3/register";

    private final String name = AuthServer.name();
    private final Answer session = SERVER.register(ALPHA, name, "correct horse");

    @Test
    void addressIsAddedWithThePassword() {
        String email = newEmail();
        String body = "{\"sid\":\"%s\",\"client_secret\":\"secret\"}".formatted(validated(ALPHA, email, "secret"));

        var answer = SERVER.withPassword(ALPHA, session, "POST", THREEPIDS + "/add", body);
        var again = SERVER.withPassword(ALPHA, session, "POST", THREEPIDS + "/add", body);

        assertThat(answer.raw().body()).isEqualTo("{}");
        assertThat(again.raw().body()).as("one's own").isEqualTo("{}");
        assertThat(list().json().path("threepids").path(0).path("address").stringValue())
                .isEqualTo(email);
    }

    @Test
    void whatIsNotValidatedIsNotAddedWithThePassword() {
        String sid = requestEmail(ALPHA, "register", newEmail(), "secret", 1).text("sid");
        String body = "{\"sid\":\"%s\",\"client_secret\":\"secret\"}".formatted(sid);

        assertThat(SERVER.withPassword(ALPHA, session, "POST", THREEPIDS + "/add", body)
                        .refusal())
                .isEqualTo("403 M_THREEPID_AUTH_FAILED");
    }

    @Test
    void addressSetsANewPasswordOnce() {
        String email = added();
        String sid = requestEmail(ALPHA, "account/password", email, "reset", 1).text("sid");
        assertThat(reset("m.login.email.identity", sid, "another horse").refusal())
                .as("nobody has opened the link")
                .isEqualTo("401 M_FORBIDDEN");
        submit(ALPHA, "email", sid, "reset", link(email).token());

        assertThat(reset("m.login.msisdn", sid, "another horse").status()).isEqualTo(401);
        assertThat(reset("m.login.email.identity", sid, "another horse").status())
                .isEqualTo(200);
        assertThat(reset("m.login.email.identity", sid, "a third horse").refusal())
                .isEqualTo("401 M_FORBIDDEN");
        assertThat(login("correct horse").refusal()).isEqualTo("403 M_FORBIDDEN");
        assertThat(login("another horse").status()).isEqualTo(200);
    }

    @Test
    void phoneSetsANewPassword() {
        String phone = newPhone();
        String sid = requestPhone(ALPHA, "register", phone, "secret", 1).text("sid");
        submit(ALPHA, "msisdn", sid, "secret", SMS.sentTo(phone).getLast().code());
        SERVER.call(ALPHA, session.text("access_token"), "POST", THREEPIDS, """
                {"sid":"%s","client_secret":"secret"}""".formatted(sid));
        String reset =
                requestPhone(ALPHA, "account/password", phone, "reset", 1).text("sid");
        submit(ALPHA, "msisdn", reset, "reset", SMS.sentTo(phone).getLast().code());

        assertThat(reset("m.login.msisdn", reset, "another horse").status()).isEqualTo(200);
        assertThat(login("another horse").status()).isEqualTo(200);
    }

    @Test
    void validationForAnotherPurposeSetsNoPassword() {
        String email = newEmail();
        String sid = validated(ALPHA, email, "reset");
        SERVER.call(ALPHA, session.text("access_token"), "POST", THREEPIDS, """
                {"sid":"%s","client_secret":"reset"}""".formatted(sid));

        assertThat(reset("m.login.email.identity", sid, "another horse").refusal())
                .isEqualTo("401 M_FORBIDDEN");
    }

    @Test
    void registrationTakesAValidatedAddressOnce() {
        try (var server = AuthServer.shared().another(Channels.settings("--rookery.auth.registration.mode=email"))) {
            String email = newEmail();
            String sid = validated(ALPHA, email, "secret");
            var first = registered(server, sid, "threepid_creds");
            var second = registered(server, sid, "threepidCreds");

            assertThat(first.status()).isEqualTo(200);
            assertThat(second.refusal()).isEqualTo("401 M_FORBIDDEN");
            assertThat(server.call(ALPHA, first.text("access_token"), "GET", THREEPIDS, null)
                            .json()
                            .path("threepids")
                            .path(0)
                            .path("address")
                            .stringValue())
                    .isEqualTo(email);
            assertThat(requestEmail(ALPHA, "register", email, "another", 1).refusal())
                    .isEqualTo("400 M_THREEPID_IN_USE");
        }
    }

    @Test
    void credentialsOfTheStageAreChecked() {
        String start = "{\"new_password\":\"another horse\",\"auth\":{\"type\":\"m.login.email.identity\"";

        assertThat(SERVER.call(ALPHA, "POST", PASSWORD, start + "}}").refusal()).isEqualTo("400 M_MISSING_PARAM");
        assertThat(SERVER.call(ALPHA, "POST", PASSWORD, start + ",\"threepid_creds\":{\"sid\":\"s\"}}}")
                        .refusal())
                .isEqualTo("400 M_MISSING_PARAM");
        assertThat(SERVER.call(ALPHA, "POST", PASSWORD, start + ",\"threepid_creds\":7}}")
                        .refusal())
                .isEqualTo("400 M_BAD_JSON");
    }

    private String added() {
        String email = newEmail();
        SERVER.call(ALPHA, session.text("access_token"), "POST", THREEPIDS, """
                {"sid":"%s","client_secret":"secret"}""".formatted(
                        validated(ALPHA, email, "secret")));
        return email;
    }

    private Answer list() {
        return SERVER.call(ALPHA, session.text("access_token"), "GET", THREEPIDS, null);
    }

    private Answer login(String password) {
        return SERVER.call(ALPHA, "POST", "/_api/client/v3/login", """
                {"type":"m.login.password","user":"%s","password":"%s"}""".formatted(name, password));
    }

    private static Answer reset(String stage, String sid, String password) {
        return SERVER.call(ALPHA, "POST", PASSWORD, """
                {"new_password":"%s","auth":{"type":"%s","threepid_creds":{"sid":"%s","client_secret":"reset"}}}
                """.formatted(password, stage, sid));
    }

    private static Answer registered(AuthServer server, String sid, String field) {
        String fields = "\"username\":\"%s\",\"password\":\"correct horse\"".formatted(AuthServer.name());
        String id = server.call(ALPHA, "POST", REGISTER, "{" + fields + "}").text("session");
        return server.call(ALPHA, "POST", REGISTER, """
                {%s,"auth":{"type":"m.login.email.identity","session":"%s","%s":{"sid":"%s","client_secret":"secret"}}}
                """.formatted(fields, id, field, sid));
    }
}
