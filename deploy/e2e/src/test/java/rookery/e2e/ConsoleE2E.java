// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.e2e.Eventually.eventually;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.htmlunit.WebClient;
import org.htmlunit.html.HtmlAnchor;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlCheckBoxInput;
import org.htmlunit.html.HtmlElement;
import org.htmlunit.html.HtmlInput;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.html.HtmlTextArea;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** Administrators of a tenant in the console, by a browser: every page and every act, seen by its effect (contract.md 5.8). */
@OnOneJvm
class ConsoleE2E {
    /** By which the list shows the token of this class. */
    private static final String USES = "31337";

    private final Rookery rookery;
    private Http http;
    private Session root;
    private Session ada;
    private WebClient browser;

    ConsoleE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void signIn() throws IOException {
        http = rookery.http();
        root = Steps.administrator(rookery, http);
        ada = People.newcomer(http, "ada");
        browser = new WebClient();
        browser.getOptions()
                .setJavaScriptEnabled(
                        false); // its engine does not know the syntax of htmx: deploy/clients has Chromium
        HtmlPage page = browser.getPage(url("/overview"));
        page.<HtmlInput>getHtmlElementById("user").type(root.userId());
        page.<HtmlInput>getHtmlElementById("password").type(Steps.PASSWORD);
        assertThat(press(page, "Sign in").getUrl()).hasPath(ConsoleClient.CONSOLE + "/overview");
    }

    @AfterEach
    void close() {
        browser.close();
        http.close();
    }

    @Test
    void everyPageOfTheNavigationIsThere() throws IOException {
        var links = page("/overview").<HtmlAnchor>getByXPath("//nav[@aria-label='Console']//a");
        assertThat(links).hasSize(9);
        for (var link : links) {
            HtmlPage page = link.click();
            assertThat(page.getByXPath("//nav[@aria-label='Console']//a[@aria-current='page']"))
                    .as(link.getHrefAttribute())
                    .hasSize(1);
            assertThat(page.getByXPath("//main//h1")).hasSize(1);
        }
        assertThat(press(page("/overview"), "Sign out").getUrl()).hasPath(ConsoleClient.CONSOLE + "/sign-in");
    }

    @Test
    void peopleAreFound() throws IOException {
        var page = page("/users");
        page.<HtmlInput>getHtmlElementById("search").type(name(ada));
        var found = press(page, "Search");
        assertThat(found.getByXPath("//div[@id='list']//tbody/tr")).hasSize(1);
        assertThat(text(found)).contains(ada.userId());
    }

    @Test
    void accountsAreBlockedSuspendedAndDeactivated() throws IOException {
        assertThat(text(press(press(account(), "Block"), "Block"))).contains("The account is blocked");
        assertThat(ada.call("GET", "/v3/account/whoami", null).errcode()).isEqualTo("M_USER_LOCKED");
        assertThat(text(press(account(), "Unblock"))).contains("can be used again");
        assertThat(ada.call("GET", "/v3/account/whoami", null).isOk()).isTrue();

        assertThat(text(press(account(), "Suspend"))).contains("is suspended");
        assertThat(ada.call("POST", "/v3/createRoom", Map.of()).errcode()).isEqualTo("M_USER_SUSPENDED");
        press(account(), "End the suspension");
        assertThat(ada.call("POST", "/v3/createRoom", Map.of()).isOk()).isTrue();

        assertThat(text(press(press(account(), "Deactivate"), "Cancel"))).doesNotContain("deactivated");
        assertThat(text(press(press(account(), "Deactivate"), "Deactivate for ever")))
                .contains("The account is deactivated");
        assertThat(ada.call("GET", "/v3/account/whoami", null).status()).isEqualTo(401);
    }

    @Test
    void passwordsDevicesAndRightsAreChanged() throws IOException {
        var phone = Session.login(http, ada.userId());
        press(account(), "Sign out device " + phone.deviceId());
        assertThat(phone.call("GET", "/v3/account/whoami", null).status()).isEqualTo(401);
        assertThat(ada.call("GET", "/v3/account/whoami", null).isOk()).isTrue();

        var form = press(account(), "Reset password");
        form.<HtmlInput>getHtmlElementById("new_password").type("another Password 42 of Ada");
        form.<HtmlCheckBoxInput>getHtmlElementById("logout_devices").setChecked(false);
        press(form, "Set password");
        assertThat(ada.call("GET", "/v3/account/whoami", null).isOk()).isTrue();
        assertThat(Steps.login(http, ada.userId(), "another Password 42 of Ada", Map.of())
                        .isOk())
                .isTrue();

        press(press(account(), "Make administrator"), "Make administrator");
        assertThat(ada.call("GET", "/v3/admin/users?limit=1", null).isOk()).isTrue();
        press(press(account(), "Remove as administrator"), "Remove as administrator");
        assertThat(ada.call("GET", "/v3/admin/users?limit=1", null).status()).isEqualTo(403);

        var data = browser.getPage(url("/users/" + Paths.encoded(ada.userId()) + "/data"))
                .getWebResponse();
        assertThat(data.getContentType()).isEqualTo("application/zip");
        assertThat(data.getContentAsString(StandardCharsets.ISO_8859_1)).startsWith("PK");
    }

