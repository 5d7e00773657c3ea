// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;
import static rookery.auth.validation.Channels.SERVER;
import static rookery.auth.validation.Channels.SMS;
import static rookery.auth.validation.Channels.atOnce;
import static rookery.auth.validation.Channels.link;
import static rookery.auth.validation.Channels.newEmail;
import static rookery.auth.validation.Channels.newPhone;
import static rookery.auth.validation.Channels.requestEmail;
import static rookery.auth.validation.Channels.requestPhone;
import static rookery.auth.validation.Channels.submit;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.auth.AuthServer.Answer;
import rookery.auth.validation.Channels.Link;

class SubmitTokenIT {
    private static final String EMAIL = "/_api/client/v3/validate/email/submitToken";
    private static final String PHONE = "/_api/client/v3/validate/msisdn/submitToken";
    private static final String FORM = "application/x-www-form-urlencoded";

    @Test
    void onlyTheButtonOfThePageValidates() throws SQLException {
        var link = requested(newEmail());

        var page = SERVER.page(ALPHA, "GET", link.path(), null, null);

        assertThat(page.statusCode()).isEqualTo(200);
        assertGuarded(page);
        assertThat(page.body())
                .contains("<form method=\"post\" action=\"submitToken\">")
                .contains("<b>alpha.example</b>")
                .contains("name=\"token\" value=\"" + link.token() + "\"")
                .doesNotContain("th:");
        assertThat(isValidated(link)).isFalse();
        var pressed = SERVER.page(ALPHA, "POST", EMAIL, FORM, form(link) + "&page=true");
        assertThat(pressed.statusCode()).isEqualTo(200);
        assertThat(pressed.body()).contains("Your e-mail address is confirmed");
        assertGuarded(pressed);
        assertThat(isValidated(link)).isTrue();
        assertThat(SERVER.page(ALPHA, "GET", link.path(), null, null).statusCode())
                .as("the link is opened again")
                .isEqualTo(200);
    }

