// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.auth.AuthServer.Tenant;
import rookery.auth.UserLogReader;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.ToDeviceSent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ToDeviceIT {
    private static final String SEND = "/_api/client/v3/sendToDevice/m.test/";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AuthServer server = AuthServer.shared();
    private final Answer ada = server.register(ALPHA, AuthServer.name(), "correct horse");
    private final String bobsName = AuthServer.name();
    private final Answer bob = server.register(ALPHA, bobsName, "correct horse");
    private int transactions;

    @Test
    void messageWaitsForItsDeviceUntilThatHasIt() {
        assertThat(send(Map.of(device(bob), "{\"n\":1,\"text\":\"\\u0000\"}"))
                        .raw()
                        .body())
                .isEqualTo("{}");
        send(Map.of(device(bob), "{\"n\":2}"));

        var waiting = waiting(bob, 0);
        assertThat(numbers(waiting)).containsExactly(1, 2);
        var first = waiting.path("messages").get(0);
        assertThat(first.path("type").stringValue()).isEqualTo("m.test");
        assertThat(first.path("sender").stringValue()).isEqualTo(user(ada));
        assertThat(first.path("content").path("text").stringValue()).isEqualTo("\0");
        assertThat(numbers(waiting(bob, first.path("pos").longValue()))).containsExactly(2);

        acknowledge(
                bob, waiting.path("epoch").longValue() - 1, waiting.path("pos").longValue());
        assertThat(numbers(waiting(bob, 0))).as("of another epoch").containsExactly(1, 2);
        for (int i = 0; i < 2; i++) {
            acknowledge(
                    bob, waiting.path("epoch").longValue(), first.path("pos").longValue());
            assertThat(numbers(waiting(bob, 0))).containsExactly(2);
        }
    }

    @Test
    void suspendedUserWritesToTheOwnDevicesOnly() {
        server.database().execute("UPDATE auth.account SET suspended = true WHERE user_id = '%s'".formatted(user(ada)));

        assertThat(server.call(
                                ALPHA,
                                ada.text("access_token"),
                                "PUT",
                                SEND + "suspended1",
                                "{\"messages\":{\"%s\":{\"*\":{\"n\":1}},\"%s\":{\"*\":{\"n\":2}}}}"
                                        .formatted(user(ada), user(bob)))
                        .refusal())
                .isEqualTo("403 M_USER_SUSPENDED");
        assertThat(numbers(waiting(bob, 0))).isEmpty();
        assertThat(server.call(
                                ALPHA,
                                ada.text("access_token"),
                                "PUT",
                                SEND + "suspended2",
                                "{\"messages\":{\"%s\":{\"*\":{\"n\":3}}}}".formatted(user(ada)))
                        .status())
                .isEqualTo(200);
        assertThat(numbers(waiting(ada, 0))).containsExactly(3);
    }

    @Test
    void allMessagesToOneUserAreOneUnitOfTheLog() {
        var second = server.login(ALPHA, bobsName);
        var log = UserLogReader.of(server, user(bob));
        long head = log.head();

        send(Map.of("*", "{\"n\":1}", device(second), "{\"n\":2}"));

        assertThat(log.after(head))
                .containsExactlyInAnyOrder(
                        new ToDeviceSent(new DeviceId(device(bob)), "m.test", new UserId(user(ada)), "{\"n\":1}"),
                        new ToDeviceSent(new DeviceId(device(second)), "m.test", new UserId(user(ada)), "{\"n\":2}"));
        assertThat(server.count("SELECT count(*) FROM auth.log WHERE unit_end AND subject = '%s' AND pos > %d"
                        .formatted(user(bob), head)))
                .isEqualTo(1);
    }

    @Test
    void unknownTargetsArePassedBy() {
        var stranger = server.register(BETA, AuthServer.name(), "correct horse");
        String body = """
                {"messages":{"%s":{"*":{"n":1}},"@nobody:alpha.example":{"*":{"n":1}},"nobody":{"D":{"n":1}},
                "%s":{"NONE":{"n":1},"\\u0000":{"n":1},"%s":{"n":2}}}}
                """.formatted(user(stranger), user(bob), device(bob));

        assertThat(call(ada, SEND + "unknown", body).status()).isEqualTo(200);

        assertThat(numbers(waiting(bob, 0))).containsExactly(2);
        assertThat(server.count(
                        "SELECT count(*) FROM auth.to_device_entry WHERE subject IN ('%s', '@nobody:alpha.example')"
                                .formatted(user(stranger))))
                .isZero();
    }

    @Test
    void repeatedRequestSendsNothingMore() throws Exception {
        var other = AuthServer.sharedSecond();
        try (var threads = Executors.newFixedThreadPool(8)) {
            String body = body(Map.of("*", "{\"n\":1}"));
            var requests = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < 16; i++) {
                var at = i % 2 == 0 ? server : other;
                requests.add(() -> at.call(ALPHA, ada.text("access_token"), "PUT", SEND + "same", body)
                        .status());
            }
            for (var status : threads.invokeAll(requests)) {
                assertThat(status.get()).isEqualTo(200);
            }
        }
        server.login(ALPHA, bobsName);
        call(ada, SEND + "same", body(Map.of("*", "{\"n\":2}")));
        assertThat(numbers(waiting(bob, 0))).containsExactly(1);
        assertThat(server.count("SELECT count(*) FROM auth.to_device_entry WHERE subject = '%s'".formatted(user(bob))))
                .isEqualTo(1);

        call(ada, SEND.replace("m.test", "m.other") + "same", body(Map.of(device(bob), "{\"n\":3}")));
        var again = server.login(ALPHA, user(ada).substring(1, user(ada).indexOf(':')));
        call(again, SEND + "same", body(Map.of(device(bob), "{\"n\":4}")));
        assertThat(numbers(waiting(bob, 0))).as("another type, another device").containsExactly(1, 3, 4);
    }

    @Test
    void deviceTakesItsMessagesWithIt() {
        var second = server.login(ALPHA, bobsName);
        send(Map.of("*", "{\"n\":1}"));

        server.call(ALPHA, second.text("access_token"), "POST", "/_api/client/v3/logout", "{}");

        assertThat(numbers(waiting(second, 0))).isEmpty();
        assertThat(numbers(waiting(bob, 0))).containsExactly(1);
    }

    @Test
    void noMessageStaysBehindItsDevice() throws Exception {
        try (var threads = Executors.newFixedThreadPool(16)) {
            var requests = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < 8; i++) {
                var phone = server.login(ALPHA, bobsName);
                for (int n = 0; n < 6; n++) {
                    String path = SEND + "busy" + ++transactions;
                    requests.add(() ->
                            call(ada, path, body(Map.of("*", "{\"n\":1}"))).status());
                }
                requests.add(
                        () -> server.call(ALPHA, phone.text("access_token"), "POST", "/_api/client/v3/logout", "{}")
                                .status());
            }
            for (var status : threads.invokeAll(requests)) {
                assertThat(status.get()).isEqualTo(200);
            }
        }
        assertThat(server.count("SELECT count(*) FROM auth.to_device_entry WHERE subject = '%s' AND device_id <> '%s'"
                        .formatted(user(bob), device(bob))))
                .isZero();
        assertThat(server.count("SELECT count(*) FROM auth.to_device_entry WHERE subject = '" + user(bob) + "'"))
                .isEqualTo(48);
    }

    @Test
    void atMostAHundredAreGivenAtOnce() {
        for (int i = 0; i < 3; i++) {
            send(Map.of(device(bob), "{\"n\":%d}".formatted(i)));
        }
        assertThat(numbers(
                        server.internal("GET", path(bob, 0) + "&limit=2", null).json()))
                .containsExactly(0, 1);
        var page = server.internal("GET", path(bob, 0) + "&bytes=1", null).json();
        assertThat(numbers(page)).as("at least one").containsExactly(0);
        assertThat(page.path("cut").booleanValue()).isTrue();
        assertThat(waiting(bob, page.path("messages").get(0).path("pos").longValue())
                        .path("cut")
                        .booleanValue())
                .isFalse();
        assertThat(server.internal("GET", path(bob, 0) + "&limit=101", null).refusal())
                .isEqualTo("400 M_INVALID_PARAM");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                      | 400 M_MISSING_PARAM
            {"messages":7}                                          | 400 M_BAD_JSON
            {"messages":{"@x:alpha.example":7}}                     | 400 M_BAD_JSON
            {"messages":{"@x:alpha.example":{"D":7}}}               | 400 M_BAD_JSON
            {"messages":{"@x:alpha.example":{"D":{"a":1.5}}}}       | 400 M_BAD_JSON
            {"messages":{"@x:alpha.example":{"D":{"a":"\\ud800"}}}} | 400 M_BAD_JSON
            {"messages":                                            | 400 M_NOT_JSON
            """)
    void badRequestsAreRefused(String body, String refusal) {
        assertThat(call(ada, SEND + "bad", body).refusal()).isEqualTo(refusal);
    }

    @Test
    void tooMuchIsRefused() {
        String large = body(Map.of(device(bob), "{\"a\":\"%s\"}".formatted("x".repeat(64 << 10))));
        assertThat(call(ada, SEND + "large", large).refusal()).isEqualTo("413 M_TOO_LARGE");
        var many = JSON.createObjectNode();
        IntStream.range(0, 10_000).forEach(i -> many.putObject("D" + i));
        assertThat(call(ada, SEND + "many", "{\"messages\":{\"%s\":%s}}".formatted(user(bob), many))
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(call(ada, SEND.replace("m.test", "x".repeat(256)) + "t", "{\"messages\":{}}")
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(call(ada, SEND + "x".repeat(256), "{\"messages\":{}}").refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(call(ada, SEND + "t%00", "{\"messages\":{}}").refusal()).isEqualTo("400 M_INVALID_PARAM");
        assertThat(call(ada, SEND.replace("m.test", "m%00") + "t", body(Map.of("*", "{}")))
                        .status())
                .as("a type is text like any other")
                .isEqualTo(200);
        assertThat(server.call(ALPHA, "PUT", SEND + "t", "{}").refusal()).isEqualTo("401 M_MISSING_TOKEN");
    }

    /** To devices of bob. */
    private Answer send(Map<String, String> contents) {
        var answer = call(ada, SEND + "t" + ++transactions, body(contents));
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(200);
        return answer;
    }

    private String body(Map<String, String> contents) {
        var devices = JSON.createObjectNode();
        contents.forEach((device, content) -> devices.set(device, JSON.readTree(content)));
        return "{\"messages\":{\"%s\":%s}}".formatted(user(bob), devices);
    }

    private Answer call(Answer session, String path, String body) {
        return server.call(ALPHA, session.text("access_token"), "PUT", path, body);
    }

    private JsonNode waiting(Answer session, long after) {
        return server.internal("GET", path(session, after), null).json();
    }

    private static String path(Answer session, long after) {
        Tenant tenant = ALPHA;
        return "/internal/users/%s/devices/%s/to-device?tenant=%d&after=%d"
                .formatted(user(session), device(session), tenant.id(), after);
    }

    private void acknowledge(Answer session, long epoch, long pos) {
        var body = "{\"devices\":[{\"tenant\":1,\"user\":\"%s\",\"device\":\"%s\",\"epoch\":%d,\"pos\":%d}]}"
                .formatted(user(session), device(session), epoch, pos);
        assertThat(server.internal("POST", "/internal/to-device/acknowledge", body)
                        .status())
                .isEqualTo(200);
    }

    private static List<Integer> numbers(JsonNode waiting) {
        return waiting.path("messages")
                .valueStream()
                .map(message -> message.path("content").path("n").intValue())
                .toList();
    }

    private static String user(Answer session) {
        return session.text("user_id");
    }

    private static String device(Answer session) {
        return session.text("device_id");
    }
}