    @Test
    void roomsAreModeratedAndDeleted() throws IOException {
        var bob = People.newcomer(http, "bob");
        var room = ada.createRoom(Map.of("preset", "public_chat", "name", "Tea of " + ada.userId()));
        bob.join(room);
        var search = "/rooms?search=" + Paths.encoded("Tea of " + ada.userId());
        eventually(() -> page(search).getFirstByXPath("//a[.='Tea of %s']".formatted(ada.userId())) != null);
        HtmlPage shown = page(search).getAnchorByText("Tea of " + ada.userId()).click();
        assertThat(text(shown)).contains(room, "2 joined");

        assertThat(text(press(shown, "Members"))).contains("2 found", ada.userId(), bob.userId(), "100");
        assertThat(text(press(room(room), "Messages")))
                .as("members of a public room only")
                .contains("You are not in this room");

        var kick = press(shown, "Remove a person");
        kick.<HtmlInput>getHtmlElementById("user_id").type(bob.userId());
        press(kick, "Remove");
        assertThat(bob.get("/v3/joined_rooms").toString()).doesNotContain(room);
        bob.join(room);
        var ban = press(press(room(room), "Members"), "Ban " + bob.userId());
        ban.<HtmlInput>getHtmlElementById("reason").type("enough");
        press(ban, "Ban");
        assertThat(bob.call("POST", "/v3/join/" + Paths.encoded(room), Map.of()).status())
                .isEqualTo(403);
        var gone = press(press(room(room), "Delete the room"), "Delete for ever");
        assertThat(text(gone)).contains("The room is gone", room, root.userId());
        eventually(() -> purge(room).contains("done"));
        assertThat(ada.get("/v3/joined_rooms").toString()).doesNotContain(room);
    }

    /** The row of the room among the deleted rooms. */
    private String purge(String room) throws IOException {
        return page("/purges")
                .<HtmlElement>getFirstByXPath("//tr[contains(., '" + room + "')]")
                .asNormalizedText();
    }

    @Test
    void membersReadTheMessagesOfTheirRoomInTheConsole() throws IOException {
        var room = ada.createRoom(Map.of("preset", "public_chat", "name", "Coffee"));
        root.join(room);
        ada.say(room, "two cups of " + ada.userId());
        assertThat(text(press(room(room), "Messages"))).contains("two cups of " + ada.userId());
        assertThat(text(account())).contains("In 1 rooms", room);
        assertThat(text(press(press(account(), "Remove messages"), "Remove messages")))
                .contains("are being removed");
        eventually(() -> !text(press(room(room), "Messages")).contains("two cups of"));
        ada.say(room, "two cups of " + ada.userId());
        var api = root.get("/v3/admin/rooms/" + Paths.encoded(room) + "/messages?limit=1");
        assertThat(api.at("/chunk/0/content/body").asString()).isEqualTo("two cups of " + ada.userId());
        var older = root.get("/v3/admin/rooms/" + Paths.encoded(room) + "/messages?limit=1&from="
                + Paths.encoded(api.path("end").asString()));
        assertThat(older.at("/chunk/0/event_id").asString())
                .isNotEqualTo(api.at("/chunk/0/event_id").asString());
    }

    @Test
    void listsAreSortedByTheirHeadings() throws IOException {
        People.newcomer(http, "abe");
        var byTime = press(page("/users"), "Since");
        var newestFirst = firstUsers(byTime);
        var oldestFirst = firstUsers(press(byTime, "Since"));
        assertThat(newestFirst).isNotEqualTo(oldestFirst);
        assertThat(byTime.<HtmlElement>getFirstByXPath("//th[normalize-space(.)='Since']")
                        .getAttribute("aria-sort"))
                .isEqualTo("descending");
        var all = new ArrayList<String>();
        for (String from = ""; from != null; ) {
            var answer = root.get("/v3/admin/users?limit=7&order_by=created_at&dir=b&from=" + from);
            answer.path("users").forEach(user -> all.add(user.path("user_id").asString()));
            from = answer.has("next_batch")
                    ? Paths.encoded(answer.path("next_batch").asString())
                    : null;
        }
        assertThat(all).doesNotHaveDuplicates().contains(root.userId(), ada.userId());
        for (String order :
                List.of("order_by=password&limit=7", "order_by=created_at", "order_by=created_at&limit=7&dir=x")) {
            assertThat(root.call("GET", "/v3/admin/users?" + order, null).errcode())
                    .isEqualTo("M_INVALID_PARAM");
        }
    }

    private static List<String> firstUsers(HtmlPage list) {
        return list.<HtmlAnchor>getByXPath("//div[@id='list']//tbody/tr/td[1]/a").stream()
                .map(HtmlAnchor::getTextContent)
                .limit(3)
                .toList();
    }

