// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** Addresses and phone numbers, from the message to what they are good for, through the gateway (contract.md 7, 8.2). */
@OnOneJvm
class ThreepidsE2E {
    private static final String SECRET = "secret-of-the-client";
    private static final String ACCOUNT = "/v3/account/3pid";
    private static final String SUBMIT_EMAIL = "/v3/validate/email/submitToken";
    private static final String SUBMIT_PHONE = "/v3/validate/msisdn/submitToken";
    private static final int MESSAGES_MAX = 5;
    private static final int TRIES_MAX = 5;

    private final Rookery rookery;
    private final SmsInbox sms;
    private final Mailbox mailbox;
    private Http http;
    private Session ada;
    private String address;

    ThreepidsE2E(Rookery rookery, SmsInbox sms) {
        this.rookery = rookery;
        this.sms = sms;
        this.mailbox = new Mailbox(rookery);
    }

    @BeforeEach
    void register() throws IOException {
        http = rookery.http();
        ada = People.newcomer(http, "ada");
        address = People.name("threepid") + "@example.org";
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void messageIsSentOncePerAttempt() throws IOException {
        var path = ACCOUNT + "/email/requestToken";
        var sid = request(path, SECRET, 1).ok().path("sid").asString();
        assertThat(request(path, SECRET, 1).ok().path("sid").asString()).isEqualTo(sid);
        assertThat(mailbox.mails(address)).hasSize(1);
        assertThat(request(path, SECRET, 2).ok().path("sid").asString()).isEqualTo(sid);
        assertThat(mailbox.mails(address)).hasSize(2);
        assertThat(request(path, "another-secret", 1).ok().path("sid").asString())
                .isNotEqualTo(sid);
        assertThat(request("/v3/register/email/requestToken", SECRET, 1)
                        .ok()
                        .path("sid")
                        .asString())
                .as("for another purpose")
                .isNotEqualTo(sid);
    }

    @Test
    void addressIsSentFiveMessagesAnHour() throws IOException {
        for (int attempt = 1; attempt <= MESSAGES_MAX; attempt++) {
            assertThat(request(ACCOUNT + "/email/requestToken", SECRET, attempt).isOk())
                    .isTrue();
        }
        var refused = request(ACCOUNT + "/email/requestToken", SECRET, MESSAGES_MAX + 1);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.errcode()).isEqualTo("M_LIMIT_EXCEEDED");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(mailbox.mails(address)).hasSize(MESSAGES_MAX);
    }

    @Test
    void onlyTheRightTokenValidates() throws IOException {
        var sid = begin();
        var token = token();
        assertRefused(submit(SUBMIT_EMAIL, sid, SECRET, token + "x"), 400, "M_TOKEN_INCORRECT");
        assertRefused(submit(SUBMIT_EMAIL, sid, "another-secret", token), 400, "M_TOKEN_INCORRECT");
        assertRefused(submit(SUBMIT_PHONE, sid, SECRET, token), 400, "M_TOKEN_INCORRECT");
        assertRefused(ada.call("POST", ACCOUNT, creds(sid)), 403, "M_THREEPID_AUTH_FAILED");
        for (int i = 0; i < 2; i++) { // once more is the same
            assertThat(submit(SUBMIT_EMAIL, sid, SECRET, token).text()).isEqualTo("{\"success\":true}");
        }
        var otherSecret = Map.of("sid", sid, "client_secret", "another-secret");
        assertRefused(ada.call("POST", ACCOUNT, otherSecret), 403, "M_THREEPID_AUTH_FAILED");
        for (int i = 0; i < 2; i++) {
            assertThat(ada.call("POST", ACCOUNT, Map.of("threePidCreds", creds(sid)))
                            .text())
                    .isEqualTo("{}");
        }
        var bob = People.newcomer(http, "bob");
        assertRefused(bob.call("POST", ACCOUNT, creds(sid)), 403, "M_THREEPID_AUTH_FAILED");
    }

    @Test
    void pageChangesNothingUntilItsButtonIsPressed() throws IOException {
        var sid = begin();
        var link = mailbox.link(address);
        for (int i = 0; i < 2; i++) { // programs look at links, too
            assertThat(Mailbox.look(http, link).status()).isEqualTo(200);
        }
        assertRefused(ada.call("POST", ACCOUNT, creds(sid)), 403, "M_THREEPID_AUTH_FAILED");
        assertThat(Mailbox.press(http, link).status()).isEqualTo(200);
        assertThat(ada.call("POST", ACCOUNT, creds(sid)).isOk()).isTrue();

        var wrong = http.raw("GET", SUBMIT_EMAIL + "?sid=none&client_secret=s&token=t", Map.of(), "");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        assertThat(wrong.headers().firstValue("Content-Security-Policy")).isPresent();
    }

