// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;
import static rookery.auth.validation.Channels.SERVER;
import static rookery.auth.validation.Channels.SMS;
import static rookery.auth.validation.Channels.atOnce;
import static rookery.auth.validation.Channels.link;
import static rookery.auth.validation.Channels.mailsTo;
import static rookery.auth.validation.Channels.newEmail;
import static rookery.auth.validation.Channels.newPhone;
import static rookery.auth.validation.Channels.requestEmail;
import static rookery.auth.validation.Channels.requestPhone;
import static rookery.auth.validation.Channels.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class RequestTokenIT {
    private static final String REGISTER = "/_api/client/v3/register/email/requestToken";
    private static final String ACCOUNT = "/_api/client/v3/account/3pid/email/requestToken";

    @Test
    void mailCarriesALinkInTextAndHtml() throws Exception {
        String email = newEmail();

        var answer = requestEmail(ALPHA, "register", email, "mail-secret", 1);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().propertyNames()).containsExactly("sid");
        assertThat(answer.text("sid")).matches("[0-9a-zA-Z.=_-]{1,255}");
        var mail = mailsTo(email).getLast();
        assertThat(mail.getFrom()[0]).hasToString("Alpha Chat <chat@alpha.example>");
        assertThat(mail.getSubject()).isEqualTo("Confirm your e-mail address");
        var link = Channels.linkIn(text(mail, "text/plain"));
        assertThat(link.sid()).isEqualTo(answer.text("sid"));
        assertThat(link.token()).as("256 bits").hasSize(43);
        assertThat(link.url())
                .isEqualTo("%s/_api/client/v3/validate/email/submitToken?sid=%s&client_secret=mail-secret&token=%s"
                        .formatted(Channels.BASE, link.sid(), link.token()));
        assertThat(text(mail, "text/html"))
                .contains("href=\"" + link.url().replace("&", "&amp;") + "\"")
                .contains("<b>alpha.example</b>");
    }

    @Test
    void codeIsSentThroughTheProvider() {
        String phone = newPhone();

        var answer = requestPhone(ALPHA, "register", phone.replace("+44", "0"), "secret", 1);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().propertyNames()).containsExactlyInAnyOrder("sid", "submit_url");
        assertThat(answer.text("submit_url")).isEqualTo(Channels.BASE + "/_api/client/v3/validate/msisdn/submitToken");
        var message = SMS.sentTo(phone).getLast();
        assertThat(message.authorization()).isEqualTo("Bearer sms-key-canary");
        assertThat(message.body().path("v").intValue()).isOne();
        assertThat(message.text())
                .isEqualTo("Your code for alpha.example is %s. Tell it to nobody.".formatted(message.code()));
        assertThat(message.code()).matches("[0-9]{6}");
    }

    @Test
    void tenantsHaveSendersAndBaseUrlsOfTheirOwn() throws Exception {
        String email = newEmail();

        requestEmail(BETA, "register", email, "secret", 1);

        var mail = mailsTo(email).getLast();
        assertThat(mail.getFrom()[0]).hasToString("beta@beta.example");
        assertThat(link(email).url()).startsWith("https://beta.example/_api/client/v3/validate/email/submitToken?");
    }

    @Test
    void onlyAGreaterAttemptSendsAnotherMessage() {
        String email = newEmail();
        String sid = requestEmail(ALPHA, "register", email, "secret", 2).text("sid");

        assertThat(requestEmail(ALPHA, "register", email, "secret", 2).text("sid"))
                .isEqualTo(sid);
        assertThat(requestEmail(ALPHA, "register", email, "secret", 1).text("sid"))
                .isEqualTo(sid);
        assertThat(mailsTo(email)).hasSize(1);
        assertThat(requestEmail(ALPHA, "register", email.toUpperCase(java.util.Locale.ROOT), "secret", 3)
                        .text("sid"))
                .as("another spelling of the same address")
                .isEqualTo(sid);
        assertThat(mailsTo(email)).hasSize(2);
    }

    @Test
    void anotherSecretOrPurposeIsAnotherValidation() {
        String email = newEmail();
        String token = SERVER.tokenOfNewUser(ALPHA, AuthServer.name());

        var one = requestEmail(ALPHA, "register", email, "secret", 1);
        var two = requestEmail(ALPHA, "register", email, "other-secret", 1);
        var three = SERVER.call(ALPHA, token, "POST", ACCOUNT, body(email, "secret"));

        assertThat(one.text("sid")).isNotEqualTo(two.text("sid"));
        assertThat(three.status()).isEqualTo(200);
        assertThat(three.text("sid")).isNotIn(one.text("sid"), two.text("sid"), "");
        assertThat(mailsTo(email)).hasSize(3);
    }

    @Test
    void oneAttemptSentManyTimesAtOnceSendsOneMessage() throws Exception {
        String email = newEmail();

        var answers = atOnce(10, () -> requestEmail(ALPHA, "register", email, "secret", 1));

        assertThat(answers).extracting(Answer::status).containsOnly(200);
        assertThat(answers.stream().map(answer -> answer.text("sid")).distinct())
                .hasSize(1);
        assertThat(mailsTo(email)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            email  | {                                                                                    | 400 M_NOT_JSON
            email  | []                                                                                   | 400 M_BAD_JSON
            email  | {}                                                                                   | 400 M_MISSING_PARAM
            email  | {"client_secret":"s","send_attempt":1}                                               | 400 M_MISSING_PARAM
            email  | {"email":"a@b.example","send_attempt":1}                                             | 400 M_MISSING_PARAM
            email  | {"client_secret":"s","email":"a@b.example"}                                          | 400 M_MISSING_PARAM
            email  | {"client_secret":7,"email":"a@b.example","send_attempt":1}                           | 400 M_BAD_JSON
            email  | {"client_secret":"s","email":["a@b.example"],"send_attempt":1}                       | 400 M_BAD_JSON
            email  | {"client_secret":"s","email":"a@b.example","send_attempt":"1"}                       | 400 M_BAD_JSON
            email  | {"client_secret":"s","email":"a@b.example","send_attempt":1.5}                       | 400 M_BAD_JSON
            email  | {"client_secret":"s","email":"a@b.example","send_attempt":0}                         | 400 M_INVALID_PARAM
            email  | {"client_secret":"s","email":"a@b.example","send_attempt":-1}                        | 400 M_INVALID_PARAM
            email  | {"client_secret":"","email":"a@b.example","send_attempt":1}                          | 400 M_INVALID_PARAM
            email  | {"client_secret":"s s","email":"a@b.example","send_attempt":1}                       | 400 M_INVALID_PARAM
            email  | {"client_secret":"s\\u0000","email":"a@b.example","send_attempt":1}                  | 400 M_INVALID_PARAM
            email  | {"client_secret":"s","email":"nobody","send_attempt":1}                              | 400 M_INVALID_PARAM
            email  | {"client_secret":"s","email":"a@b.example\\r\\nBcc: c@d.example","send_attempt":1}   | 400 M_INVALID_PARAM
            email  | {"client_secret":"s","email":"a@b.example,c@d.example","send_attempt":1}             | 400 M_INVALID_PARAM
            email  | {"client_secret":"s","email":"a\\u0000@b.example","send_attempt":1}                  | 400 M_INVALID_PARAM
            email  | {"client_secret":"s","email":"a@b.example","send_attempt":1,"next_link":7}           | 400 M_BAD_JSON
            email  | {"client_secret":"s","email":"a@denied.example","send_attempt":1}                    | 403 M_THREEPID_DENIED
            msisdn | {"client_secret":"s","country":"GB","send_attempt":1}                                | 400 M_MISSING_PARAM
            msisdn | {"client_secret":"s","phone_number":"07700900123","send_attempt":1}                  | 400 M_MISSING_PARAM
            msisdn | {"client_secret":"s","country":"gb","phone_number":"07700900123","send_attempt":1}   | 400 M_INVALID_PARAM
            msisdn | {"client_secret":"s","country":"ZZ","phone_number":"+447700900123","send_attempt":1} | 400 M_INVALID_PARAM
            msisdn | {"client_secret":"s","country":"GB","phone_number":"12","send_attempt":1}            | 400 M_INVALID_PARAM
            msisdn | {"client_secret":"s","country":"GB","phone_number":"nobody","send_attempt":1}        | 400 M_INVALID_PARAM
            msisdn | {"client_secret":"s","country":"GB","phone_number":7700900123,"send_attempt":1}      | 400 M_BAD_JSON
            """)
    void badRequestsAreRefused(String medium, String body, String refusal) {
        assertThat(SERVER.call(ALPHA, "POST", "/_api/client/v3/register/" + medium + "/requestToken", body)
                        .refusal())
                .isEqualTo(refusal);
    }

    @Test
    void registeringNeedsAFreeAddressAndANewPasswordOneThatIsHad() {
        String email = newEmail();
        String token = SERVER.tokenOfNewUser(ALPHA, AuthServer.name());
        assertThat(requestEmail(ALPHA, "account/password", email, "secret", 1).refusal())
                .isEqualTo("400 M_THREEPID_NOT_FOUND");
        assertThat(mailsTo(email)).isEmpty();
        String sid = Channels.validated(ALPHA, email, "secret");
        SERVER.call(ALPHA, token, "POST", "/_api/client/v3/account/3pid", """
                {"sid":"%s","client_secret":"secret"}""".formatted(sid));

        assertThat(requestEmail(ALPHA, "register", email, "another", 1).refusal())
                .isEqualTo("400 M_THREEPID_IN_USE");
        assertThat(SERVER.call(ALPHA, token, "POST", ACCOUNT, body(email, "another"))
                        .refusal())
                .isEqualTo("400 M_THREEPID_IN_USE");
        assertThat(requestEmail(ALPHA, "account/password", email, "another", 1).status())
                .isEqualTo(200);
        assertThat(mailsTo(email).getLast())
                .satisfies(mail -> assertThat(mail.getSubject()).isEqualTo("Set a new password"));
        assertThat(requestEmail(BETA, "register", email, "another", 1).status())
                .as("another tenant knows nothing of it")
                .isEqualTo(200);
    }

    @Test
    void phonesAreAskedForTheSamePurposes() {
        String token = SERVER.tokenOfNewUser(ALPHA, AuthServer.name());
        String phone = newPhone();

        assertThat(requestPhone(ALPHA, "account/password", phone, "secret", 1).refusal())
                .isEqualTo("400 M_THREEPID_NOT_FOUND");
        assertThat(SERVER.call(ALPHA, token, "POST", "/_api/client/v3/account/3pid/msisdn/requestToken", """
                        {"client_secret":"s","country":"GB","phone_number":"%s","send_attempt":1}
                        """.formatted(
                                        phone))
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"email", "msisdn"})
    void addressesOfAccountsAreForWhoIsLoggedIn(String medium) {
        assertThat(requestEmail(ALPHA, "account/3pid", newEmail(), "secret", 1).refusal())
                .isEqualTo("401 M_MISSING_TOKEN");
        assertThat(SERVER.call(ALPHA, "POST", "/_api/client/v3/account/3pid/" + medium + "/requestToken", "{")
                        .refusal())
                .isEqualTo("401 M_MISSING_TOKEN");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://app.example/done?x=1#y      | true
            HTTPS://APP.EXAMPLE/done            | true
            https://alpha.example/              | true
            https://chat.alpha.example/         | true
            http://app.example/                 | false
            https://evil.example/               | false
            https://app.example@evil.example/   | false
            https://evil@app.example/           | false
            https://app.example.evil.example/   | false
            https://app.example%2eevil.example/ | false
            https://beta.example/               | false
            //app.example/                      | false
            /done                               | false
            https:app.example                   | false
            javascript:alert(1)                 | false
            https://app.example/\\              | false
            https://app.example /               | false
            """)
    void nextLinkLeadsOnlyToHostsThatAreTrusted(String link, boolean trusted) {
        String email = newEmail();

        var answer = SERVER.call(ALPHA, "POST", REGISTER, """
                {"client_secret":"s","email":"%s","send_attempt":1,"next_link":"%s"}
                """.formatted(email, link.replace("\\", "\\\\")));

        if (trusted) {
            assertThat(answer.status()).isEqualTo(200);
        } else {
            assertThat(answer.refusal()).isEqualTo("400 M_INVALID_PARAM");
        }
        assertThat(mailsTo(email)).hasSize(trusted ? 1 : 0);
    }

    @Test
    void sixthMessageToAnAddressIsRefused() {
        String email = newEmail();
        for (int i = 1; i <= 5; i++) {
            assertThat(requestEmail(ALPHA, "register", email, "secret", i).status())
                    .isEqualTo(200);
        }

        var refused = requestEmail(ALPHA, "register", email, "secret", 6);
        var fresh = requestEmail(ALPHA, "register", email, "fresh-secret", 1);

        assertThat(refused.refusal()).isEqualTo("429 M_LIMIT_EXCEEDED");
        assertThat(refused.json().path("retry_after_ms").longValue()).isBetween(1L, 3_600_000L);
        assertThat(Integer.parseInt(
                        refused.raw().headers().firstValue("Retry-After").orElseThrow()))
                .isBetween(1, 3600);
        assertThat(fresh.refusal()).isEqualTo("429 M_LIMIT_EXCEEDED");
        assertThat(requestEmail(ALPHA, "register", email, "secret", 5).status())
                .as("nothing is to be sent")
                .isEqualTo(200);
        assertThat(requestEmail(BETA, "register", email, "secret", 1).status()).isEqualTo(200);
        assertThat(mailsTo(email)).hasSize(6);
    }

    @Test
    void messageThatCannotBeSentLeavesTheAttemptForAnotherTry() {
        String email = newEmail();
        try (var cut = AuthServer.shared().another(Channels.settings("--spring.mail.port=1"))) {
            for (int i = 0; i < 6; i++) {
                var refused = cut.call(ALPHA, "POST", REGISTER, body(email, "secret"));
                assertThat(refused.refusal()).isEqualTo("503 M_UNKNOWN");
                assertThat(refused.raw().headers().firstValue("Retry-After")).isPresent();
            }
        }

        var answer = requestEmail(ALPHA, "register", email, "secret", 1);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(mailsTo(email)).hasSize(1);
    }

    @Test
    void attemptWhoseProcessDiedIsSentAgainAfterAWhile() {
        String email = newEmail();
        String sid = requestEmail(ALPHA, "register", email, "secret", 1).text("sid");
        SERVER.database().execute("""
                UPDATE auth.validation SET sent_attempt = 0 WHERE sid = '%s'
                """.formatted(sid));
        requestEmail(ALPHA, "register", email, "secret", 1);
        assertThat(mailsTo(email)).as("it may still be on its way").hasSize(1);

        SERVER.database().execute("""
                UPDATE auth.validation SET claimed_at = claimed_at - interval '31 seconds' WHERE sid = '%s'
                """.formatted(sid));

        assertThat(requestEmail(ALPHA, "register", email, "secret", 1).text("sid"))
                .isEqualTo(sid);
        assertThat(mailsTo(email)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {SmsProvider.BROKEN, SmsProvider.MOVED})
    void providerThatRefusesIsA503(String phone) {
        assertThat(requestPhone(ALPHA, "register", phone, "secret", 1).refusal())
                .isEqualTo("503 M_UNKNOWN");
        assertThat(SMS.wasFollowed()).as("the key goes to no other address").isFalse();
    }

    @Test
    void mediumWithoutAProviderIsNotSupported() {
        var plain = AuthServer.shared();

        for (String purpose : new String[] {"register", "account/password"}) {
            String path = "/_api/client/v3/" + purpose;
            assertThat(plain.call(ALPHA, "POST", path + "/email/requestToken", body(newEmail(), "secret"))
                            .refusal())
                    .isEqualTo("400 M_THREEPID_MEDIUM_NOT_SUPPORTED");
            assertThat(plain.call(ALPHA, "POST", path + "/msisdn/requestToken", """
                            {"client_secret":"s","country":"GB","phone_number":"07700900123","send_attempt":1}
                            """)
                            .refusal())
                    .isEqualTo("400 M_THREEPID_MEDIUM_NOT_SUPPORTED");
        }
    }

    @Test
    void mailsGoToAFolderWhenThereIsNoServerAndTenantsCanDoWithout(@TempDir Path folder) throws Exception {
        var mails = folder.resolve("mail");
        try (var server = AuthServer.shared()
                .another("--rookery.mail.folder=" + mails, "--rookery.tenants[1].settings.mail=false")) {
            assertThat(server.call(ALPHA, "POST", REGISTER, body(newEmail(), "secret"))
                            .status())
                    .isEqualTo(200);
            assertThat(server.call(BETA, "POST", REGISTER, body(newEmail(), "secret"))
                            .refusal())
                    .isEqualTo("400 M_THREEPID_MEDIUM_NOT_SUPPORTED");
        }
        try (var files = Files.list(mails)) {
            assertThat(files.toList()).singleElement().satisfies(file -> {
                assertThat(file.getFileName().toString()).endsWith(".eml");
                assertThat(Files.readString(file)).contains("Subject: Confirm your e-mail address");
            });
        }
    }

    @Test
    void neitherSecretsNorTokensAreStored() throws SQLException {
        String email = newEmail();
        requestEmail(ALPHA, "register", email, "canary-client-secret", 1);
        String token = link(email).token();

        try (var connection = SERVER.database().connect();
                var rows = connection.createStatement().executeQuery("""
                        SELECT count(*) FROM auth.validation AS v
                         WHERE v::text LIKE '%canary-client-secret%' OR v::text LIKE '%TOKEN%'
                            OR position('canary-client-secret'::bytea IN secret_hash) > 0
                        """.replace("TOKEN", token))) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isZero();
        }
    }

    private static String body(String email, String secret) {
        return "{\"client_secret\":\"%s\",\"email\":\"%s\",\"send_attempt\":1}".formatted(secret, email);
    }
}
