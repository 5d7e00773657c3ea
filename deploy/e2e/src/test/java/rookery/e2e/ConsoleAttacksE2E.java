// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** What strangers, users, other tenants, other sites and thieves of cookies try in the console (contract.md 5.8). */
@OnOneJvm
class ConsoleAttacksE2E {
    private static final String SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";

    private final Rookery rookery;
    private Http http;
    private Session root;
    private ConsoleClient console;

    ConsoleAttacksE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void enter() throws IOException {
        http = rookery.http();
        root = Steps.administrator(rookery, http);
        console = new ConsoleClient(rookery, "localhost");
    }

    @AfterEach
    void close() {
        console.close();
        http.close();
    }

    @Test
    void strangersSeeTheSignInPageOnly() throws IOException {
        for (String page : List.of("", "/overview", "/users", "/users/" + root.userId(), "/audit/records.csv", "/x")) {
            isSentToSignIn(console.get(page));
        }
        isSentToSignIn(console.post("/rate-limits", Map.of(), Map.of()));
        assertThat(console.get("/sign-in").status()).isEqualTo(200);
        var style = Pattern.compile("/assets/[^\"]+")
                .matcher(console.get("/sign-in").text());
        assertThat(style.results().map(name -> status(name.group())))
                .as("style sheet and script")
                .hasSize(2)
                .containsOnly(200);
        assertThat(console.get("/assets/nothing.js").status()).isEqualTo(404);
        assertThat(console.get("/assets/..%2f..%2fapplication.yml").status()).isEqualTo(404);
    }

    /** A token of the API is no session of the console, and a cookie is no token. */
    @Test
    void onlyTheCookieCounts() throws IOException {
        var bearer = Map.of("Authorization", "Bearer " + root.token());
        try (var plain = Http.to(rookery.site().withPrefix(""))) {
            isSentToSignIn(plain.raw("GET", ConsoleClient.CONSOLE + "/users", bearer, ""));
            console.signIn(root.userId());
            var value = console.cookie().substring(console.cookie().indexOf('=') + 1);
            var answer =
                    plain.raw("GET", "/_api/client/v3/account/whoami", Map.of("Authorization", "Bearer " + value), "");
            assertThat(answer.status()).isEqualTo(401);
        }
    }

    @Test
    void usersGetNoSession() throws IOException {
        var ada = People.newcomer(http, "ada");
        var refused = console.signIn(ada.userId());
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(ada.get("/v3/devices").path("devices")).hasSize(1);
    }

    @Test
    void administratorsOfAnotherTenantGetNothing() throws IOException {
        try (var elsewhere = Http.to(rookery.site(SharedRookery.SECOND_TENANT));
                var there = new ConsoleClient(rookery, SharedRookery.SECOND_TENANT)) {
            var other = Steps.administrator(rookery, elsewhere, 2);
            assertThat(console.signIn(other.userId()).status()).isEqualTo(403);
            assertThat(there.signIn(other.userId()).status()).isEqualTo(303);
            console.cookie(there.cookie());
            isSentToSignIn(console.get("/users"));

            var ada = People.newcomer(http, "ada");
            assertThat(there.get("/users/" + ada.userId()).status()).isEqualTo(400);
            assertThat(there.act("/overview", "/users/" + ada.userId() + "/block", Map.of())
                            .status())
                    .isEqualTo(400);
            assertThat(ada.call("GET", "/v3/account/whoami", null).status()).isEqualTo(200);
        }
    }

    @Test
    void openPageOfADemotedAdministratorDoesNothing() throws IOException {
        console.signIn(root.userId());
        var ada = People.newcomer(http, "ada");
        var token = console.formToken("/users/" + ada.userId() + "/block");
        var second = Steps.administrator(rookery, http);
        second.call("PUT", "/v3/admin/users/" + root.userId() + "/admin", Map.of("admin", false))
                .ok();

        var refused = console.post("/users/" + ada.userId() + "/block", Map.of("form_token", token), Map.of());
        assertThat(refused.status()).isEqualTo(403);
        assertThat(console.get("/users").status()).isEqualTo(403);
        assertThat(ada.call("GET", "/v3/account/whoami", null).status()).isEqualTo(200);
    }

    @Test
    void formsOfOtherSitesAreRefused() throws IOException {
        console.signIn(root.userId());
        var ada = People.newcomer(http, "ada");
        var block = "/users/" + ada.userId() + "/block";
        var token = Map.of("form_token", console.formToken(block));

        assertThat(console.post(block, Map.of(), Map.of()).status()).isEqualTo(403);
        assertThat(console.post(block, Map.of("form_token", "0".repeat(64)), Map.of())
                        .status())
                .isEqualTo(403);
        for (String origin : List.of("https://evil.example", "null", "http://localhost.evil.example")) {
            assertThat(console.post(block, token, Map.of("Origin", origin)).status())
                    .as(origin)
                    .isEqualTo(403);
        }
        for (String site : List.of("cross-site", "same-site")) {
            assertThat(console.post(block, token, Map.of("Sec-Fetch-Site", site))
                            .status())
                    .as(site)
                    .isEqualTo(403);
        }
        assertThat(ada.call("GET", "/v3/account/whoami", null).status()).isEqualTo(200);
        try (var other = new ConsoleClient(rookery, "localhost")) {
            var second = Steps.administrator(rookery, http);
            other.signIn(second.userId());
            assertThat(other.post(block, token, Map.of()).status())
                    .as("the token of another session")
                    .isEqualTo(403);
        }
        assertThat(console.post(block, token, Map.of("Sec-Fetch-Site", "same-origin"))
                        .status())
                .isEqualTo(303);
    }

