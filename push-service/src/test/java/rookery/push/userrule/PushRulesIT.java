// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import rookery.embedded.TestServers;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Reason;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceName;
import rookery.push.RunningPush;
import rookery.testing.Signing;
import tools.jackson.databind.json.JsonMapper;

/** Push rules over HTTP (contract.md 12.1), with a stand-in for auth-service: ada has own rules, bob has none. */
class PushRulesIT {
    private static final Signing SIGNING = new Signing(ServiceName.PUSH);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Caller.Identity ADA = user("@ada:one.example");
    private static final Caller.Identity BOB = user("@bob:one.example");

    private static HttpServer accounts;
    private static ConfigurableApplicationContext push;

    @BeforeAll
    static void start() throws IOException {
        accounts = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        accounts.createContext("/internal/users/", PushRulesIT::accountData);
        accounts.start();
        push = RunningPush.start(
                TestServers.database("push-service"),
                "--rookery.instances.addresses.auth-service[0]=127.0.0.1:"
                        + accounts.getAddress().getPort());
    }

    @AfterAll
    static void stop() {
        push.close();
        accounts.stop(0);
    }

    private static void accountData(HttpExchange exchange) throws IOException {
        boolean isAda =
                exchange.getRequestURI().getPath().equals("/internal/users/@ada:one.example/account-data/m.push_rules");
        String current = isAda ? """
                {"pos":3,"content":{"global":{
                  "content":[{"rule_id":"a/b","default":false,"enabled":true,"actions":["notify"],"pattern":"cake"}],
                  "underride":[{"rule_id":".m.rule.message","default":true,"enabled":false,"actions":[],"conditions":[]}]}}}
                """ : "{\"pos\":0}";
        byte[] answer = current.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/v3/pushrules, true",
        "/v3/pushrules/, true",
        "/v3/pushrules/global, false",
        "/v3/pushrules/global/, false"
    })
    void newUserHasTheDefaultRulesUnderEverySpelling(String path, boolean wrapped) throws Exception {
        var answer = get(BOB, path);
        var global = wrapped ? JSON.readTree(answer.body()).get("global") : JSON.readTree(answer.body());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(global).isEqualTo(JSON.valueToTree(DefaultRules.of(new UserId("@bob:one.example"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "content/a%2Fb | {\"rule_id\":\"a/b\",\"default\":false,\"enabled\":true,\"actions\":[\"notify\"],\"pattern\":\"cake\"}",
                "content/a%2Fb/enabled | {\"enabled\":true}",
                "content/a%2Fb/actions | {\"actions\":[\"notify\"]}",
                "underride/.m.rule.message/enabled | {\"enabled\":false}",
                "override/.m.rule.master/actions | {\"actions\":[]}",
            })
    void rulesAreServedOneByOne(String rule, String expected) throws Exception {
        assertThat(get(ADA, "/v3/pushrules/global/" + rule).body()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "global/override/nothing, M_NOT_FOUND",
        "global/content/.m.rule.master, M_NOT_FOUND",
        "device/override/.m.rule.master, M_NOT_FOUND",
        "global/sideways/.m.rule.master, M_NOT_FOUND",
        "global/override/nothing/enabled, M_NOT_FOUND",
        "global/override/.m.rule.master/colour, M_UNRECOGNIZED",
        "global/override, M_UNRECOGNIZED",
    })
    void whatIsNotThereIsNotFound(String path, String errcode) throws Exception {
        var answer = get(ADA, "/v3/pushrules/" + path);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(answer.body()).path("errcode").stringValue()).isEqualTo(errcode);
    }

    @Test
    void rulesNeedAToken() throws Exception {
        assertThat(get(new Anonymous(Reason.MISSING), "/v3/pushrules/").statusCode())
                .isEqualTo(401);
    }

    @Test
    void syncIsToldTheContentOfTheAccountData() throws Exception {
        var answer = sent(request("/internal/push-rules?tenant=1&user=%40ada%3Aone.example")
                .header(ServiceCredential.HEADER, SIGNING.credential(ServiceName.SYNC, "GET", "/internal/push-rules")));
        assertThat(answer.body()).isEqualTo(get(ADA, "/v3/pushrules").body());
        assertThat(sent(request("/internal/push-rules?tenant=1&user=%40ada%3Aone.example"))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void countsAndReadinessAreAnswered() throws Exception {
        var stats = SIGNING.credential(ServiceName.ADMIN, "GET", "/internal/stats");
        assertThat(sent(request("/internal/stats?tenant=1").header(ServiceCredential.HEADER, stats))
                        .body())
                .isEqualTo("{\"pushers\":0}");
        var ready = SIGNING.credential(ServiceName.GATEWAY, "GET", "/internal/ready");
        assertThat(sent(request("/internal/ready").header(ServiceCredential.HEADER, ready))
                        .statusCode())
                .isEqualTo(200);
    }

    private static Caller.Identity user(String id) {
        return new Known(new UserId(id), new DeviceId("DEVICE"), false);
    }

    private static HttpResponse<String> get(Caller.Identity identity, String path) throws Exception {
        var caller = new Caller(
                new TenantId(1),
                new ServerName("one.example"),
                identity,
                "127.0.0.1",
                "request",
                Clock.systemUTC().instant().plus(Duration.ofMinutes(1)));
        return sent(request("/_api/client" + path)
                .header(CallerSignature.HEADER, SIGNING.caller(caller, "GET", "/_api/client" + path)));
    }

    private static HttpRequest.Builder request(String path) {
        var port = push.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private static HttpResponse<String> sent(HttpRequest.Builder request) throws Exception {
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
