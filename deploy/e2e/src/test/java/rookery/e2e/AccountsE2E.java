// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;

/** Registering, logging in and leaving, through the gateway, with what is refused and why (contract.md 2.2, 2.3, 3). */
@OnOneJvm
class AccountsE2E {
    private static final int FAILURES_MAX = 20; // contract.md 2.6

    private final Rookery rookery;
    private Http http;
    private Http strict;

    AccountsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void connect() {
        http = rookery.http();
        strict = Http.to(rookery.site(SharedRookery.STRICT));
    }

    @AfterEach
    void close() {
        http.close();
        strict.close();
    }

    /** Each row has the tenant, the request and the expected response. */
    @ParameterizedTest
    @CsvFileSource(resources = "tenants.txt", delimiter = '|', quoteCharacter = '`')
    void tenantsRefuseAsTheyAreConfigured(
            String host, String method, String path, @Nullable String body, int status, @Nullable String errcode)
            throws IOException {
        for (String prefix : List.of(TenantAddress.NATIVE, TenantAddress.MATRIX)) {
            try (var tenant = Http.to(rookery.site(host).withPrefix(prefix))) {
                var answer = tenant.raw(method, path, Map.of(), Objects.requireNonNullElse(body, ""));
                assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
                assertThat(answer.errcode()).as(answer.toString()).isEqualTo(Objects.requireNonNullElse(errcode, ""));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v3/account/whoami",
                "POST /v3/logout",
                "POST /v3/logout/all",
                "POST /v1/login/get_token",
                "GET /v3/capabilities",
                "GET /v3/devices",
                "GET /v3/devices/A",
                "PUT /v3/devices/A",
                "DELETE /v3/devices/A",
                "POST /v3/delete_devices",
                "GET /v3/account/3pid",
                "POST /v3/account/3pid",
                "POST /v3/account/3pid/add",
                "POST /v3/account/3pid/bind",
                "POST /v3/account/3pid/unbind",
                "POST /v3/account/3pid/delete",
                "POST /v3/account/3pid/email/requestToken",
                "POST /v3/account/3pid/msisdn/requestToken"
            })
    void whatNeedsATokenSaysSo(String request) throws IOException {
        var words = request.split(" ", 2);
        assertThat(http.call(words[0], words[1], null, Map.of()).errcode()).isEqualTo("M_MISSING_TOKEN");
        var unknown = http.call(words[0], words[1], "nonsense", Map.of());
        assertThat(unknown.errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        assertThat(unknown.json().path("soft_logout").asBoolean(true)).isFalse();
    }

    @Test
    void tokensAreTokensOfOneTenantOnly() throws IOException {
        var ada = People.newcomer(http, "ada");
        var pair = Steps.login(http, ada.userId(), Steps.PASSWORD, Map.of("refresh_token", true))
                .ok();
        try (var other = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var refused = ada.through(other).call("GET", "/v3/account/whoami", null);
            assertThat(refused.errcode()).isEqualTo("M_UNKNOWN_TOKEN");
            var refresh = Map.of("refresh_token", pair.path("refresh_token").asString());
            assertThat(other.call("POST", "/v3/refresh", null, refresh).errcode())
                    .isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(Steps.login(other, ada.userId(), Steps.PASSWORD, Map.of())
                            .errcode())
                    .isEqualTo("M_FORBIDDEN");
        }
        assertThat(ada.get("/v3/account/whoami").propertyNames())
                .containsExactlyInAnyOrder("user_id", "device_id", "is_guest");
    }

    @Test
    void everySpellingOfANameLogsIn() throws IOException {
        var ada = People.newcomer(http, "ada");
        var name = localpart(ada);
        for (String spelling : List.of(name, ada.userId(), name.toUpperCase(Locale.ROOT), "@" + name)) {
            var named = Steps.login(http, spelling, Steps.PASSWORD, Map.of()).ok();
            assertThat(named.path("user_id").asString()).as(spelling).isEqualTo(ada.userId());
            assertThat(named.propertyNames())
                    .containsExactlyInAnyOrder("user_id", "access_token", "device_id", "home_server");
            assertThat(login(Map.of("user", spelling)).isOk()).as(spelling).isTrue();
        }
        var renewable = Steps.login(http, name, Steps.PASSWORD, Map.of("refresh_token", true))
                .ok();
        assertThat(renewable.path("expires_in_ms").asInt()).isEqualTo(3_600_000);
        assertThat(renewable.path("refresh_token").asString()).isNotEmpty();
    }

    @Test
    void refusedLoginsLookAlike() throws IOException {
        var ada = People.newcomer(http, "ada");
        var texts = new ArrayList<String>();
        for (var who : List.of(
                Map.of("user", ada.userId(), "password", "wrong"),
                Map.of("user", ada.userId(), "password", "x".repeat(513)),
                Map.of("user", "nobody-at-all"),
                Map.of("user", "@ada:elsewhere.example"),
                Map.of("user", "not a name"),
                Map.of("medium", "email", "address", "nobody@example.org"),
                Map.of("medium", "email", "address", "not an address"),
                Map.of("medium", "msisdn", "address", "447400123456"),
                Map.of("medium", "pigeon", "address", "17"))) {
            var answer = login(who);
            assertThat(answer.status()).as("%s: %s", who, answer).isEqualTo(403);
            texts.add(answer.text());
        }
        var token = http.call("POST", "/v3/login", null, Map.of("type", "m.login.token", "token", "nonsense"));
        texts.add(token.text());
        assertThat(texts).containsOnly(texts.getFirst());
        assertThat(token.errcode()).isEqualTo("M_FORBIDDEN");
    }

    @Test
    void onlyTheRightPasswordLearnsThatAnAccountIsLockedOrGone() throws IOException {
        var root = Steps.administrator(rookery, http);
        var locked = People.newcomer(http, "locked");
        var gone = People.newcomer(http, "gone");
        var pair = Steps.login(http, locked.userId(), Steps.PASSWORD, Map.of("refresh_token", true))
                .ok();
        root.post(action(locked, "block"), Map.of());
        root.post(action(gone, "deactivate"), Map.of());

        var right = Steps.login(http, locked.userId(), Steps.PASSWORD, Map.of());
        assertThat(right.status()).isEqualTo(401);
        assertThat(right.errcode()).isEqualTo("M_USER_LOCKED");
        assertThat(right.json().path("soft_logout").asBoolean()).isTrue();
        var right2 = Steps.login(http, gone.userId(), Steps.PASSWORD, Map.of());
        assertThat(right2.status()).isEqualTo(403);
        assertThat(right2.errcode()).isEqualTo("M_USER_DEACTIVATED");
        for (var who : List.of(locked, gone)) {
            assertThat(Steps.login(http, who.userId(), "wrong", Map.of()).errcode())
                    .isEqualTo("M_FORBIDDEN");
        }
        var refresh = refresh(pair.path("refresh_token").asString());
        assertThat(refresh.status()).isEqualTo(401);
        assertThat(refresh.errcode()).isEqualTo("M_USER_LOCKED");
    }

    @Test
    void deviceThatLogsInAgainHasOneToken() throws IOException {
        var ada = People.newcomer(http, "ada");
        var named = Map.of("device_id", "MY PHONE", "initial_device_display_name", "Phone");
        var first = Steps.login(http, ada.userId(), Steps.PASSWORD, named).ok();
        assertThat(whoami(first.path("access_token").asString()).isOk()).isTrue();
        var renamed = Map.of("device_id", "MY PHONE", "initial_device_display_name", "Other");
        var second = Steps.login(http, ada.userId(), Steps.PASSWORD, renamed).ok();

        assertThat(second.path("device_id").asString()).isEqualTo("MY PHONE");
        assertThat(whoami(first.path("access_token").asString()).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        assertThat(whoami(second.path("access_token").asString()).isOk()).isTrue();
        assertThat(ada.get("/v3/devices/MY%20PHONE").path("display_name").asString())
                .isEqualTo("Phone");
    }

    @Test
    void guessingAPasswordIsLimited() throws IOException {
        var ada = People.newcomer(http, "ada");
        for (int i = 0; i < FAILURES_MAX; i++) {
            assertThat(Steps.login(http, ada.userId(), "wrong", Map.of()).errcode())
                    .isEqualTo("M_FORBIDDEN");
        }
        var refused = Steps.login(http, ada.userId(), Steps.PASSWORD, Map.of());
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.errcode()).isEqualTo("M_LIMIT_EXCEEDED");
        assertThat(refused.json().path("retry_after_ms").asLong()).isPositive();
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(ada.call("GET", "/v3/account/whoami", null).isOk()).isTrue();
    }

    @Test
    void loginTokenIsGivenOutOnAllPaths() throws IOException {
        var ada = People.newcomer(http, "ada");
        for (String prefix : List.of("", TenantAddress.NATIVE, TenantAddress.MATRIX)) {
            try (var under = Http.to(rookery.site().withPrefix(prefix))) {
                var given = Steps.withPassword(ada.through(under), "POST", "/v1/login/get_token", Map.of());
                assertThat(given.ok().propertyNames()).containsExactlyInAnyOrder("login_token", "expires_in_ms");
            }
        }
        assertThat(http.call("GET", "/v3/login", null, null).text())
                .isEqualTo("{\"flows\":[{\"type\":\"m.login.password\"}]}");
    }

    @Test
    void refreshSaysWhetherTheSessionIsOver() throws IOException {
        var ada = People.newcomer(http, "ada");
        var pair = Steps.login(http, ada.userId(), Steps.PASSWORD, Map.of("refresh_token", true))
                .ok();
        http.call("POST", "/v3/logout", pair.path("access_token").asString(), Map.of())
                .ok();

        var refused = refresh(pair.path("refresh_token").asString());
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        assertThat(refused.json().path("soft_logout").asBoolean(true)).isFalse();
    }

    /** contract.md 16.2, and the further settings of such a tenant. */
    @Test
    void strictTenantWantsATokenAndAgreement() throws IOException {
        var ada = strictUser("ada");
        var whole = Steps.login(strict, ada.userId(), Steps.PASSWORD, Map.of()).ok();
        assertThat(whole.path("well_known")
                        .path("m.homeserver")
                        .path("base_url")
                        .asString())
                .isEqualTo("https://strict.example");

        assertThat(ada.call("POST", "/v1/login/get_token", Map.of()).status()).isEqualTo(400);
        assertThat(ada.call("POST", "/v1/login/get_token", Map.of()).errcode()).isEqualTo("M_UNRECOGNIZED");
        var creds = Map.of("sid", "none", "client_secret", "s");
        for (String path : List.of("", "/add", "/bind")) {
            assertThat(ada.call("POST", "/v3/account/3pid" + path, creds).errcode())
                    .as(path)
                    .isEqualTo("M_FORBIDDEN");
        }
        var which = Map.of("medium", "email", "address", "a@example.org");
        assertThat(ada.call("POST", "/v3/account/3pid/delete", which).errcode()).isEqualTo("M_FORBIDDEN");
        var can = ada.get("/v3/capabilities").path("capabilities");
        assertThat(can.path("m.3pid_changes").path("enabled").asBoolean(true)).isFalse();
        assertThat(can.path("m.get_login_token").path("enabled").asBoolean(true))
                .isFalse();
    }

    @Test
    void clientsAreToldWhereToConnectIfTheTenantSaysSo() throws IOException {
        var path = "/.well-known/matrix/client";
        try (var discovery = Http.to(rookery.site(SharedRookery.STRICT).withPrefix(""));
                var untold = Http.to(rookery.site().withPrefix(""))) {
            assertThat(discovery.call("GET", path, null, null).text())
                    .isEqualTo("{\"m.homeserver\":{\"base_url\":\"https://strict.example\"}}");
            var refused = untold.call("GET", path, null, null);
            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.errcode()).isEqualTo("M_NOT_FOUND");
        }
    }

    @Test
    void strictTenantShowsProfilesToThoseWhoShareARoom() throws IOException {
        var ada = strictUser("ada");
        var bob = strictUser("bob");
        var path = "/v3/profile/" + Paths.encoded(bob.userId());
        assertThat(strict.call("GET", path, null, null).errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(ada.call("GET", path, null).errcode()).isEqualTo("M_FORBIDDEN");
        var room = People.roomOf(bob, ada);
        assertThat(ada.get(path).path("displayname").asString()).isEqualTo(localpart(bob));
        ada.leave(room);
        assertThat(ada.call("GET", path, null).errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(bob.call("GET", path, null).isOk()).isTrue();
    }

    @Test
    void lastAdministratorStays() throws IOException {
        try (var byMail = Http.to(rookery.site(SharedRookery.BY_MAIL))) {
            var name = "@%s:%s".formatted(People.name("root"), SharedRookery.BY_MAIL);
            var body = Map.of("tenant", 5, "user", name, "password", Steps.PASSWORD);
            new Nodes(rookery)
                    .internal("auth-service", "/internal/admin/create", body)
                    .ok();
            var root = Session.login(byMail, name);
            var refused = Steps.withPassword(root, "POST", "/v3/account/deactivate", Map.of());
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.errcode()).isEqualTo("M_FORBIDDEN");
            assertThat(root.call("GET", "/v3/account/whoami", null).isOk()).isTrue();
            var demoted = root.call("PUT", "/v3/admin/users/" + Paths.encoded(name) + "/admin", Map.of("admin", false));
            assertThat(demoted.status() + " " + demoted.errcode()).isEqualTo("403 M_FORBIDDEN");
            assertThat(root.call("GET", "/v3/admin/users", null).isOk()).isTrue();
        }
    }

    @Test
    void devicesStayAfterANewPasswordIfTheirUserWantsSo() throws IOException {
        var ada = People.newcomer(http, "ada");
        var phone = Session.login(http, ada.userId());
        var change = Map.of("new_password", "another fine password", "logout_devices", false);
        Steps.withPassword(ada, "POST", "/v3/account/password", change).ok();
        assertThat(phone.call("GET", "/v3/account/whoami", null).isOk()).isTrue();
        assertThat(Steps.login(http, ada.userId(), Steps.PASSWORD, Map.of()).errcode())
                .isEqualTo("M_FORBIDDEN");
    }

    @Test
    void devicesThatAreGoneAreDeletedAgainWithoutComplaint() throws IOException {
        var ada = People.newcomer(http, "ada");
        assertThat(Steps.withPassword(ada, "DELETE", "/v3/devices/NONE", Map.of())
                        .text())
                .isEqualTo("{}");
        var tooLong = Map.of("display_name", "x".repeat(101));
        assertThat(ada.call("PUT", "/v3/devices/" + ada.deviceId(), tooLong).errcode())
                .isEqualTo("M_INVALID_PARAM");
        var bob = People.newcomer(http, "bob");
        Steps.withPassword(bob, "DELETE", "/v3/devices/" + ada.deviceId(), Map.of())
                .ok();
        assertThat(ada.call("GET", "/v3/account/whoami", null).isOk())
                .as("of another user")
                .isTrue();
    }

    private Session strictUser(String like) throws IOException {
        var token = new Nodes(rookery)
                .internal("auth-service", "/internal/admin/registration-token", Map.of("tenant", 3, "uses", 1))
                .ok()
                .path("token")
                .asString();
        var uia = new Uia(strict, null, "POST", "/v3/register");
        var name = People.name(like);
        var begun = uia.begin(Map.of("username", name, "password", Steps.PASSWORD));
        assertThat(begun.json().path("flows").toString())
                .isEqualTo("[{\"stages\":[\"m.login.registration_token\",\"m.login.terms\"]}]");
        assertThat(begun.json()
                        .path("params")
                        .path("m.login.terms")
                        .path("policies")
                        .has("privacy"))
                .isTrue();
        var half = uia.stage(begun, Map.of(), Map.of("type", "m.login.registration_token", "token", token));
        assertThat(half.status()).isEqualTo(401);
        assertThat(half.json().path("completed").toString()).isEqualTo("[\"m.login.registration_token\"]");
        var valid = "/v1/register/m.login.registration_token/validity?token=" + Paths.encoded(token);
        assertThat(strict.call("GET", valid, null, null).text()).isEqualTo("{\"valid\":false}");
        var made = uia.stage(begun, Map.of(), Map.of("type", "m.login.terms")).ok();
        return Session.login(strict, made.path("user_id").asString());
    }

    private Answer login(Map<String, ?> who) throws IOException {
        var body = new HashMap<String, Object>(who);
        body.put("type", "m.login.password");
        body.putIfAbsent("password", Steps.PASSWORD);
        return http.call("POST", "/v3/login", null, body);
    }

    private Answer whoami(String token) throws IOException {
        return http.call("GET", "/v3/account/whoami", token, null);
    }

    private Answer refresh(String token) throws IOException {
        return http.call("POST", "/v3/refresh", null, Map.of("refresh_token", token));
    }

    private static String localpart(Session session) {
        return session.userId().substring(1, session.userId().indexOf(':'));
    }

    private static String action(Session user, String action) {
        return "/v3/admin/users/%s/%s".formatted(Paths.encoded(user.userId()), action);
    }
}
