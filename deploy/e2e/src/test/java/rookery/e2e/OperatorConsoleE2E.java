// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.stream.Stream;
import org.htmlunit.FailingHttpStatusCodeException;
import org.htmlunit.HttpMethod;
import org.htmlunit.WebClient;
import org.htmlunit.WebRequest;
import org.htmlunit.html.HtmlCheckBoxInput;
import org.htmlunit.html.HtmlElement;
import org.htmlunit.html.HtmlInput;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.html.HtmlSelect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.running.Rookery;

/** Operators in their console, by a browser, and what others try there (contract.md 20). */
@OnOneJvm
class OperatorConsoleE2E {
    private final Rookery rookery;
    private WebClient browser;

    OperatorConsoleE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void signIn() throws IOException {
        browser = new WebClient();
        browser.getOptions().setJavaScriptEnabled(false);
        signIn(rookery.operator().token());
    }

    @AfterEach
    void close() {
        browser.close();
    }

    @Test
    void tenantIsMadeChangedSuspendedAndDeleted() throws IOException {
        var name = People.name("house") + ".example";
        var form = page("/tenants");
        form.<HtmlInput>getHtmlElementById("server_name").type(name);
        var made = press(form, "Make the tenant");
        assertThat(made.getFirstByXPath("//code[@class='token']/text()").toString())
                .isNotBlank();

        var settings = page("/tenants/" + name);
        settings.<HtmlInput>getHtmlElementById("max_users").type("7");
        settings.<HtmlSelect>getHtmlElementById("registration").setSelectedAttribute("token", true);
        settings.<HtmlSelect>getHtmlElementById("presence").setSelectedAttribute("false", true);
        press(settings, "Save");
        var operator = new OperatorCalls(rookery);
        var shown = operator.call("GET", "/tenants/" + name, Map.of()).ok().path("settings");
        assertThat(shown.path("max_users").asInt()).isEqualTo(7);
        assertThat(shown.path("registration").asString()).isEqualTo("token");
        assertThat(shown.path("presence").asBoolean(true)).isFalse();
        press(page("/tenants/" + name), "Save");
        assertThat(operator.call("GET", "/tenants/" + name, Map.of()).ok().path("settings"))
                .as("a form that nobody has changed changes nothing")
                .isEqualTo(shown);

        var host = page("/tenants/" + name);
        host.<HtmlInput>getHtmlElementById("host").type("chat." + name);
        assertThat(text(press(host, "Add"))).contains("chat." + name);
        press(page("/tenants/" + name), "Remove chat." + name);
        assertThat(text(press(press(page("/tenants/" + name), "Suspend"), "Suspend")))
                .contains("suspended");
        assertThat(text(press(page("/tenants/" + name), "Resume"))).contains("active");
        assertThat(text(press(press(page("/tenants/" + name), "Delete"), "Delete")))
                .contains("deleting", "Deletion");
        var erase = press(page("/tenants/" + name), "Delete the data now");
        erase.<HtmlInput>getHtmlElementById("server_name").type("other.example");
        assertThat(refusal(erase, "Delete all data now")).isEqualTo(400);
        assertThat(text(page("/tenants?search=" + name))).contains(name, "deleting");
        assertThat(text(page("/jobs"))).contains(name, "deletion", "due ");
    }

    @Test
    void operatorsReadOnlyOrNothingAfterRevocation() throws IOException {
        var form = page("/operators");
        var name = People.name("reader");
        form.<HtmlInput>getHtmlElementById("name").type(name);
        form.<HtmlCheckBoxInput>getHtmlElementById("writes").setChecked(false);
        var token = press(form, "Make the operator")
                .getFirstByXPath("//code[@class='token']/text()")
                .toString();
        try (var reader = new WebClient()) {
            var own = browser;
            browser = reader;
            reader.getOptions().setJavaScriptEnabled(false);
            signIn(token);
            assertThat(refusal(press(page("/tenants/localhost"), "Suspend"), "Suspend"))
                    .isEqualTo(403);
            browser = own;
            press(page("/operators"), "Revoke " + name);
            browser = reader;
            assertThat(page("/tenants").getUrl()).hasPath(ConsoleClient.CONSOLE + "/sign-in");
            browser = own;
        }
    }