    @Test
    void reportsAreReadAndClosed() throws IOException {
        var room = ada.createRoom(Map.of("preset", "public_chat", "name", "Quarrel"));
        root.join(room);
        var event = ada.say(room, "an insult of " + ada.userId());
        root.call("POST", "/v3/rooms/" + room + "/report/" + event, Map.of("reason", "rude to " + ada.userId()))
                .ok();
        HtmlPage report = page("/reports")
                .<HtmlAnchor>getFirstByXPath("//tr[contains(., 'rude to " + ada.userId() + "')]//a")
                .click();
        assertThat(text(report)).contains("an insult of " + ada.userId(), "rude to", root.userId());
        report.<HtmlTextArea>getHtmlElementById("note").type("warned");
        press(report, "Close the report");
        assertThat(text(page("/reports"))).doesNotContain("rude to " + ada.userId());
        assertThat(text(page("/reports?filter=closed"))).contains("rude to " + ada.userId());
    }

    @Test
    void registrationTokensAreMadeAndRevoked() throws IOException {
        var form = page("/tokens");
        form.<HtmlInput>getHtmlElementById("uses").setValue(USES);
        var made = press(form, "Make a token");
        var token = made.getFirstByXPath("//code[@class='token']/text()").toString();
        String validity = "/v1/register/m.login.registration_token/validity?token=" + token;
        assertThat(http.call("GET", validity, null, null).text()).contains("true");
        var revoke = page("/tokens")
                .<HtmlButton>getFirstByXPath("//tr[td[@data-label='Uses left']='%s']//button".formatted(USES));
        revoke.click();
        assertThat(http.call("GET", validity, null, null).text()).contains("false");
    }

    @Test
    void limitsAreChangedAndTheAuditTrailTells() throws IOException {
        var form = page("/rate-limits");
        form.<HtmlInput>getHtmlElementById("max_requests").setValue("1000000");
        form.<HtmlTextArea>getHtmlElementById("exempt_ips").setText("192.0.2.0/24\n2001:db8::/32");
        assertThat(text(press(form, "Save"))).contains("Saved.", "Changed by " + root.userId());
        var changed = root.get("/v3/admin/rate-limits");
        assertThat(changed.path("max_requests").asInt()).isEqualTo(1_000_000);
        assertThat(changed.path("exempt_ips").toString()).isEqualTo("[\"192.0.2.0/24\",\"2001:db8::/32\"]");

        press(press(account(), "Block"), "Block");
        var records = page("/audit?target=" + Paths.encoded(ada.userId()));
        assertThat(text(records)).contains("block", root.userId(), "done");
        var csv = browser.getPage(url("/audit/records.csv?action=block&target=" + Paths.encoded(ada.userId())))
                .getWebResponse();
        assertThat(csv.getContentAsString().lines().toList())
                .hasSize(2)
                .last()
                .asString()
                .contains("\"" + root.userId() + "\",\"block\",\"" + ada.userId() + "\"", "\"200\"");
        var listed = root.get("/v3/admin/audit?limit=1&target=" + Paths.encoded(ada.userId()));
        assertThat(listed.at("/records/0/action").asString())
                .isIn("see user", "whois", "list rooms of user", "see addresses");
        var next = root.get("/v3/admin/audit?limit=1&action=block&target=" + Paths.encoded(ada.userId()) + "&from="
                + listed.path("next_batch").asString());
        assertThat(next.at("/records/0/actor").asString()).isEqualTo(root.userId());
    }

    @Test
    void longAndHostileNamesFitOnThePage() throws IOException {
        for (String name : List.of("\u202egnp.exe\u2066", "😀".repeat(64), "<b>bold</b>", "x".repeat(256))) {
            ada.put("/v3/profile/" + ada.userId() + "/displayname", Map.of("displayname", name));
            var html = account().getWebResponse().getContentAsString();
            assertThat(html.length()).isLessThan(8_000);
            assertThat(html).doesNotContain("<b>bold");
        }
    }

    private HtmlPage account() throws IOException {
        return page("/users/" + Paths.encoded(ada.userId()));
    }

    private HtmlPage room(String room) throws IOException {
        return page("/rooms/" + Paths.encoded(room));
    }

    private HtmlPage page(String path) throws IOException {
        return browser.getPage(url(path));
    }

    private String url(String path) {
        return "http://localhost:" + rookery.plan().port() + ConsoleClient.CONSOLE + path;
    }

    /** Presses the button or link with the text or label. */
    private static HtmlPage press(HtmlPage page, String label) throws IOException {
        var element = page.<HtmlElement>getFirstByXPath(
                "//*[self::button or self::a][normalize-space(.)='%s' or @aria-label='%s']".formatted(label, label));
        assertThat(element).as(label + " in " + page.getUrl()).isNotNull();
        return element.click();
    }

    private static String text(HtmlPage page) {
        return page.getBody().asNormalizedText();
    }

    private static String name(Session session) {
        return session.userId().substring(1, session.userId().indexOf(':'));
    }
}