    @Test
    void buttonLeadsToTheNextLink() {
        String email = newEmail();
        SERVER.call(ALPHA, "POST", "/_api/client/v3/register/email/requestToken", """
                {"client_secret":"secret","email":"%s","send_attempt":1,"next_link":"https://app.example/d\u00f6ne?a=%%3C"}
                """.formatted(email));
        var link = link(email);
        assertThat(link.url()).doesNotContain("app.example");

        for (int i = 0; i < 2; i++) {
            var pressed = SERVER.page(ALPHA, "POST", EMAIL, FORM, form(link) + "&page=true");

            assertThat(pressed.statusCode()).isEqualTo(302);
            assertThat(pressed.headers().firstValue("Location")).contains("https://app.example/d%C3%B6ne?a=%3C");
            assertThat(pressed.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        }
        assertThat(submit(ALPHA, "email", link.sid(), "secret", link.token())
                        .raw()
                        .body())
                .as("programs get JSON")
                .isEqualTo("{\"success\":true}");
    }

    @Test
    void jsonAndFormsAreTakenAndRepeated() {
        var link = requested(newEmail());

        for (int i = 0; i < 2; i++) {
            assertThat(submit(ALPHA, "email", link.sid(), "secret", link.token())
                            .raw()
                            .body())
                    .isEqualTo("{\"success\":true}");
            assertThat(SERVER.page(ALPHA, "POST", EMAIL, FORM + "; charset=utf-8", form(link))
                            .body())
                    .isEqualTo("{\"success\":true}");
            assertThat(SERVER.page(ALPHA, "POST", EMAIL, FORM, json(link.sid(), "secret", link.token()))
                            .body())
                    .as("curl says that all is a form")
                    .isEqualTo("{\"success\":true}");
        }
    }

    @Test
    void codesAreTakenAsJsonAndForms() {
        String phone = newPhone();
        String sid = requestPhone(ALPHA, "register", phone, "secret", 1).text("sid");
        var code = new Link(sid, SMS.sentTo(phone).getLast().code(), "");

        assertThat(SERVER.page(ALPHA, "POST", PHONE, FORM, form(code)).body()).isEqualTo("{\"success\":true}");
        assertThat(submit(ALPHA, "msisdn", sid, "secret", code.token()).raw().body())
                .isEqualTo("{\"success\":true}");
    }

    @Test
    void linkOfAnEarlierMailStaysGood() {
        String email = newEmail();
        requestEmail(ALPHA, "register", email, "secret", 1);
        var first = link(email);
        requestEmail(ALPHA, "register", email, "secret", 2);

        assertThat(link(email).token()).isNotEqualTo(first.token());
        assertThat(submit(ALPHA, "email", first.sid(), "secret", first.token()).status())
                .isEqualTo(200);
    }

    @Test
    void whatDoesNotFitIsIncorrect() throws SQLException {
        var link = requested(newEmail());
        String sid = link.sid();

        assertThat(submit(ALPHA, "email", sid, "secret", "wrong").refusal()).isEqualTo("400 M_TOKEN_INCORRECT");
        assertThat(submit(ALPHA, "email", sid, "secret", "").refusal()).isEqualTo("400 M_TOKEN_INCORRECT");
        assertThat(submit(ALPHA, "email", sid, "other", link.token()).refusal()).isEqualTo("400 M_TOKEN_INCORRECT");
        assertThat(submit(ALPHA, "email", "unknown", "secret", link.token()).refusal())
                .isEqualTo("400 M_TOKEN_INCORRECT");
        assertThat(submit(ALPHA, "msisdn", sid, "secret", link.token()).refusal())
                .isEqualTo("400 M_TOKEN_INCORRECT");
        assertThat(submit(BETA, "email", sid, "secret", link.token()).refusal()).isEqualTo("400 M_TOKEN_INCORRECT");
        assertThat(submit(ALPHA, "email", sid, "secret", "\\u0000").refusal()).isEqualTo("400 M_TOKEN_INCORRECT");
        assertThat(submit(ALPHA, "email", sid, "secret", "\\ud800").refusal()).isEqualTo("400 M_BAD_JSON");
        assertThat(isValidated(link)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {                                                 | 400 M_NOT_JSON
            []                                                | 400 M_BAD_JSON
            {}                                                | 400 M_MISSING_PARAM
            {"sid":"s","client_secret":"s"}                   | 400 M_MISSING_PARAM
            {"sid":"s","token":"t"}                           | 400 M_MISSING_PARAM
            {"client_secret":"s","token":"t"}                 | 400 M_MISSING_PARAM
            {"sid":7,"client_secret":"s","token":"t"}         | 400 M_BAD_JSON
            {"sid":"s","client_secret":"s","token":123456}    | 400 M_BAD_JSON
            {"sid":"","client_secret":"s","token":"t"}        | 400 M_INVALID_PARAM
            {"sid":"s s","client_secret":"s","token":"t"}     | 400 M_INVALID_PARAM
            {"sid":"s","client_secret":"\u00e4","token":"t"}  | 400 M_INVALID_PARAM
            """)
    void badSubmissionsAreRefused(String body, String refusal) {
        assertThat(SERVER.call(ALPHA, "POST", EMAIL, body).refusal()).isEqualTo(refusal);
        assertThat(SERVER.call(ALPHA, "POST", PHONE, body).refusal()).isEqualTo(refusal);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sid=s&client_secret=s             | 400 M_MISSING_PARAM
            =&&&sid                           | 400 M_MISSING_PARAM
            sid=%zz&client_secret=s&token=t   | 400 M_INVALID_PARAM
            sid=%ff&client_secret=s&token=t   | 400 M_INVALID_PARAM
            """)
    void badFormsAreRefused(String form, String refusal) {
        assertThat(SERVER.page(ALPHA, "POST", PHONE, FORM, form).body()).contains("\"" + refusal.substring(4) + "\"");
    }

    @Test
    void bodyOfNothingLacksTheFields() {
        assertThat(SERVER.call(ALPHA, "POST", EMAIL, null).refusal()).isEqualTo("400 M_MISSING_PARAM");
        assertThat(SERVER.call(ALPHA, "POST", PHONE, "x".repeat(2 << 20)).refusal())
                .isEqualTo("413 M_TOO_LARGE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?sid=s&client_secret=s",
                "?sid=s&client_secret=s&token=t",
                "?sid=s&sid=s&client_secret=s&token=t",
                "?sid=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&client_secret=s&token=t",
                "?sid=s&client_secret=s&token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
                "?sid=s&client_secret=%00&token=%00",
                "?sid=%ff&client_secret=s&token=%ff"
            })
    void linkThatDoesNotWorkShowsAPage(String query) {
        var page = SERVER.page(ALPHA, "GET", EMAIL + query, null, null);

        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body()).contains("This did not work").doesNotContain("<script", "alert(1)");
        assertGuarded(page);
    }

    @Test
    void buttonThatDoesNotWorkShowsAPage() {
        var link = requested(newEmail());

        var page = SERVER.page(ALPHA, "POST", EMAIL, FORM, form(new Link(link.sid(), "<b>", "")) + "&page=true");
        var nothing = SERVER.page(ALPHA, "POST", EMAIL, FORM, "page=true");

        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body()).contains("This did not work");
        assertThat(nothing.statusCode()).isEqualTo(400);
        assertGuarded(nothing);
    }

    @Test
    void validationEndsAfterADay() {
        var link = requested(newEmail());
        SERVER.database().execute("""
                UPDATE auth.validation SET created_at = created_at - interval '24 hours 1 second' WHERE sid = '%s'
                """.formatted(link.sid()));

        assertThat(submit(ALPHA, "email", link.sid(), "secret", link.token()).refusal())
                .isEqualTo("400 M_SESSION_EXPIRED");
        assertThat(SERVER.page(ALPHA, "GET", link.path(), null, null).statusCode())
                .isEqualTo(400);
    }

    @Test
    void endedValidationIsReplacedByAnother() {
        String email = newEmail();
        var link = requested(email);
        SERVER.database().execute("""
                UPDATE auth.validation SET created_at = created_at - interval '24 hours 1 second' WHERE sid = '%s'
                """.formatted(link.sid()));

        var answer = requestEmail(ALPHA, "register", email, "secret", 1);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("sid"))
                .isNotEqualTo(link.sid())
                .isEqualTo(link(email).sid());
    }