    /** No frame may show a page, no page may run a script of its own, and no other page may read one. */
    @Test
    void pagesAreHardened() throws IOException {
        console.signIn(root.userId());
        for (String page : List.of("/sign-in", "/overview", "/users", "/nothing")) {
            var headers = console.get(page).headers();
            assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(headers.firstValue("X-Frame-Options")).hasValue("DENY");
            assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
            assertThat(headers.firstValue("Access-Control-Allow-Origin")).isEmpty();
        }
        assertThat(console.cookie()).startsWith("rookery_console=");
    }

    @Test
    void textsOfPeopleAreShownAsText() throws IOException {
        var ada = People.newcomer(http, "ada");
        ada.put("/v3/profile/" + ada.userId() + "/displayname", Map.of("displayname", SCRIPT));
        var room = ada.createRoom(Map.of("name", SCRIPT, "topic", SCRIPT, "preset", "public_chat"));
        var event = ada.say(room, SCRIPT);
        root.join(room);
        root.call("POST", "/v3/rooms/" + room + "/report/" + event, Map.of("reason", SCRIPT))
                .ok();
        console.signIn(root.userId());
        var report = root.get("/v3/admin/reports?state=open&limit=1")
                .at("/reports/0/id")
                .asString();

        for (String page : List.of(
                "/users?search=" + ada.userId().substring(1, ada.userId().indexOf(':')),
                "/users/" + Paths.encoded(ada.userId()),
                "/users/" + Paths.encoded(ada.userId()) + "/deactivate",
                "/rooms?search=script",
                "/rooms/" + Paths.encoded(room),
                "/rooms/" + Paths.encoded(room) + "/purge",
                "/reports",
                "/reports/" + report,
                "/users?search=" + Paths.encoded(SCRIPT),
                "/audit?actor=" + Paths.encoded(SCRIPT),
                "/media?search=" + Paths.encoded("@" + SCRIPT + ":localhost"),
                "/sign-in?next=" + Paths.encoded(SCRIPT),
                "/overview?done=" + Paths.encoded(SCRIPT))) {
            assertThat(console.get(page).text()).as(page).doesNotContain("<script>alert", "<img src=x");
        }
        assertThat(console.get("/rooms/" + Paths.encoded(room)).text()).contains("&lt;script&gt;alert");
    }

    @Test
    void stolenCookieIsGoodForNothingAfterTheEnd() throws IOException {
        console.signIn(root.userId());
        assertThat(console.get("/users").status()).isEqualTo(200);
        var stolen = console.cookie();
        assertThat(console.act("/overview", "/sign-out", Map.of()).status()).isEqualTo(303);
        console.cookie(stolen);
        isSentToSignIn(console.get("/users"));
        for (String wrong :
                List.of("", "C", "x".repeat(5_000), stolen + "A", stolen.substring(0, stolen.length() - 2))) {
            console.cookie(wrong.startsWith("rookery") ? wrong : "rookery_console=" + wrong);
            isSentToSignIn(console.get("/users"));
        }
    }

    @Test
    void passwordsCannotBeTried() throws IOException {
        try (var guesser = ConsoleClient.from(InetAddress.ofLiteral("127.0.0.79"), rookery)) {
            int status = 403;
            for (int i = 0; status == 403 && i < 50; i++) {
                status = guesser.signIn(root.userId(), "wrong " + i, "").status();
            }
            assertThat(status).isEqualTo(429);
            assertThat(guesser.signIn(root.userId()).status()).isEqualTo(429);
        }
    }

    @Test
    void signInLeadsToPagesOfTheConsoleOnly() throws IOException {
        for (String next :
                List.of("https://evil.example", "//evil.example", "/_api/client/v3/logout", "/_rookery/consoles", "")) {
            var entered = console.signIn(root.userId(), Steps.PASSWORD, next);
            assertThat(entered.headers().firstValue("Location")).as(next).hasValue(ConsoleClient.CONSOLE + "/overview");
        }
        var entered = console.signIn(root.userId(), Steps.PASSWORD, ConsoleClient.CONSOLE + "/users?search=a");
        assertThat(entered.headers().firstValue("Location")).hasValue(ConsoleClient.CONSOLE + "/users?search=a");
    }

    @Test
    void hostileRequestsGetAClearAnswer() throws IOException {
        console.signIn(root.userId());
        var token = console.formToken("/overview");
        for (String page : List.of(
                "/users/nobody",
                "/users/@a:elsewhere.example",
                "/users/%00",
                "/users?search=" + "x".repeat(300),
                "/rooms/!x",
                "/rooms/" + "x".repeat(2_000),
                "/reports/x",
                "/media/%2e%2e",
                "/audit?from=x",
                "/users/@a:localhost/nothing",
                "/tokens/x")) {
            assertThat(console.get(page).status()).as(page).isBetween(400, 414);
        }
        for (String act : List.of(
                "/users/nobody/block",
                "/users/@a:localhost/nothing",
                "/rooms/!x/purge",
                "/tokens",
                "/tokens/x/revoke",
                "/media/x/delete",
                "/reports/x/close",
                "/rate-limits")) {
            assertThat(console.post(act, Map.of("form_token", token, "uses", "-1", "days", "x"), Map.of())
                            .status())
                    .as(act)
                    .isBetween(400, 404);
        }
        assertThat(console.post("/rate-limits", Map.of("x", "y".repeat(70_000)), Map.of())
                        .status())
                .isEqualTo(413);
    }

    private int status(String path) {
        try {
            return console.get(path).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void isSentToSignIn(Answer answer) {
        assertThat(answer.status()).isEqualTo(303);
        assertThat(answer.headers().firstValue("Location").orElseThrow())
                .startsWith(ConsoleClient.CONSOLE + "/sign-in");
    }
}
