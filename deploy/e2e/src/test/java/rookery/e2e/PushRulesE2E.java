// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Push rules through the gateway, and on their way to {@code /sync} (contract.md 12.1). */
@OnOneJvm
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PushRulesE2E {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String RULES = "/v3/pushrules";
    private static final String MINE = RULES + "/global/override/mine";
    private static final Map<String, ?> NOTIFY = Map.of("actions", List.of("notify"));
    private static final int SECONDS_UNTIL_WOKEN = 20;
    private static final int MESSAGES = 60;

    private final Rookery rookery;
    private List<Session> travellers;

    PushRulesE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeAll
    void register() throws IOException {
        var standard = Http.to(rookery.site().withPrefix(TenantAddress.MATRIX));
        travellers = List.of(People.newcomer(rookery.http(), "native"), People.newcomer(standard, "standard"));
    }

    /** The rows of the file are one journey, made under both prefixes. */
    @ParameterizedTest
    @CsvFileSource(resources = "push-rules.txt", delimiter = '|', quoteCharacter = '`')
    void rowIsAnsweredAsTheContractSays(String method, String path, String body, int status, String expected)
            throws IOException {
        for (var user : travellers) {
            var answer = user.http().raw(method, RULES + path, Map.of("Authorization", "Bearer " + user.token()), body);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
            if (expected.startsWith("{")) {
                assertThat(answer.json()).isEqualTo(JSON.readTree(expected));
            } else if (!expected.equals("?")) {
                assertThat(answer.errcode()).as(answer.toString()).isEqualTo(expected);
            }
        }
    }

    @Test
    void rulesNeedAToken() throws IOException {
        try (var http = rookery.http()) {
            assertThat(http.call("GET", RULES + "/", null, null).errcode()).isEqualTo("M_MISSING_TOKEN");
            assertThat(http.call("PUT", MINE, null, NOTIFY).errcode()).isEqualTo("M_MISSING_TOKEN");
            assertThat(http.call("DELETE", MINE, "nonsense", null).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        }
    }

    /** Every sync response contains the rules, so the test checks that the poll ends. */
    @Test
    void everyChangeEndsAParkedPoll() throws Exception {
        try (var http = rookery.http();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ada = People.newcomer(http, "ada");
            var since = ada.sync(SyncQuery.initial()).path("next_batch").asString();
            var changes = List.<Callable<?>>of(
                    () -> ada.put(MINE, NOTIFY),
                    () -> ada.put(MINE + "/enabled", Map.of("enabled", false)),
                    () -> ada.put(MINE + "/actions", Map.of("actions", List.of())),
                    () -> ada.put(RULES + "/global/override/.m.rule.master/enabled", Map.of("enabled", true)),
                    () -> ada.call("DELETE", MINE, null).ok());
            for (var change : changes) {
                var parked = since;
                var before = ada.get(RULES);
                var poll = threads.submit(
                        () -> ada.syncUntil(parked, sync -> !rulesOf(sync).equals(before)));
                change.call();
                var news = poll.get(SECONDS_UNTIL_WOKEN, TimeUnit.SECONDS);
                assertThat(rulesOf(news)).isEqualTo(ada.get(RULES));
                since = news.path("next_batch").asString();
            }
            assertThat(ada.get(RULES + "/global/override/.m.rule.master/enabled")
                            .path("enabled")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void changesAtOnceAreAllMade() throws Exception {
        int many = 20; // one waits for the other, and the last one at most as long as the gateway waits for an answer
        try (var http = rookery.http();
                var threads = Executors.newFixedThreadPool(many)) {
            var ada = People.newcomer(http, "ada");
            var puts = new ArrayList<Callable<JsonNode>>();
            for (int i = 0; i < many; i++) {
                var rule = RULES + "/global/override/rule" + i;
                puts.add(() -> ada.put(rule, NOTIFY));
            }
            for (var put : threads.invokeAll(puts)) {
                put.get();
            }
            assertThat(own(ada)).hasSize(many).doesNotHaveDuplicates();
            assertThat(rulesOf(ada.sync(SyncQuery.initial()))).isEqualTo(ada.get(RULES));
            assertThat(ada.get("/v3/user/%s/account_data/m.push_rules".formatted(Paths.encoded(ada.userId()))))
                    .isEqualTo(ada.get(RULES));
        }
    }

    /** Each message is sent as soon as the change before it was answered, and counted before the next change. */
    @Test
    void everyMessageAfterAChangeIsJudgedByIt() throws Exception {
        var push = new PushProgress(rookery);
        try (var http = rookery.http()) {
            var ada = People.newcomer(http, "ada");
            var bob = People.newcomer(http, "bob");
            var room = bob.createRoom(Map.of("preset", "public_chat"));
            ada.join(room);
            var rule = RULES + "/global/room/" + Paths.encoded(room);
            var notified = new ArrayList<String>();
            for (int i = 0; i < MESSAGES / 2; i++) {
                ada.put(rule, Map.of("actions", List.of()));
                bob.say(room, "muted " + i);
                push.everything();
                ada.call("DELETE", rule, null).ok();
                notified.add(bob.say(room, "heard " + i));
                push.everything();
            }
            assertThat(ada.get("/v3/notifications?limit=100")
                            .path("notifications")
                            .valueStream()
                            .map(each -> each.path("event").path("event_id").asString()))
                    .containsExactlyInAnyOrderElementsOf(notified);
        }
    }

    @Test
    void rulesAreOnesOwn() throws IOException {
        try (var http = rookery.http();
                var elsewhere = Http.to(rookery.site(SharedRookery.SECOND_TENANT))) {
            var name = People.name("ada");
            var ada = Session.register(http, name);
            var namesake = Session.register(elsewhere, name);
            var bob = People.newcomer(http, "bob");
            ada.put(MINE, NOTIFY);
            for (var other : List.of(namesake, bob)) {
                assertThat(own(other)).isEmpty();
                assertThat(other.call("DELETE", MINE, null).errcode()).isEqualTo("M_NOT_FOUND");
            }
            assertThat(own(ada)).containsExactly("mine");
        }
    }

    private static List<String> own(Session user) throws IOException {
        return user.get(RULES + "/")
                .path("global")
                .path("override")
                .valueStream()
                .map(rule -> rule.path("rule_id").asString())
                .filter(id -> !id.startsWith("."))
                .toList();
    }

    private static JsonNode rulesOf(JsonNode sync) {
        return sync.path("account_data")
                .path("events")
                .valueStream()
                .filter(event -> event.path("type").asString().equals("m.push_rules"))
                .map(event -> event.path("content"))
                .findFirst()
                .orElseThrow();
    }
}
