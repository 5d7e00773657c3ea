// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.springframework.context.ConfigurableApplicationContext;
import rookery.embedded.Database;
import rookery.embedded.TestServers;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Known;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceName;
import rookery.push.RunningPush;
import rookery.testing.Signing;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Changing push rules (contract.md 12.1) on two instances, with a stand-in for auth-service that checks positions. */
class RuleChangesIT {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String ADA = "@ada:one.example";
    private static final String RULE = "/v3/pushrules/global/";
    private static final String NOTIFY = "{\"actions\":[\"notify\"]}";

    private static KeptAccountData accounts;
    private static List<ConfigurableApplicationContext> instances;

    @BeforeAll
    static void start() throws IOException {
        accounts = KeptAccountData.started();
        var database = TestServers.database("push-service");
        instances = List.of(instance(database), instance(database));
    }

    private static ConfigurableApplicationContext instance(Database database) {
        return RunningPush.start(
                database, "--rookery.instances.addresses.auth-service[0]=127.0.0.1:" + accounts.port());
    }

    @AfterAll
    static void stop() {
        instances.forEach(ConfigurableApplicationContext::close);
        accounts.stop();
    }

    @BeforeEach
    void forget() {
        accounts.forget();
    }

    /** Each row has the requests in order, the answers, and the resulting rules of a kind. */
    @ParameterizedTest
    @CsvFileSource(resources = "refusals.txt", delimiter = '|', quoteCharacter = '`')
    void badRequestIsAnsweredAsTheContractSays(String method, String path, String body, int status, String errcode)
            throws Exception {
        put(0, "override/mine", NOTIFY);
        put(0, "content/pie", "{\"actions\":[],\"pattern\":\"pie\"}");
        var before = accounts.content(1, ADA);
        var answer = call(0, method, "/v3/pushrules/" + path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(JSON.readTree(answer.body()).path("errcode").asString(""))
                .as(answer.body())
                .isEqualTo(errcode);
        assertThat(accounts.content(1, ADA)).isEqualTo(before);
    }

    @Test
    void newRulesStandAboveTheOthersUnlessTheyAreSentElsewhere() throws Exception {
        for (var id : List.of("a", "b", "c")) {
            put(0, "override/" + id, NOTIFY);
        }
        assertThat(own("override")).containsExactly("c", "b", "a");
        put(0, "override/d?before=b", NOTIFY);
        put(1, "override/e?after=a", NOTIFY);
        put(0, "override/f?before=a&after=c", NOTIFY);
        assertThat(own("override")).containsExactly("c", "d", "b", "f", "a", "e");
        put(0, "override/e?before=c", NOTIFY);
        put(0, "override/c?after=a", NOTIFY);
        assertThat(own("override")).containsExactly("e", "d", "b", "f", "a", "c");
        put(0, "override/b", "{\"actions\":[]}");
        put(0, "override/d?before=d", NOTIFY);
        assertThat(own("override")).containsExactly("e", "d", "b", "f", "a", "c");
        assertThat(rules("override"))
                .startsWith(".m.rule.master", "e")
                .endsWith(".m.rule.suppress_edits")
                .hasSize(17);
    }

    @Test
    void ruleIsServedAsItWasSent() throws Exception {
        var body = """
                {"actions":["notify","whatever",{"set_tweak":"sound","value":"ping"},{"set_tweak":"colour","value":{"r":1.5}}],\
                "conditions":[{"kind":"event_match","key":"type","pattern":"m.*"},{"kind":"moon","is":[null,"\\u0000"]}]}""";
        put(0, "override/x%2Cy", body);
        assertThat(get(1, "override/x%2Cy").toString())
                .isEqualTo(JSON.readTree("{\"rule_id\":\"x,y\",\"default\":false,\"enabled\":true," + body.substring(1))
                        .toString());
        put(
                0,
                "content/cake",
                "{\"actions\":[\"coalesce\"],\"pattern\":\"c*ke\",\"conditions\":[{\"kind\":\"moon\"}]}");
        assertThat(get(1, "content/cake").toString())
                .isEqualTo("{\"rule_id\":\"cake\",\"default\":false,\"enabled\":true,\"actions\":[\"coalesce\"],"
                        + "\"pattern\":\"c*ke\"}");
        put(0, "room/!r:one.example", "{\"actions\":[\"dont_notify\"],\"pattern\":\"x\"}");
        assertThat(get(1, "room/!r:one.example").toString())
                .isEqualTo("{\"rule_id\":\"!r:one.example\",\"default\":false,\"enabled\":true,"
                        + "\"actions\":[\"dont_notify\"]}");
    }

    @Test
    void ruleStaysOffUntilItIsTurnedOn() throws Exception {
        put(0, "sender/@bob:one.example", "{\"actions\":[],\"enabled\":false}");
        assertThat(get(0, "sender/@bob:one.example/enabled").toString()).isEqualTo("{\"enabled\":false}");
        put(0, "sender/@bob:one.example", NOTIFY);
        put(0, "sender/@bob:one.example", "{\"actions\":[\"notify\"],\"enabled\":\"yes\"}");
        assertThat(get(0, "sender/@bob:one.example/enabled").toString()).isEqualTo("{\"enabled\":false}");
        put(0, "sender/@bob:one.example/enabled", "{\"enabled\":true}");
        put(0, "sender/@bob:one.example/actions", "{\"actions\":[\"coalesce\"]}");
        assertThat(get(0, "sender/@bob:one.example").toString())
                .contains("\"enabled\":true", "\"actions\":[\"coalesce\"]");
    }

    @Test
    void defaultRulesCanBeChangedAndStayDefault() throws Exception {
        put(0, "override/.m.rule.master/enabled", "{\"enabled\":true}");
        put(1, "underride/.m.rule.message/actions", "{\"actions\":[]}");
        assertThat(get(0, "override/.m.rule.master").toString()).contains("\"default\":true", "\"enabled\":true");
        assertThat(get(0, "underride/.m.rule.message").toString())
                .contains("\"default\":true", "\"actions\":[]", "m.room.message");
        assertThat(accounts.content(1, ADA))
                .isEqualTo(JSON.readTree(call(0, "GET", "/v3/pushrules", "").body()));
    }

    @Test
    void deletedRulesAreGone() throws Exception {
        put(0, "override/a", NOTIFY);
        put(0, "override/b", NOTIFY);
        assertThat(call(1, "DELETE", RULE + "override/a", "").body()).isEqualTo("{}");
        assertThat(call(0, "DELETE", RULE + "override/a", "").statusCode()).isEqualTo(404);
        assertThat(own("override")).containsExactly("b");
    }

    @Test
    void whatChangesNothingIsNotWritten() throws Exception {
        put(0, "override/.m.rule.master/enabled", "{\"enabled\":false}");
        assertThat(accounts.writes()).isZero();
        put(0, "override/a", NOTIFY);
        put(0, "override/a", NOTIFY);
        assertThat(accounts.writes()).isOne();
    }

    @Test
    void rulesAreTheTenantsOwn() throws Exception {
        put(0, "override/a", NOTIFY);
        assertThat(accounts.content(1, ADA)).isNotNull();
        assertThat(accounts.content(2, ADA)).isNull();
    }

    @Test
    void changesOnTwoInstancesAtOnceAreAllMade() throws Exception {
        int many = 50;
        try (var threads = Executors.newFixedThreadPool(many)) {
            var puts = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < many; i++) {
                int n = i;
                puts.add(() ->
                        call(n % 2, "PUT", RULE + "override/rule" + n, NOTIFY).statusCode());
            }
            for (var put : threads.invokeAll(puts)) {
                assertThat(put.get()).isEqualTo(200);
            }
        }
        assertThat(own("override")).hasSize(many).doesNotHaveDuplicates();
        assertThat(accounts.conflicts()).isPositive();
    }

