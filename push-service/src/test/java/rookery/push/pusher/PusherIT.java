// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import rookery.embedded.Database;
import rookery.embedded.Deadline;
import rookery.embedded.TestServers;
import rookery.model.id.DeviceId;
import rookery.push.PushNode;
import rookery.push.PushNode.Answer;
import rookery.push.PushNode.UserDevice;
import rookery.testing.SetClock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pushers over HTTP (contract.md 12.6), on two instances. */
class PusherIT {
    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern LONG = Pattern.compile("LONG(\\d+)");
    private static final UserDevice ADA = UserDevice.of("ada");
    private static final UserDevice BOB = UserDevice.of("bob");
    private static final String URL = "https://push.example/_matrix/push/v1/notify";
    private static final String PUSHER = """
            {"pushkey":"key","kind":"http","app_id":"app","app_display_name":"App","device_display_name":"Phone",\
            "lang":"en","url":"%s"}""".formatted(URL);

    private static Database database;
    private static List<PushNode> nodes;

    @BeforeAll
    static void start() {
        database = TestServers.database("push-service");
        var clock = new SetClock();
        nodes = List.of(
                new PushNode(database, clock, "--rookery.push.allow-http=false", "--rookery.push.allow-private=false"),
                new PushNode(database, clock));
    }

    @AfterAll
    static void stop() {
        nodes.forEach(PushNode::close);
    }

    @BeforeEach
    void forget() {
        database.execute("DELETE FROM push.pusher");
    }

