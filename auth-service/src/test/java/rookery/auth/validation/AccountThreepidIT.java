// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;
import static rookery.auth.validation.Channels.SERVER;
import static rookery.auth.validation.Channels.SMS;
import static rookery.auth.validation.Channels.atOnce;
import static rookery.auth.validation.Channels.newEmail;
import static rookery.auth.validation.Channels.newPhone;
import static rookery.auth.validation.Channels.requestEmail;
import static rookery.auth.validation.Channels.requestPhone;
import static rookery.auth.validation.Channels.submit;
import static rookery.auth.validation.Channels.validated;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class AccountThreepidIT {
    private static final String THREEPIDS = "/_api/client/v3/account/3pid";

    private final String token = SERVER.tokenOfNewUser(ALPHA, AuthServer.name());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"three_pid_creds\":{\"sid\":\"%s\",\"client_secret\":\"secret\",\"id_server\":\"x\"}}",
                "{\"threePidCreds\":{\"sid\":\"%s\",\"client_secret\":\"secret\"}}",
                "{\"sid\":\"%s\",\"client_secret\":\"secret\",\"id_access_token\":\"x\"}"
            })
    void validatedAddressIsAddedInAnyForm(String body) {
        String email = newEmail();
        long before = System.currentTimeMillis();
        String sid = validated(ALPHA, email, "secret");

        var answer = post(token, "", body.formatted(sid));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.raw().body()).isEqualTo("{}");
        var entry = list(token).json().path("threepids").path(0);
        assertThat(entry.propertyNames()).containsExactlyInAnyOrder("medium", "address", "validated_at", "added_at");
        assertThat(entry.path("medium").stringValue()).isEqualTo("email");
        assertThat(entry.path("address").stringValue()).isEqualTo(email);
        assertThat(entry.path("validated_at").longValue()).isBetween(before, System.currentTimeMillis());
        assertThat(entry.path("added_at").longValue())
                .isBetween(entry.path("validated_at").longValue(), System.currentTimeMillis());
    }

    @Test
    void phoneIsAdded() {
        String phone = newPhone();
        String sid = requestPhone(ALPHA, "register", phone, "secret", 1).text("sid");
        submit(ALPHA, "msisdn", sid, "secret", SMS.sentTo(phone).getLast().code());

        assertThat(add(token, sid).status()).isEqualTo(200);
        assertThat(addresses(token)).containsExactly(phone.substring(1));
    }

    @Test
    void accountWithoutAddressesHasAnEmptyList() {
        assertThat(list(token).raw().body()).isEqualTo("{\"threepids\":[]}");
    }

    @Test
    void addingOnesOwnAgainChangesNothing() {
        String email = newEmail();
        String sid = validated(ALPHA, email, "secret");
        add(token, sid);
        var before = list(token);

        assertThat(add(token, sid).raw().body()).as("the reply was lost").isEqualTo("{}");
        assertThat(list(token).json()).isEqualTo(before.json());
    }

    @Test
    void whatIsNotValidatedIsNotAdded() {
        String email = newEmail();
        String pending = requestEmail(ALPHA, "register", email, "secret", 1).text("sid");
        String other = validated(ALPHA, newEmail(), "other-secret");
        String elsewhere = validated(BETA, newEmail(), "secret");

        for (String sid : List.of(pending, other, elsewhere, "unknown")) {
            assertThat(add(token, sid).refusal()).isEqualTo("403 M_THREEPID_AUTH_FAILED");
            assertThat(post(token, "/bind", creds(sid)).refusal()).isEqualTo("403 M_THREEPID_AUTH_FAILED");
        }
        assertThat(addresses(token)).isEmpty();
    }

    @Test
    void validationForAPasswordAddsNothing() {
        String email = newEmail();
        add(token, validated(ALPHA, email, "secret"));
        String sid = requestEmail(ALPHA, "account/password", email, "secret", 1).text("sid");
        submit(ALPHA, "email", sid, "secret", Channels.link(email).token());

        assertThat(add(token, sid).refusal()).isEqualTo("403 M_THREEPID_AUTH_FAILED");
    }

    @Test
    void validationIsUsedOnce() {
        String email = newEmail();
        String other = SERVER.tokenOfNewUser(ALPHA, AuthServer.name());
        String sid = validated(ALPHA, email, "secret");
        add(token, sid);

        assertThat(add(other, sid).refusal()).isEqualTo("403 M_THREEPID_AUTH_FAILED");
        post(token, "/delete", pair("email", email));
        assertThat(add(other, sid).refusal()).isEqualTo("403 M_THREEPID_AUTH_FAILED");
        assertThat(add(token, sid).refusal()).isEqualTo("403 M_THREEPID_AUTH_FAILED");
        assertThat(addresses(token)).isEmpty();
    }

    @Test
    void validationEndsAfterADay() {
        String sid = validated(ALPHA, newEmail(), "secret");
        SERVER.database().execute("""
                UPDATE auth.validation SET created_at = created_at - interval '24 hours 1 second' WHERE sid = '%s'
                """.formatted(sid));

        assertThat(add(token, sid).refusal()).isEqualTo("400 M_SESSION_EXPIRED");
        assertThat(post(token, "/bind", creds(sid)).refusal()).isEqualTo("400 M_SESSION_EXPIRED");
    }

    @Test
    void addressOfAnotherAccountIsInUse() {
        String email = newEmail();
        String other = SERVER.tokenOfNewUser(ALPHA, AuthServer.name());
        String first = validated(ALPHA, email, "secret");
        String second =
                requestEmail(ALPHA, "register", email, "second-secret", 1).text("sid");
        submit(ALPHA, "email", second, "second-secret", Channels.link(email).token());
        add(token, first);

        var refused = post(other, "", "{\"sid\":\"%s\",\"client_secret\":\"second-secret\"}".formatted(second));

        assertThat(refused.refusal()).isEqualTo("400 M_THREEPID_IN_USE");
        post(token, "/delete", pair("email", email));
        assertThat(post(other, "", "{\"sid\":\"%s\",\"client_secret\":\"second-secret\"}".formatted(second))
                        .status())
                .as("the refusal has not used it up")
                .isEqualTo(200);
    }

    @Test
    void oneOfManyAccountsGetsTheAddress() throws Exception {
        String email = newEmail();
        String sid = validated(ALPHA, email, "secret");
        var tokens = new ConcurrentLinkedQueue<String>();
        for (int i = 0; i < 5; i++) {
            tokens.add(SERVER.tokenOfNewUser(ALPHA, AuthServer.name()));
        }

        var answers = atOnce(5, () -> add(tokens.remove(), sid));

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 200)
                .extracting(Answer::refusal)
                .containsOnly("403 M_THREEPID_AUTH_FAILED");
    }

    @Test
    void sameAddressBelongsToAnAccountOfEachTenant() {
        String email = newEmail();
        String other = SERVER.tokenOfNewUser(BETA, AuthServer.name());
        add(token, validated(ALPHA, email, "secret"));
        String sid = validated(BETA, email, "secret");

        assertThat(SERVER.call(BETA, other, "POST", THREEPIDS, creds(sid)).status())
                .isEqualTo(200);
        SERVER.call(BETA, other, "POST", THREEPIDS + "/delete", pair("email", email));
        assertThat(addresses(token)).containsExactly(email);
    }

    @Test
    void deletingAnswersTheSameWhoeverHasIt() {
        String email = newEmail();
        String other = SERVER.tokenOfNewUser(ALPHA, AuthServer.name());
        add(token, validated(ALPHA, email, "secret"));

        for (String body : List.of(
                pair("email", email),
                pair("email", newEmail()),
                pair("email", "nonsense"),
                pair("pigeon", "x"),
                pair("msisdn", "447700900123"))) {
            assertThat(post(other, "/delete", body).raw().body())
                    .isEqualTo("{\"id_server_unbind_result\":\"no-support\"}");
        }
        assertThat(addresses(token)).containsExactly(email);
        assertThat(post(token, "/delete", pair("email", email.toUpperCase(java.util.Locale.ROOT)))
                        .raw()
                        .body())
                .isEqualTo("{\"id_server_unbind_result\":\"no-support\"}");
        assertThat(addresses(token)).isEmpty();
    }

    @Test
    void bindingAddsAndUnbindingKeeps() {
        String email = newEmail();
        String sid = validated(ALPHA, email, "secret");

        assertThat(post(token, "/bind", creds(sid)).raw().body()).isEqualTo("{}");
        assertThat(post(token, "/bind", creds(sid)).raw().body()).as("again").isEqualTo("{}");
        assertThat(add(token, sid).raw().body()).isEqualTo("{}");
        assertThat(addresses(token)).containsExactly(email);
        assertThat(post(token, "/unbind", pair("email", email)).text("id_server_unbind_result"))
                .isEqualTo("success");
        assertThat(post(token, "/unbind", pair("email", email)).text("id_server_unbind_result"))
                .isEqualTo("no-support");
        assertThat(addresses(token)).containsExactly(email);
    }

    @Test
    void addedAddressIsBoundWithTheSameValidation() {
        String email = newEmail();
        String other = SERVER.tokenOfNewUser(ALPHA, AuthServer.name());
        String sid = validated(ALPHA, email, "secret");
        add(token, sid);

        assertThat(post(other, "/bind", creds(sid)).refusal()).isEqualTo("403 M_THREEPID_AUTH_FAILED");
        assertThat(post(token, "/bind", creds(sid)).status()).isEqualTo(200);
        assertThat(post(other, "/unbind", pair("email", email)).text("id_server_unbind_result"))
                .isEqualTo("no-support");
        assertThat(post(token, "/unbind", pair("email", email)).text("id_server_unbind_result"))
                .isEqualTo("success");
    }

    @Test
    void onlyThisServerBinds() {
        String sid = validated(ALPHA, newEmail(), "secret");
        String body = "{\"sid\":\"%s\",\"client_secret\":\"secret\",\"id_server\":\"%s\"}";

        assertThat(post(token, "/bind", body.formatted(sid, "evil.example")).refusal())
                .isEqualTo("400 M_SERVER_NOT_TRUSTED");
        assertThat(post(token, "/bind", body.formatted(sid, "beta.example")).refusal())
                .isEqualTo("400 M_SERVER_NOT_TRUSTED");
        assertThat(post(token, "/bind", body.formatted(sid, "ALPHA.example:443"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void addingInTheStandardWayAsksForThePassword() {
        String sid = validated(ALPHA, newEmail(), "secret");

        var answer = post(token, "/add", creds(sid));

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.json().path("flows").toString()).isEqualTo("[{\"stages\":[\"m.login.password\"]}]");
        assertThat(answer.text("session")).isNotEmpty();
        assertThat(addresses(token)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /delete | {"medium":"email"}                              | 400 M_MISSING_PARAM
            /delete | {"address":"a@b.example"}                       | 400 M_MISSING_PARAM
            /delete | {"medium":7,"address":"a@b.example"}            | 400 M_BAD_JSON
            /unbind | {"medium":"email"}                              | 400 M_MISSING_PARAM
            /unbind | {}                                              | 400 M_MISSING_PARAM
            /add    | {"sid":"s"}                                     | 400 M_MISSING_PARAM
            /add    | {"sid":"s","client_secret":""}                  | 400 M_INVALID_PARAM
            /add    | {"sid":"s","client_secret":"s","auth":7}        | 400 M_BAD_JSON
            /bind   | {"sid":"s"}                                     | 400 M_MISSING_PARAM
            /bind   | {"client_secret":"s"}                           | 400 M_MISSING_PARAM
            /bind   | {"sid":"s","client_secret":"s","id_server":7}   | 400 M_BAD_JSON
            ``      | {}                                              | 400 M_MISSING_PARAM
            ``      | {"three_pid_creds":{}}                          | 400 M_MISSING_PARAM
            ``      | {"three_pid_creds":{"sid":"s"}}                 | 400 M_MISSING_PARAM
            ``      | {"three_pid_creds":"s"}                         | 400 M_BAD_JSON
            ``      | {"sid":"s/s","client_secret":"s"}               | 400 M_INVALID_PARAM
            ``      | {"sid":["s"],"client_secret":"s"}               | 400 M_BAD_JSON
            ``      | {                                               | 400 M_NOT_JSON
            """)
    void badRequestsAreRefused(String path, String body, String refusal) {
        assertThat(post(token, path, body).refusal()).isEqualTo(refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/add", "/delete", "/bind", "/unbind"})
    void addressesNeedAToken(String path) {
        assertThat(SERVER.call(ALPHA, "POST", THREEPIDS + path, "{").refusal()).isEqualTo("401 M_MISSING_TOKEN");
        assertThat(SERVER.call(ALPHA, "GET", THREEPIDS, null).refusal()).isEqualTo("401 M_MISSING_TOKEN");
    }

    @Test
    void tenantMayKeepItsAddresses() {
        String email = newEmail();
        String sid = validated(ALPHA, email, "secret");
        try (var strict = AuthServer.shared().another("--rookery.tenants[0].settings.address-changes=false")) {
            for (String path : List.of("", "/add", "/bind")) {
                assertThat(strict.call(ALPHA, token, "POST", THREEPIDS + path, creds(sid))
                                .refusal())
                        .isEqualTo("403 M_FORBIDDEN");
            }
            assertThat(strict.call(ALPHA, token, "POST", THREEPIDS + "/delete", pair("email", email))
                            .refusal())
                    .isEqualTo("403 M_FORBIDDEN");
            assertThat(strict.call(ALPHA, token, "POST", THREEPIDS + "/delete", "{}")
                            .refusal())
                    .isEqualTo("400 M_MISSING_PARAM");
        }
        assertThat(add(token, sid).status()).isEqualTo(200);
    }

    private static Answer add(String token, String sid) {
        return post(token, "", creds(sid));
    }

    private static Answer post(String token, String path, String body) {
        return SERVER.call(ALPHA, token, "POST", THREEPIDS + path, body);
    }

    private static Answer list(String token) {
        return SERVER.call(ALPHA, token, "GET", THREEPIDS, null);
    }

    private static List<String> addresses(String token) {
        return list(token).json().path("threepids").values().stream()
                .map(entry -> entry.path("address").stringValue())
                .toList();
    }

    private static String creds(String sid) {
        return "{\"sid\":\"%s\",\"client_secret\":\"secret\"}".formatted(sid);
    }

    private static String pair(String medium, String address) {
        return "{\"medium\":\"%s\",\"address\":\"%s\"}".formatted(medium, address);
    }
}
