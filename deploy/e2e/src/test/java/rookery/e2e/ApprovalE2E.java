// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.e2e.Eventually.eventually;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** An administrator decides who may register, and admits those who wait (contract.md 3.3, 5.3), in a tenant of its own. */
@OnOneJvm
class ApprovalE2E {
    private static final String AWAITING = "ORG.MATRIX.MSC3866_USER_AWAITING_APPROVAL";
    private static final String SETTINGS = "/v3/admin/settings";

    private final Rookery rookery;
    private final String name = "a" + UUID.randomUUID().toString().substring(0, 8) + ".example";
    private Http http;
    private Session first;

    ApprovalE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void makeTenant() throws IOException {
        var operator = new OperatorCalls(rookery);
        operator.call("POST", "/tenants", Map.of("server_name", name)).ok();
        var token = operator.call("POST", "/tenants/" + name + "/first-administrator", Map.of())
                .ok()
                .path("registration_token")
                .asString();
        http = Http.to(rookery.site(name));
        eventually(() -> http.call("GET", "/v3/login", null, null).isOk());
        first = TenantsE2E.administrator(http, token);
    }

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void peopleWaitUntilTheyAreAdmitted() throws IOException {
        first.call("PATCH", SETTINGS, Map.of("registration", "approval")).ok();
        eventually(() -> register("early" + UUID.randomUUID().toString().substring(0, 8))
                .errcode()
                .equals(AWAITING));
        var refused = register("ada");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("approval_notice_medium").asString()).isEqualTo("none");
        var ada = "@ada:" + name;
        assertThat(login(ada).errcode()).isEqualTo(AWAITING);
        assertThat(Steps.login(http, ada, "not the password 1", Map.of()).errcode())
                .isEqualTo("M_FORBIDDEN");
        assertThat(register("ada").errcode()).isEqualTo("M_USER_IN_USE");
        assertThat(found(ada)).as("in the user directory").isFalse();

        try (var elsewhere = rookery.http();
                var console = new ConsoleClient(rookery, name)) {
            var other = Steps.administrator(rookery, elsewhere);
            assertThat(other.call("POST", "/v3/admin/users/" + ada + "/approve", null)
                            .status())
                    .isEqualTo(400);
            console.signIn(first.userId(), "a long passphrase 1", "");
            assertThat(console.get("/overview").text()).contains("wait for approval");
            assertThat(console.get("/users?filter=waiting").text()).contains(ada, "waits for approval");
            assertThat(console.act("/users/" + ada, "/users/" + ada + "/approve", Map.of())
                            .status())
                    .isEqualTo(303);
        }
        assertThat(login(ada).isOk()).isTrue();
        assertThat(first.call("POST", "/v3/admin/users/" + ada + "/approve", null)
                        .isOk())
                .as("repeated")
                .isTrue();
        eventually(() -> found(ada));
        var waiting = first.get("/v3/admin/users?approved=false").path("users").toString();
        assertThat(waiting).contains("early").doesNotContain(ada);

        register("boss");
        new OperatorCalls(rookery)
                .call("PUT", "/tenants/" + name + "/administrators/boss", Map.of())
                .ok();
        assertThat(login("@boss:" + name).isOk()).isTrue();

