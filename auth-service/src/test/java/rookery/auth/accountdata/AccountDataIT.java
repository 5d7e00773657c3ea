// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

class AccountDataIT {
    private final AuthServer server = AuthServer.shared();
    private final String name = AuthServer.name();
    private final String token = server.tokenOfNewUser(ALPHA, name);

    @Test
    void whatIsPutIsRead() {
        assertThat(put("m.direct", "{\"b\":1,\"a\":[0.5,null,\"x\\u0000y\"]}")
                        .raw()
                        .body())
                .isEqualTo("{}");

        assertThat(get("m.direct").raw().body()).isEqualTo("{\"a\":[0.5,null,\"x\\u0000y\"],\"b\":1}");
    }

    @Test
    void dataOfARoomIsApart() {
        String room = "/_api/client/v3/user/%s/rooms/!r:alpha.example/account_data/m.x".formatted(ALPHA.user(name));

        assertThat(server.call(ALPHA, token, "PUT", room, "{\"of\":\"room\"}").status())
                .isEqualTo(200);
        put("m.x", "{\"of\":\"user\"}");

        assertThat(server.call(ALPHA, token, "GET", room, null).text("of")).isEqualTo("room");
        assertThat(get("m.x").text("of")).isEqualTo("user");
        assertThat(server.call(ALPHA, token, "GET", room.replace("!r:alpha.example", "r"), null)
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void deletedDataIsNotFoundAndItsDeletionIsTold() {
        String room = "/_api/client/v3/user/%s/rooms/!r:alpha.example/account_data/m.x".formatted(ALPHA.user(name));
        put("m.x", "{\"a\":1}");
        server.call(ALPHA, token, "PUT", room, "{\"a\":1}");

        for (int i = 0; i < 2; i++) {
            assertThat(server.call(ALPHA, token, "DELETE", path("m.x"), null)
                            .raw()
                            .body())
                    .as("once more is the same")
                    .isEqualTo("{}");
            assertThat(get("m.x").refusal()).isEqualTo("404 M_NOT_FOUND");
        }
        assertThat(server.call(ALPHA, token, "GET", room, null).status())
                .as("of a room")
                .isEqualTo(200);
        assertThat(server.call(ALPHA, token, "DELETE", room, null).raw().body()).isEqualTo("{}");
        assertThat(server.call(ALPHA, token, "GET", room, null).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(server.call(ALPHA, token, "DELETE", path("m.never"), null).status())
                .isEqualTo(200);

        assertThat(server.count("SELECT count(*) FROM auth.log_entry WHERE kind = 'account_data' AND subject = '"
                        + ALPHA.user(name) + "' AND body LIKE '%' || chr(10) || '{}'"))
                .as("sync-service reads each once")
                .isEqualTo(2);
        put("m.x", "{\"b\":1}");
        assertThat(get("m.x").raw().body()).isEqualTo("{\"b\":1}");
        put("m.x", "{}");
        assertThat(get("m.x").refusal()).as("to set nothing is to delete").isEqualTo("404 M_NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource({"m.push_rules, 405 M_BAD_JSON", "m.fully_read, 405 M_BAD_JSON"})
    void whatTheServerWritesIsNotDeleted(String type, String refusal) {
        assertThat(server.call(ALPHA, token, "DELETE", path(type), null).refusal())
                .isEqualTo(refusal);
        String another = server.tokenOfNewUser(ALPHA, AuthServer.name());
        assertThat(server.call(ALPHA, another, "DELETE", path("m.x"), null).refusal())
                .isEqualTo("403 M_FORBIDDEN");
    }

    @Test
    void deletedIgnoreListIgnoresNobody() {
        put("m.ignored_user_list", "{\"ignored_users\":{\"@bob:alpha.example\":{}}}");

        assertThat(server.call(ALPHA, token, "DELETE", path("m.ignored_user_list"), null)
                        .status())
                .isEqualTo(200);
        assertThat(get("m.ignored_user_list").refusal()).isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void othersAreForbidden() {
        String another = server.tokenOfNewUser(ALPHA, AuthServer.name());
        put("m.x", "{}");

        assertThat(server.call(ALPHA, another, "GET", path("m.x"), null).refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, another, "PUT", path("m.x"), "{}").refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, token, "GET", path("m.x").replace("@user", "@USER"), null)
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(server.call(ALPHA, "GET", path("m.x"), null).refusal()).isEqualTo("401 M_MISSING_TOKEN");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            m.fully_read        | {}                                    | 405 M_BAD_JSON
            m.push_rules        | {}                                    | 405 M_BAD_JSON
            m.x                 | []                                    | 400 M_BAD_JSON
            m.x                 | {                                     | 400 M_NOT_JSON
            m.x                 | {"a":"\\ud800"}                       | 400 M_BAD_JSON
            m.x                 | {"a":1e400}                           | 400 M_BAD_JSON
            %00                 | {}                                    | 400 M_INVALID_PARAM
            m.ignored_user_list | {}                                    | 400 M_BAD_JSON
            m.ignored_user_list | {"ignored_users":[]}                  | 400 M_BAD_JSON
            m.ignored_user_list | {"ignored_users":{"bob":{}}}          | 400 M_BAD_JSON
            m.ignored_user_list | {"ignored_users":{"@bob:x.y":true}}   | 400 M_BAD_JSON
            """)
    void badContentIsRefused(String type, String content, String refusal) {
        assertThat(put(type, content).refusal()).isEqualTo(refusal);
    }

    @Test
    void contentAboveSixtyFourKilobytesIsTooLarge() {
        int envelope = "{\"a\":\"\"}".length();

        assertThat(put("m.x", "{\"a\":\"" + "x".repeat(65_536 - envelope) + "\"}")
                        .status())
                .isEqualTo(200);
        assertThat(put("m.x", "{\"a\":\"" + "x".repeat(65_537 - envelope) + "\"}")
                        .refusal())
                .isEqualTo("413 M_TOO_LARGE");
        assertThat(put("m.x", "{\"a\":\"" + "x".repeat(2_000_000) + "\"}").refusal())
                .isEqualTo("413 M_TOO_LARGE");
    }

    @Test
    void allOfAUsersDataTogetherIsBounded() {
        String large = "{\"a\":\"" + "x".repeat(65_000) + "\"}";
        int most = AccountData.BYTES_MAX / (large.length() + AccountData.BYTES_OF_EACH);
        for (int i = 0; i < most; i++) {
            assertThat(put("m.large." + i, large).status()).as("%d", i).isEqualTo(200);
        }
        assertThat(put("m.large.more", large).refusal()).isEqualTo("413 M_TOO_LARGE");
        assertThat(get("m.large.more").refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(put("m.large.0", large).status()).as("no larger than before").isEqualTo(200);
        assertThat(put("m.large.1", "{}").status()).isEqualTo(200);
        assertThat(put("m.large.more", "{\"a\":\"" + "x".repeat(60_000) + "\"}").status())
                .isEqualTo(200);
    }

    @Test
    void whatWasNeverSetIsNotFound() {
        assertThat(get("m.never").refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(get("m.ignored_user_list").refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(put("m.ignored_user_list", "{\"ignored_users\":{\"@bob:alpha.example\":{}}}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void followersReadAllThatChangedAfterAPosition() {
        put("m.one", "{\"n\":1}");
        var first = changedAfter(0);
        put("m.two", "{\"n\":2}");
        put("m.one", "{\"n\":3}");

        var all = changedAfter(0);
        var later = changedAfter(first.json().path("pos").longValue());

        assertThat(first.json().path("events")).hasSize(1);
        assertThat(all.json().path("epoch").longValue()).isEqualTo(1);
        assertThat(all.json().path("events"))
                .extracting(event -> event.path("type").stringValue()
                        + event.path("content").path("n").intValue())
                .containsExactly("m.two2", "m.one3");
        assertThat(later.json().path("events")).isEqualTo(all.json().path("events"));
        assertThat(all.json().path("events").get(1).path("pos").longValue())
                .isLessThanOrEqualTo(all.json().path("pos").longValue());
        assertThat(server.internal(
                                "GET",
                                "/internal/users/%s/account-data?tenant=%d".formatted(ALPHA.user(name), BETA.id()),
                                null)
                        .json()
                        .path("events"))
                .isEmpty();
    }

    @Test
    void oneTypeIsReadWithTheVersionItIsWrittenBy() {
        String one = "/internal/users/%s/account-data/m.marker?tenant=%d&room=%%21r:alpha.example";
        var never = server.internal("GET", one.formatted(ALPHA.user(name), ALPHA.id()), null);
        assertThat(never.json().toString()).isEqualTo("{\"pos\":0}");
        var written = server.internal(
                "POST",
                "/internal/users/%s/account-data".formatted(ALPHA.user(name)),
                "{\"tenant\":1,\"type\":\"m.marker\",\"room\":\"!r:alpha.example\",\"content\":{\"a\":1},\"read_at\":0}");
        var now = server.internal("GET", one.formatted(ALPHA.user(name), ALPHA.id()), null);
        assertThat(now.json().path("content").toString()).isEqualTo("{\"a\":1}");
        assertThat(now.json().path("pos")).isEqualTo(written.json().path("pos"));
        var other = server.internal("GET", one.formatted(ALPHA.user(name), BETA.id()), null);
        assertThat(other.json().toString()).isEqualTo("{\"pos\":0}");
    }

    /** On a server of its own, because delivered to-device messages of other tests leave gaps in the positions. */
    @Test
    void userLogHasNoGapsUnderConcurrentWrites() throws Exception {
        try (var own = AuthServer.with();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writer = own.tokenOfNewUser(ALPHA, name);
            var running = IntStream.range(0, 50)
                    .mapToObj(i -> threads.submit(() -> own.call(ALPHA, writer, "PUT", path("m.type" + i), "{}")))
                    .toList();
            for (var one : running) {
                assertThat(one.get().status()).isEqualTo(200);
            }

            var changed = changedAfter(own, 0).json();
            assertThat(changed.path("events")).hasSize(50);
            int shard = changed.path("shard").intValue();
            var range = own.internal("GET", "/internal/log/" + shard + "?after=0&limit=200", null)
                    .json();
            assertThat(range.path("entries"))
                    .extracting(entry -> entry.path("pos").longValue())
                    .isEqualTo(LongStream.rangeClosed(1, range.path("entries").size())
                            .boxed()
                            .toList());
        }
    }

    @Test
    void servicesWriteOnlyOverWhatTheyRead() {
        var first = write("m.push_rules", "{\"v\":1}", "0");
        long pos = first.json().path("pos").longValue();

        assertThat(first.status()).isEqualTo(200);
        assertThat(write("m.push_rules", "{\"v\":2}", "0").status()).isEqualTo(409);
        assertThat(write("m.push_rules", "{\"v\":2}", Long.toString(pos)).status())
                .isEqualTo(200);
        assertThat(write("m.fully_read", "{}", "null").status()).isEqualTo(200);
        assertThat(changedAfter(pos)
                        .json()
                        .path("events")
                        .get(0)
                        .path("content")
                        .path("v")
                        .intValue())
                .isEqualTo(2);
        assertThat(server.internal(
                                "POST",
                                "/internal/users/@nobody:alpha.example/account-data",
                                "{\"tenant\":1,\"type\":\"m.x\",\"content\":{}}")
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
    }

    /** One content has all push rules of a user, each of which a client may set. */
    @Test
    void onlyPushRulesOfServicesMayHaveHalfAMegabyte() {
        String large = "{\"v\":\"%s\"}".formatted("x".repeat(500_000));
        assertThat(write("m.push_rules", large, "null").status()).isEqualTo(200);
        assertThat(changedAfter(0).json().toString()).contains("x".repeat(500_000));

        String larger = "{\"v\":\"%s\"}".formatted("x".repeat(524_288));
        assertThat(write("m.push_rules", larger, "null").refusal()).isEqualTo("413 M_TOO_LARGE");
        assertThat(write("m.fully_read", large, "null").refusal()).isEqualTo("413 M_TOO_LARGE");
    }

    @Test
    void pushRulesAreReadAsTheyAreInForce() throws IOException {
        var push = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        push.createContext("/internal/push-rules", exchange -> {
            byte[] rules = "{\"global\":{\"override\":[]}}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, rules.length);
            exchange.getResponseBody().write(rules);
            exchange.close();
        });
        push.start();
        String address = "--rookery.instances.addresses.push-service[0]=127.0.0.1:"
                + push.getAddress().getPort();
        try (var beside = server.another(address)) {
            assertThat(beside.call(ALPHA, token, "GET", path("m.push_rules"), null)
                            .raw()
                            .body())
                    .isEqualTo("{\"global\":{\"override\":[]}}");
        } finally {
            push.stop(0);
        }
        assertThat(get("m.push_rules").status()).isEqualTo(503);
    }

    /**
     * Push-service and sync-service apply rules and ignore lists to events, and answer whether they have followed an entry
     * (contract.md 12.1).
     */
    @Test
    void rulesAndIgnoreListsAreAnsweredOnceTheyAreInForce() throws Exception {
        var requests = new LinkedBlockingQueue<String>();
        var reached = new CountDownLatch(1);
        var evaluators = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        evaluators.createContext("/internal/user-log/reached", exchange -> {
            requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            try {
                reached.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        String address = "[0]=127.0.0.1:" + evaluators.getAddress().getPort();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var beside = server.another(
                        "--rookery.instances.addresses.push-service" + address,
                        "--rookery.instances.addresses.sync-service" + address)) {
            evaluators.setExecutor(threads);
            evaluators.start();
            var ignored = threads.submit(
                    () -> beside.call(ALPHA, token, "PUT", path("m.ignored_user_list"), "{\"ignored_users\":{}}"));
            var position = requests.take();
            assertThat(requests.take()).as("of both services").isEqualTo(position);
            assertThat(position).contains(ALPHA.user(name));
            assertThat(ignored.isDone()).isFalse();
            assertThat(beside.call(ALPHA, token, "PUT", path("m.direct"), "{}").status())
                    .as("no service evaluates other account data")
                    .isEqualTo(200);
            var rules = threads.submit(() -> beside.internal(
                    "POST",
                    "/internal/users/%s/account-data".formatted(ALPHA.user(name)),
                    "{\"tenant\":1,\"type\":\"m.push_rules\",\"content\":{}}"));
            requests.take();
            assertThat(rules.isDone()).isFalse();
            reached.countDown();
            assertThat(ignored.get().status()).isEqualTo(200);
            assertThat(rules.get().status()).isEqualTo(200);
        } finally {
            evaluators.stop(0);
        }
        assertThat(put("m.ignored_user_list", "{\"ignored_users\":{}}").status())
                .as("services that are down evaluate nothing")
                .isEqualTo(200);
    }

    private Answer write(String type, String content, String readAt) {
        return server.internal(
                "POST",
                "/internal/users/%s/account-data".formatted(ALPHA.user(name)),
                "{\"tenant\":1,\"type\":\"%s\",\"content\":%s,\"read_at\":%s}".formatted(type, content, readAt));
    }

    private Answer changedAfter(long pos) {
        return changedAfter(server, pos);
    }

    private Answer changedAfter(AuthServer instance, long pos) {
        return instance.internal(
                "GET",
                "/internal/users/%s/account-data?tenant=%d&after=%d".formatted(ALPHA.user(name), ALPHA.id(), pos),
                null);
    }

    private Answer put(String type, String content) {
        return server.call(ALPHA, token, "PUT", path(type), content);
    }

    private Answer get(String type) {
        return server.call(ALPHA, token, "GET", path(type), null);
    }

    private String path(String type) {
        return "/_api/client/v3/user/%s/account_data/%s".formatted(ALPHA.user(name), type);
    }
}