    @Test
    void nobodyHasMoreThanAThousandRules() throws Exception {
        accounts.set(
                1,
                ADA,
                JSON.readTree("{\"global\":{\"override\":[%s],\"room\":[%s]}}"
                        .formatted(rules(0, 600, ""), rules(600, 999, ""))));
        put(0, "underride/last", NOTIFY);
        var answer = call(0, "PUT", RULE + "underride/toomany", NOTIFY);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("M_INVALID_PARAM");
        put(0, "underride/last", "{\"actions\":[]}");
        put(0, "override/.m.rule.master/enabled", "{\"enabled\":true}");
    }

    @Test
    void rulesHaveABoundedSize() throws Exception {
        var large = "\"" + "x".repeat(3900) + "\"";
        var full = JSON.readTree("{\"global\":{\"override\":[%s]}}".formatted(rules(0, 127, large)));
        accounts.set(1, ADA, full);
        var refused = call(0, "PUT", RULE + "override/x", "{\"actions\":[%s]}".formatted(large));
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(413);
        assertThat(refused.body()).contains("M_TOO_LARGE");
        assertThat(accounts.content(1, ADA)).isEqualTo(full);
        assertThat(call(0, "DELETE", RULE + "override/rule7", "").statusCode()).isEqualTo(200);
        for (var rule : List.of(
                "override/y|{\"actions\":[%s,%s]}".formatted(large, large),
                "override/.m.rule.master/actions|{\"actions\":[%s,%s]}".formatted(large, large),
                "content/y|{\"actions\":[],\"pattern\":%s}".formatted(large.replace("x", "xx")))) {
            var answer = call(0, "PUT", RULE + rule.split("\\|", 2)[0], rule.split("\\|", 2)[1]);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(413);
        }
    }

    private static String rules(int from, int to, String action) {
        var rules = new ArrayList<String>();
        for (int i = from; i < to; i++) {
            rules.add("{\"rule_id\":\"rule%d\",\"default\":false,\"enabled\":true,\"actions\":[%s],\"conditions\":[]}"
                    .formatted(i, action));
        }
        return String.join(",", rules);
    }

    private static List<String> own(String kind) throws Exception {
        return rules(kind).stream().filter(id -> !id.startsWith(".")).toList();
    }

    private static List<String> rules(String kind) throws Exception {
        return JSON.readTree(call(1, "GET", "/v3/pushrules/global/", "").body())
                .path(kind)
                .valueStream()
                .map(rule -> rule.path("rule_id").asString())
                .toList();
    }

    private static void put(int instance, String rule, String body) throws Exception {
        var answer = call(instance, "PUT", RULE + rule, body);
        assertThat(answer.body()).isEqualTo("{}");
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    private static JsonNode get(int instance, String rule) throws Exception {
        var answer = call(instance, "GET", RULE + rule, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private static HttpResponse<String> call(int instance, String method, String path, String body) throws Exception {
        var push = instances.get(instance);
        var caller = new Caller(
                new TenantId(1),
                new ServerName("one.example"),
                new Known(new UserId(ADA), new DeviceId("DEVICE"), false),
                "127.0.0.1",
                "request",
                Clock.systemUTC().instant().plus(Duration.ofMinutes(1)));
        var port = push.getEnvironment().getRequiredProperty("local.server.port");
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/_api/client" + path))
                .header(
                        CallerSignature.HEADER,
                        new Signing(ServiceName.PUSH).caller(caller, method, "/_api/client" + path))
                .method(method, BodyPublishers.ofString(body));
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