        var refusedUser = first.get("/v3/admin/users?approved=false")
                .at("/users/0/user_id")
                .asString();
        first.call("POST", "/v3/admin/users/" + refusedUser + "/deactivate", Map.of())
                .ok();
        assertThat(login(refusedUser).errcode()).isIn("M_FORBIDDEN", "M_USER_DEACTIVATED");
    }

    @Test
    void administratorsChangeTheirSettingsAndNoneOfTheOperators() throws IOException {
        assertThat(first.call("PATCH", SETTINGS, Map.of("presence", false, "room_version", "11"))
                        .ok()
                        .toString())
                .contains("\"presence\":false", "\"room_version\":\"11\"");
        for (var change : List.of(
                Map.of("max_users", 1_000_000),
                Map.of("public_url", "https://evil.example"),
                Map.of("registration", "open"),
                Map.of("registration", ""))) {
            assertThat(first.call("PATCH", SETTINGS, change).errcode())
                    .as("%s", change)
                    .isEqualTo("M_FORBIDDEN");
        }
        assertThat(first.call("PATCH", SETTINGS, Map.of("room_version", "9")).errcode())
                .isEqualTo("M_INVALID_PARAM");
        assertThat(first.call("PATCH", SETTINGS, Map.of("presence", true)).errcode())
                .isEqualTo("M_LIMIT_EXCEEDED");
        var ada = Session.register(http, "ada");
        assertThat(ada.call("PATCH", SETTINGS, Map.of("presence", true)).status())
                .isEqualTo(403);
        eventually(() -> !first.get(SETTINGS).path("presence").asBoolean(true));
        assertThat(first.get("/v3/admin/audit?action=change+settings")
                        .at("/records/0/target")
                        .asString())
                .isEqualTo("presence=true");
    }

    /** Settings for old clients, which operators change while everything runs (contract.md 20). */
    @Test
    void tokensInQueriesAndFilesWithoutTokensAreSettingsOfTheTenant() throws Exception {
        var whoami = "/v3/account/whoami?access_token=" + first.token();
        assertThat(http.call("GET", whoami, null, null).errcode()).isEqualTo("M_MISSING_TOKEN");
        try (var media = new MediaClient(rookery);
                var root = Http.to(rookery.site(name).withPrefix(""))) {
            var uri = media.upload(first, "leaflet".getBytes(StandardCharsets.UTF_8), "text/plain");
            var legacy = "/_matrix/media/v3/download/" + uri.substring("mxc://".length());
            assertThat(root.call("GET", legacy, null, null).status()).isEqualTo(404);

            var settings = Map.of(
                    "token_in_query", true, "media_without_token", true, "mail_from", "Chat <chat@" + name + ">");
            assertThat(operator("PATCH", settings)
                            .ok()
                            .path("settings")
                            .path("mail_from")
                            .asString())
                    .isEqualTo("Chat <chat@" + name + ">");
            eventually(() -> http.call("GET", whoami, null, null).isOk());
            eventually(() -> root.call("GET", legacy, null, null).text().equals("leaflet"));
        }
        var mailbox = new Mailbox(rookery);
        eventually(() -> {
            var address = UUID.randomUUID() + "@people.example";
            var body = Map.of("client_secret", "secret", "email", address, "send_attempt", 1);
            first.call("POST", "/v3/account/3pid/email/requestToken", body).ok();
            return mailbox.mails(address).getFirst().contains("From: Chat <chat@" + name + ">");
        });
        for (String sender : List.of("nobody", "a@b\r\nBcc: c@d", "x".repeat(400) + "@example.org")) {
            assertThat(operator("PATCH", Map.of("mail_from", sender)).errcode()).isEqualTo("M_INVALID_PARAM");
        }
    }

    private Answer operator(String method, Map<String, ?> body) throws IOException {
        return new OperatorCalls(rookery).call(method, "/tenants/" + name + "/settings", body);
    }

    private Answer register(String localpart) throws IOException {
        var body = new HashMap<String, Object>(Map.of("username", localpart, "password", Steps.PASSWORD));
        var begun = http.call("POST", "/v3/register", null, body);
        if (begun.status() != 401) {
            return begun;
        }
        body.put(
                "auth",
                Map.of(
                        "type",
                        "m.login.dummy",
                        "session",
                        begun.json().path("session").asString()));
        return http.call("POST", "/v3/register", null, body);
    }

    private Answer login(String user) throws IOException {
        return Steps.login(http, user, Steps.PASSWORD, Map.of());
    }

    private boolean found(String user) throws IOException {
        var answer = first.call(
                "POST", "/v3/user_directory/search", Map.of("search_term", user.substring(1, user.indexOf(':'))));
        return answer.ok().path("results").toString().contains(user);
    }
}