    @Test
    void browserIsLedOnOnlyToWhereTheTenantTrusts() throws IOException {
        var body = new HashMap<String, Object>(body(SECRET, 1));
        for (String evil : List.of("https://evil.example/", "http://localhost/", "javascript:alert(1)", "\u0000")) {
            body.put("next_link", evil);
            assertRefused(ada.call("POST", ACCOUNT + "/email/requestToken", body), 400, "M_INVALID_PARAM");
        }
        body.put("next_link", "https://localhost/done");
        ada.call("POST", ACCOUNT + "/email/requestToken", body).ok();
        var pressed = Mailbox.press(http, mailbox.link(address));
        assertThat(pressed.status()).isEqualTo(302);
        assertThat(pressed.headers().firstValue("Location")).contains("https://localhost/done");
    }

    @Test
    void addressIsAddedWithThePassword() throws IOException {
        var sid = begin();
        assertRefused(Steps.withPassword(ada, "POST", ACCOUNT + "/add", creds(sid)), 403, "M_THREEPID_AUTH_FAILED");
        mailbox.follow(http, address);
        var challenge = ada.call("POST", ACCOUNT + "/add", creds(sid));
        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.json().path("flows").toString()).isEqualTo("[{\"stages\":[\"m.login.password\"]}]");
        assertThat(Steps.withPassword(ada, "POST", ACCOUNT + "/add", creds(sid)).text())
                .isEqualTo("{}");
        assertThat(addresses(ada)).containsExactly(address);
        for (String path : List.of(ACCOUNT, "/v3/register")) {
            assertRefused(request(path + "/email/requestToken", SECRET, 9), 400, "M_THREEPID_IN_USE");
        }
    }

    @Test
    void addressBelongsToWhoAddsItFirst() throws IOException {
        var bob = People.newcomer(http, "bob");
        var sid = begin();
        mailbox.follow(http, address);
        var others = bob.call("POST", ACCOUNT + "/email/requestToken", body("another-secret", 1))
                .ok()
                .path("sid")
                .asString();
        mailbox.follow(http, address);
        assertThat(ada.call("POST", ACCOUNT, creds(sid)).isOk()).isTrue();
        var second = Map.of("sid", others, "client_secret", "another-secret");
        assertRefused(bob.call("POST", ACCOUNT, second), 400, "M_THREEPID_IN_USE");
        assertRefused(bob.call("POST", ACCOUNT + "/bind", second), 400, "M_THREEPID_IN_USE");

        bob.post(ACCOUNT + "/delete", which());
        assertThat(addresses(ada)).as("somebody else's deletion").containsExactly(address);
        Steps.withPassword(ada, "POST", "/v3/account/deactivate", Map.of()).ok();
        assertThat(bob.call("POST", ACCOUNT, second).isOk()).as("free again").isTrue();
    }

    @Test
    void boundAddressIsInvited() throws IOException {
        var bob = People.newcomer(http, "bob");
        var room = bob.createRoom(Map.of("preset", "private_chat"));
        var invitation = Paths.room(room, "/invite");
        var sid = begin();
        mailbox.follow(http, address);
        ada.post(ACCOUNT, creds(sid));
        assertRefused(bob.call("POST", invitation, which()), 400, "M_THREEPID_NOT_FOUND");

        var ours = new HashMap<String, Object>(creds(sid));
        ours.put("id_server", "localhost");
        assertThat(ada.call("POST", ACCOUNT + "/bind", ours).text()).isEqualTo("{}");
        var spelled = Map.of("medium", "email", "address", address.toUpperCase(Locale.ROOT));
        assertThat(bob.call("POST", invitation, spelled).text()).isEqualTo("{}");
        ada.join(room);
        var made = bob.createRoom(Map.of(
                "invite_3pid",
                List.of(
                        Map.of("medium", "email", "address", address, "id_server", "x", "id_access_token", "y"),
                        Map.of("medium", "email", "address", "nobody@example.org"))));
        ada.join(made);

        assertThat(unbound()).isEqualTo("success");
        assertThat(unbound()).isEqualTo("no-support");
        assertRefused(bob.call("POST", invitation, which()), 400, "M_THREEPID_NOT_FOUND");
        assertThat(addresses(ada)).containsExactly(address);
        try (var other = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            ada.post(ACCOUNT + "/bind", ours);
            var stranger = People.newcomer(other, "eve");
            var elsewhere = stranger.createRoom(Map.of());
            assertRefused(
                    stranger.call("POST", Paths.room(elsewhere, "/invite"), which()), 400, "M_THREEPID_NOT_FOUND");
        }
    }

    @Test
    void phoneIsValidatedByItsCodeAndLogsIn() throws IOException {
        try (var other = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var bob = People.newcomer(other, "bob");
            var body = phone("07400123457", 1);
            var begun = bob.call("POST", ACCOUNT + "/msisdn/requestToken", body).ok();
            assertThat(begun.path("submit_url").asString()).endsWith("/_api/client" + SUBMIT_PHONE);
            var sid = begun.path("sid").asString();
            var code = sms.code("+447400123457");
            var handedIn = Map.of("sid", sid, "client_secret", SECRET, "token", code);
            assertThat(other.call("POST", SUBMIT_PHONE, null, handedIn).text()).isEqualTo("{\"success\":true}");
            bob.post(ACCOUNT, creds(sid));

            var number = Map.of("type", "m.id.phone", "country", "GB", "phone", "07400 123457");
            var address3 = Map.of("type", "m.id.thirdparty", "medium", "msisdn", "address", "447400123457");
            for (var identifier : List.of(number, address3)) {
                var login = Map.of("type", "m.login.password", "identifier", identifier, "password", Steps.PASSWORD);
                assertThat(other.call("POST", "/v3/login", null, login)
                                .ok()
                                .path("user_id")
                                .asString())
                        .isEqualTo(bob.userId());
            }
            var reset = other.call("POST", "/v3/account/password", null, Map.of("new_password", "a fine password"));
            assertThat(reset.json().path("flows").toString()).contains("m.login.email.identity", "m.login.msisdn");
        }
    }

    @Test
    void codeIsGuessedAtMostFiveTimes() throws IOException {
        try (var other = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var bob = People.newcomer(other, "bob");
            var sid = bob.call("POST", ACCOUNT + "/msisdn/requestToken", phone("07400123458", 1))
                    .ok()
                    .path("sid")
                    .asString();
            var code = sms.code("+447400123458");
            var wrong = "%06d".formatted((Integer.parseInt(code) + 1) % 1_000_000);
            for (int i = 0; i < TRIES_MAX; i++) {
                var guess = Map.of("sid", sid, "client_secret", SECRET, "token", wrong);
                assertRefused(other.call("POST", SUBMIT_PHONE, null, guess), 400, "M_TOKEN_INCORRECT");
            }
            var late = Map.of("sid", sid, "client_secret", SECRET, "token", code);
            assertRefused(other.call("POST", SUBMIT_PHONE, null, late), 400, "M_SESSION_EXPIRED");
        }
    }

    @Test
    void accountIsMadeWithAnAddress() throws IOException {
        try (var tenant = Http.to(rookery.site(SharedRookery.BY_MAIL))) {
            var uia = new Uia(tenant, null, "POST", "/v3/register");
            var name = People.name("ada");
            var begun = uia.begin(Map.of("username", name, "password", Steps.PASSWORD));
            assertThat(begun.json().path("flows").toString()).isEqualTo("[{\"stages\":[\"m.login.email.identity\"]}]");
            var sid = tenant.call("POST", "/v3/register/email/requestToken", null, body(SECRET, 1))
                    .ok()
                    .path("sid")
                    .asString();
            Map<String, ?> proof = Map.of("type", "m.login.email.identity", "threepid_creds", creds(sid));
            var early = uia.stage(begun, Map.of(), proof);
            assertThat(early.status()).isEqualTo(401);
            mailbox.follow(tenant, address);
            var made = uia.stage(begun, Map.of(), proof).ok();
            assertThat(made.path("user_id").asString()).isEqualTo("@%s:mail.example".formatted(name));
            assertThat(addresses(Session.login(tenant, name))).containsExactly(address);
            var second = uia.begin(Map.of("password", Steps.PASSWORD));
            assertThat(uia.stage(second, Map.of(), proof).isOk())
                    .as("validated once, used once")
                    .isFalse();
        }
    }

    private String begin() throws IOException {
        return request(ACCOUNT + "/email/requestToken", SECRET, 1)
                .ok()
                .path("sid")
                .asString();
    }

    private Answer request(String path, String secret, int attempt) throws IOException {
        return http.call("POST", path, ada.token(), body(secret, attempt));
    }

    private Map<String, Object> body(String secret, int attempt) {
        return Map.of("email", address, "client_secret", secret, "send_attempt", attempt);
    }

    private static Map<String, Object> phone(String number, int attempt) {
        return Map.of("country", "GB", "phone_number", number, "client_secret", SECRET, "send_attempt", attempt);
    }

    private static Map<String, Object> creds(String sid) {
        return Map.of("sid", sid, "client_secret", SECRET);
    }

    private Map<String, Object> which() {
        return Map.of("medium", "email", "address", address);
    }

    /** The token in the link of the new mail. */
    private String token() throws IOException {
        return mailbox.link(address).getRawQuery().replaceFirst(".*[?&]?token=", "");
    }

    private Answer submit(String path, String sid, String secret, String token) throws IOException {
        return http.call("POST", path, null, Map.of("sid", sid, "client_secret", secret, "token", token));
    }

    private String unbound() throws IOException {
        return ada.post(ACCOUNT + "/unbind", which())
                .path("id_server_unbind_result")
                .asString();
    }

    private static List<String> addresses(Session session) throws IOException {
        return session.get(ACCOUNT)
                .path("threepids")
                .valueStream()
                .map(threepid -> threepid.path("address").asString())
                .toList();
    }

    private static void assertRefused(Answer answer, int status, String errcode) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.errcode()).as(answer.toString()).isEqualTo(errcode);
    }
}