    /** An instance that is too busy to answer the first look within two seconds is shown after the next. */
    @Test
    void everyInstanceIsShown() throws IOException {
        assertThat(new OperatorCalls(rookery)
                        .call("GET", "/push-gateways", Map.of())
                        .ok()
                        .path("gateways")
                        .isArray())
                .isTrue();
        Eventually.eventually(() -> {
            var health = text(page("/health"));
            return Stream.of(
                            "Alerts",
                            "gateway-1",
                            "room-service-1",
                            "admin-service-1",
                            "0.2.0",
                            "Refused requests",
                            "Pushes of the last hour")
                    .allMatch(health::contains);
        });
    }

    @Test
    void formsOfOtherSitesAndStrangersAreRefused() throws IOException {
        var suspend =
                new WebRequest(URI.create(url("/tenants/localhost/suspend")).toURL(), HttpMethod.POST);
        suspend.setAdditionalHeader("Origin", "https://evil.example");
        assertThat(refusal(suspend)).isEqualTo(403);
        suspend.setAdditionalHeader("Origin", rookery.operator().base().toString());
        assertThat(refusal(suspend)).as("without the token of the session").isEqualTo(403);
        press(page("/tenants"), "Sign out");
        assertThat(page("/tenants").getUrl()).hasPath(ConsoleClient.CONSOLE + "/sign-in");
        var stranger = page("/sign-in");
        stranger.<HtmlInput>getHtmlElementById("token").type("rkp_wrong");
        assertThat(refusal(stranger, "Sign in")).isEqualTo(401);
        assertThat(new OperatorCalls(rookery)
                        .call("GET", "/tenants/localhost", Map.of())
                        .ok()
                        .path("state")
                        .asString())
                .isEqualTo("active");
    }

    /** The gateway has no way to the console of operators. */
    @Test
    void consoleOfATenantHasNoTenants() throws IOException {
        try (var console = new ConsoleClient(rookery, "localhost")) {
            var http = rookery.http();
            console.signIn(Steps.administrator(rookery, http).userId());
            for (String path : new String[] {"/tenants", "/operators", "/health", "/tenants/localhost"}) {
                assertThat(console.get(path).status()).as(path).isEqualTo(404);
            }
            var token = console.formToken("/overview");
            assertThat(console.post("/tenants", Map.of("form_token", token, "server_name", "x.example"), Map.of())
                            .status())
                    .isEqualTo(404);
            http.close();
        }
    }

    private void signIn(String token) throws IOException {
        var page = page("/sign-in");
        page.<HtmlInput>getHtmlElementById("token").type(token);
        assertThat(press(page, "Sign in").getUrl()).hasPath(ConsoleClient.CONSOLE + "/tenants");
    }

    private HtmlPage page(String path) throws IOException {
        return browser.getPage(url(path));
    }

    private String url(String path) {
        return rookery.operator().base() + ConsoleClient.CONSOLE + path;
    }

    private static HtmlPage press(HtmlPage page, String label) throws IOException {
        var element = page.<HtmlElement>getFirstByXPath(
                "//*[self::button or self::a][normalize-space(.)='%s' or @aria-label='%s']".formatted(label, label));
        assertThat(element).as(label + " in " + page.getUrl()).isNotNull();
        return element.click();
    }

    private static int refusal(HtmlPage page, String label) throws IOException {
        try {
            press(page, label);
            return 200;
        } catch (FailingHttpStatusCodeException e) {
            return e.getStatusCode();
        }
    }

    private int refusal(WebRequest request) throws IOException {
        try {
            browser.getPage(request);
            return 200;
        } catch (FailingHttpStatusCodeException e) {
            return e.getStatusCode();
        }
    }

    private static String text(HtmlPage page) {
        return page.getBody().asNormalizedText();
    }
}