    @Test
    void fiveWrongCodesEndTheValidation() {
        String phone = newPhone();
        String sid = requestPhone(ALPHA, "register", phone, "secret", 1).text("sid");
        String code = SMS.sentTo(phone).getLast().code();

        for (int i = 0; i < 5; i++) {
            assertThat(submit(ALPHA, "msisdn", sid, "secret", wrong(code)).refusal())
                    .isEqualTo("400 M_TOKEN_INCORRECT");
        }

        assertThat(submit(ALPHA, "msisdn", sid, "secret", code).refusal()).isEqualTo("400 M_SESSION_EXPIRED");
        var again = requestPhone(ALPHA, "register", phone, "secret", 1);
        assertThat(again.text("sid")).isNotEqualTo(sid);
        assertThat(SMS.sentTo(phone)).hasSize(2);
    }

    @Test
    void guessesAtTheSameTimeAllCount() throws Exception {
        String phone = newPhone();
        String sid = requestPhone(ALPHA, "register", phone, "secret", 1).text("sid");
        String wrong = wrong(SMS.sentTo(phone).getLast().code());

        var answers = atOnce(20, () -> submit(ALPHA, "msisdn", sid, "secret", wrong));

        assertThat(answers)
                .filteredOn(answer -> answer.refusal().equals("400 M_TOKEN_INCORRECT"))
                .hasSize(5);
        assertThat(answers)
                .filteredOn(answer -> answer.refusal().equals("400 M_SESSION_EXPIRED"))
                .hasSize(15);
    }

    @Test
    void rightTokenAtTheSameTimeIsRightForAll() throws Exception {
        var link = requested(newEmail());

        var answers = atOnce(10, () -> submit(ALPHA, "email", link.sid(), "secret", link.token()));

        assertThat(answers).extracting(Answer::status).containsOnly(200);
    }

    @Test
    void codeIsGoodForTenMinutesAndOnlyTheNewestOne() {
        String phone = newPhone();
        String sid = requestPhone(ALPHA, "register", phone, "secret", 1).text("sid");
        String first = SMS.sentTo(phone).getLast().code();
        SERVER.database().execute("""
                UPDATE auth.validation SET token_at = token_at - interval '10 minutes 1 second' WHERE sid = '%s'
                """.formatted(sid));
        assertThat(submit(ALPHA, "msisdn", sid, "secret", first).refusal()).isEqualTo("400 M_SESSION_EXPIRED");

        assertThat(requestPhone(ALPHA, "register", phone, "secret", 2).text("sid"))
                .isEqualTo(sid);
        String second = SMS.sentTo(phone).getLast().code();
        if (!first.equals(second)) {
            assertThat(submit(ALPHA, "msisdn", sid, "secret", first).refusal()).isEqualTo("400 M_TOKEN_INCORRECT");
        }
        assertThat(submit(ALPHA, "msisdn", sid, "secret", second).status()).isEqualTo(200);
        assertThat(submit(ALPHA, "msisdn", sid, "secret", wrong(second)).refusal())
                .isEqualTo("400 M_TOKEN_INCORRECT");
    }

    private static Link requested(String email) {
        requestEmail(ALPHA, "register", email, "secret", 1);
        return link(email);
    }

    private static String json(String sid, String secret, String token) {
        return "{\"sid\":\"%s\",\"client_secret\":\"%s\",\"token\":\"%s\"}".formatted(sid, secret, token);
    }

    private static String form(Link link) {
        return "sid=" + link.sid() + "&client_secret=secret&token="
                + URLEncoder.encode(link.token(), StandardCharsets.UTF_8);
    }

    private static String wrong(String code) {
        return (code.startsWith("0") ? "1" : "0") + code.substring(1);
    }

    private static void assertGuarded(HttpResponse<String> page) {
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html;charset=UTF-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("default-src 'none';");
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(page.headers().firstValue("Referrer-Policy")).contains("no-referrer");
    }

    private static boolean isValidated(Link link) throws SQLException {
        try (var connection = SERVER.database().connect();
                var rows = connection
                        .createStatement()
                        .executeQuery("SELECT validated_at IS NOT NULL FROM auth.validation WHERE sid = '%s'"
                                .formatted(link.sid()))) {
            assertThat(rows.next()).isTrue();
            return rows.getBoolean(1);
        }
    }
}