    /** {@code WITH x} is a valid pusher with the additional fields x; later fields win. */
    @ParameterizedTest
    @CsvFileSource(resources = "refusals.txt", delimiter = '|', quoteCharacter = '`')
    void badPusherIsRefusedAsTheContractSays(String written, String errcode, String named) {
        var body = written.startsWith("WITH ")
                ? PUSHER.substring(0, PUSHER.length() - 1) + "," + written.substring(5) + "}"
                : written;
        var longer = LONG.matcher(body).replaceAll(match -> "x".repeat(Integer.parseInt(match.group(1))));
        for (var path : List.of("/v3/pushers", "/v3/pushers/set")) {
            var answer = nodes.getFirst().call(ADA, "POST", path, longer);
            assertThat(answer.errcode()).as(answer.body().toString()).isEqualTo(errcode);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body().path("error").asString()).contains(named == null ? "" : named);
        }
        assertThat(all(ADA)).isEmpty();
    }

    @Test
    void pusherIsServedAsItWasSet() {
        ok(post(ADA, with("\"profile_tag\":\"home\",\"data\":{\"format\":\"event_id_only\",\"x\":[1.5,\"\\u0000\"]}")));
        assertThat(all(ADA)).containsExactly(JSON.readTree("""
                {"app_display_name":"App","data":{"format":"event_id_only","url":"%s","x":[1.5,"\\u0000"]},
                 "device_display_name":"Phone","lang":"en","profile_tag":"home","pushkey":"key","kind":"http","app_id":"app",
                 "url":"%s"}""".formatted(URL, URL)));
    }

    @Test
    void urlMayStandInDataAndBothPathsDoTheSame() {
        var inData = PUSHER.replace("\"url\":\"" + URL + "\"", "\"data\":{\"url\":\"" + URL + "\"}");
        ok(nodes.getFirst().call(ADA, "POST", "/v3/pushers/set", inData));
        var first = all(ADA);
        ok(post(ADA, with("\"data\":{\"url\":\"" + URL + "\"}")));
        assertThat(all(ADA)).isEqualTo(first).hasSize(1);
    }

    @Test
    void settingAgainChangesThePusherAndLeavesItWhereItIs() {
        ok(post(ADA, PUSHER));
        ok(post(ADA, with("\"pushkey\":\"other\"")));
        ok(post(ADA, with("\"lang\":\"de\"")));
        assertThat(all(ADA)).extracting(p -> p.path("pushkey").asString()).containsExactly("key", "other");
        assertThat(all(ADA).getFirst().path("lang").asString()).isEqualTo("de");
    }

    @Test
    void kindNullDeletesWhetherOrNotItIsThere() {
        ok(post(ADA, PUSHER));
        ok(post(ADA, with("\"app_id\":\"two\"")));
        var deletion = "{\"kind\":null,\"pushkey\":\"key\",\"app_id\":\"app\"}";
        ok(nodes.get(1).call(ADA, "POST", "/v3/pushers/set", deletion));
        ok(post(ADA, deletion));
        assertThat(all(ADA)).extracting(p -> p.path("app_id").asString()).containsExactly("two");
    }

    @Test
    void deletionTakesAllAppsOrOne() {
        ok(post(ADA, with("\"pushkey\":\"a/b c\"")));
        ok(post(ADA, with("\"pushkey\":\"a/b c\",\"app_id\":\"two\"")));
        ok(post(ADA, with("\"pushkey\":\"a/b c\",\"app_id\":\"three\"")));
        assertThat(delete(ADA, "a%2Fb%20c?app_id=").errcode())
                .as("no app is called so, and the others keep their pushers")
                .isEqualTo("M_NOT_FOUND");
        ok(delete(ADA, "a%2Fb%20c?app_id=two"));
        assertThat(all(ADA)).hasSize(2);
        assertThat(delete(ADA, "a%2Fb%20c?app_id=two").errcode()).isEqualTo("M_NOT_FOUND");
        assertThat(delete(BOB, "a%2Fb%20c").status()).isEqualTo(404);
        ok(delete(ADA, "a%2Fb%20c"));
        assertThat(delete(ADA, "a%2Fb%20c").status()).isEqualTo(404);
        assertThat(delete(ADA, "%00").status()).isEqualTo(404);
        assertThat(delete(ADA, "x?app_id=%00").status()).isEqualTo(404);
        assertThat(delete(ADA, "x".repeat(2000)).status()).isEqualTo(404);
        assertThat(all(ADA)).isEmpty();
    }

    @Test
    void pushkeyIsTakenFromOthersOfTheTenantUnlessAppended() {
        var elsewhere = new UserDevice(2, "ada", "DEVICE");
        ok(post(elsewhere, PUSHER));
        ok(post(ADA, PUSHER));
        ok(post(BOB, with("\"append\":true")));
        assertThat(all(ADA)).hasSize(1);
        ok(post(BOB, PUSHER));
        assertThat(all(ADA)).isEmpty();
        assertThat(all(BOB)).hasSize(1);
        assertThat(all(elsewhere)).hasSize(1);
    }

    @Test
    void onlyOneOfManyWhoSetAPushkeyAtOnceHasItAfterwards() throws Exception {
        int many = 20;
        try (var threads = Executors.newFixedThreadPool(many)) {
            var posts = new ArrayList<Callable<Answer>>();
            for (int i = 0; i < many; i++) {
                int n = i;
                posts.add(() -> comingAgain(
                        () -> nodes.get(n % 2).call(UserDevice.of("user" + n), "POST", "/v3/pushers", PUSHER)));
            }
            for (var post : threads.invokeAll(posts)) {
                ok(post.get());
            }
        }
        assertThat(nodes.getFirst().internal("/stats?tenant=1").body().toString())
                .isEqualTo("{\"pushers\":1}");
    }

    @Test
    void nobodyHasMoreThanAHundredPushers() {
        database.execute("""
                INSERT INTO push.pusher (tenant, user_id, app_id, pushkey, device_id, url, gateway, described, created_at, set_at)
                SELECT 1, '@ada:one.example', 'app', n::text, 'DEVICE', 'https://x.example', 'x', '{}', now(), now()
                  FROM generate_series(1, 99) AS n""");
        ok(post(ADA, PUSHER));
        assertThat(post(ADA, with("\"pushkey\":\"other\"")).errcode()).isEqualTo("M_INVALID_PARAM");
        ok(post(ADA, with("\"lang\":\"de\"")));
        assertThat(all(ADA)).hasSize(100);
        assertThat(nodes.getFirst().internal("/stats?tenant=1").body().toString())
                .isEqualTo("{\"pushers\":100}");
        assertThat(nodes.getFirst().internal("/stats?tenant=2").body().toString())
                .isEqualTo("{\"pushers\":0}");
    }

    @Test
    void pushersGoWithTheirDeviceAndWithTheAccount() {
        ok(post(ADA, PUSHER));
        ok(post(new UserDevice(1, "ada", "TABLET"), with("\"pushkey\":\"tablet\"")));
        ok(post(new UserDevice(1, "ada", "LAPTOP"), with("\"pushkey\":\"laptop\"")));
        ok(post(new UserDevice(1, "ada", "LAPTOP"), PUSHER)); // moves the pusher from the first device
        ok(post(BOB, with("\"pushkey\":\"bob\"")));
        var pushers = nodes.getFirst().bean(Pushers.class);
        pushers.endOfDevice(ADA.tenantId(), ADA.user(), new DeviceId("DEVICE")).block();
        assertThat(all(ADA)).hasSize(3);
        pushers.endOfDevice(ADA.tenantId(), ADA.user(), new DeviceId("LAPTOP")).block();
        assertThat(all(ADA)).extracting(p -> p.path("pushkey").asString()).containsExactly("tablet");
        pushers.endOfAccount(ADA.tenantId(), ADA.user()).block();
        assertThat(all(ADA)).isEmpty();
        assertThat(all(BOB)).hasSize(1);
    }

    private static String with(String fields) {
        return PUSHER.substring(0, PUSHER.length() - 1) + "," + fields + "}";
    }

    /** The calls wait for each other's rows: on a busy machine one of them may exceed the lock timeout and has to be repeated. */
    private static Answer comingAgain(Supplier<Answer> call) {
        var answer = new AtomicReference<Answer>();
        Deadline.in(PATIENCE).until(() -> {
            answer.set(call.get());
            return answer.get().status() != 503;
        });
        return answer.get();
    }

    private static Answer post(UserDevice device, String body) {
        return nodes.getFirst().call(device, "POST", "/v3/pushers", body);
    }

    private static Answer delete(UserDevice device, String rest) {
        return nodes.getFirst().call(device, "DELETE", "/v3/pushers/" + rest, null);
    }

    private static List<JsonNode> all(UserDevice device) {
        return nodes.get(1)
                .call(device, "GET", "/v3/pushers", null)
                .body()
                .path("pushers")
                .valueStream()
                .toList();
    }

    private static void ok(Answer answer) {
        assertThat(answer.body().toString()).isEqualTo("{}");
        assertThat(answer.status()).isEqualTo(200);
    }
}
