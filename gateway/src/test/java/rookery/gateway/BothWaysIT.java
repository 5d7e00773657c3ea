// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rookery.embedded.TestServers;
import rookery.gateway.Upstream.Reply;
import rookery.gateway.Upstream.SeenRequest;
import rookery.platform.http.LocalServices;

/**
 * Hostile requests have the same result whether the gateway calls a service in its JVM or over a connection: the same answer to
 * the client, and the same request at the service.
 */
class BothWaysIT {
    private static final Path INSTANCES = TestServers.folder("both-ways-instances");
    private static final Pattern ERRCODE = Pattern.compile("\"errcode\":\"[A-Z_]+\"");
    /** A call has neither a host nor a framing, and its caller's signature differs. */
    private static final List<String> OF_CONNECTIONS = List.of("host", "transfer-encoding", "x-rookery-caller");

    private static final String WHOAMI = "/_matrix/client/v3/account/whoami";
    private static final String SENDS = "/v3/rooms/!r:alpha.test/send/m.room.message/";
    private static final String SEND = "/_matrix/client" + SENDS + "1";
    private static final AtomicInteger TRANSACTIONS = new AtomicInteger();
    private static final String TOKEN = "Authorization: Bearer both-ways";

    private static Upstream connected;
    private static Upstream local;
    private static RunningGateway overConnections;
    private static RunningGateway inJvm;

    @BeforeAll
    static void start() {
        connected = new Upstream(BothWaysIT::reply);
        local = new Upstream(BothWaysIT::reply);
        var services = new LocalServices();
        for (String service : List.of("auth-service-1", "room-service-1", "sync-service-1")) {
            RunningGateway.register(INSTANCES, service, connected.address());
            services.add(service, local.handler());
        }
        String redis = TestServers.redis().url();
        overConnections = new RunningGateway(redis, INSTANCES, "--rookery.rate-limit.max-requests=1000000");
        inJvm = new RunningGateway(services, redis, INSTANCES, "--rookery.rate-limit.max-requests=1000000");
    }

    @AfterAll
    static void stop() {
        Stream.of(overConnections, inJvm).forEach(RunningGateway::close);
        Stream.of(connected, local).forEach(Upstream::close);
    }

    private static Reply reply(SeenRequest seen) {
        if (seen.uri().equals("/internal/tokens/resolve")) {
            boolean known = seen.body().contains("\"tenant\":1") && seen.body().contains(GatewayIT.hash("both-ways"));
            return new Reply(
                    200,
                    known
                            ? "{\"state\":\"known\",\"user\":\"@ada:alpha.test\",\"device\":\"D\"}"
                            : "{\"state\":\"unknown\"}",
                    Map.of());
        }
        if (seen.headers().contains("X-Rookery-Body-Too-Large")) {
            return new Reply(413, "{\"errcode\":\"M_TOO_LARGE\"}", Map.of());
        }
        return new Reply(
                200,
                "{}",
                Map.of("X-Rookery-Route", seen.uri(), "Access-Control-Allow-Origin", "https://x", "Server", "us"));
    }

    static Stream<String> hostile() {
        return Stream.of(forged(), paths(), framed(), bodies(), hosts(), methods())
                .flatMap(List::stream);
    }

    private static List<String> forged() {
        return List.of(
                get(WHOAMI, TOKEN, "X-Rookery-Caller: v2.x.y.z", "x-rookery-service: v2.x.y.z", "X-ROOKERY-Admin: 1"),
                get(WHOAMI, "X-Rookery-Caller: v2.x.y.z"),
                get(WHOAMI, TOKEN, "X-Rookery-Body-Too-Large: true", "X-Rookery-Route: /x"),
                get(WHOAMI, TOKEN, "Connection: X-Rookery-Caller, X-Drop, close", "X-Drop: 1"),
                get(WHOAMI, TOKEN, "Cookie: a=b", "Forwarded: for=1.2.3.4", "X-Forwarded-Host: beta.test"),
                get(WHOAMI, TOKEN, "Authorization: Bearer eve"),
                get(WHOAMI, TOKEN, "X_Rookery_Caller: v2.x.y.z", "Te: trailers", "Upgrade: h2c"));
    }

    private static List<String> paths() {
        return Stream.of(
                        "/v3/account/../sync",
                        "/v3/account/%2e%2e/sync",
                        "/v3/account/.%2E/whoami",
                        "/v3//account/whoami",
                        "//v3/account/whoami",
                        "/v3/account%2fwhoami",
                        "/v3/account%252fwhoami",
                        "/v3/account/whoami;a=b",
                        "/v3/account/whoami%3ba=b",
                        "/v3/account/whoami/",
                        "/v3/account/whoami%00",
                        "/v3/account/whoami%zz",
                        "/v3/account/%c0%ae%c0%ae/whoami",
                        "/v3/account/who%61mi",
                        "/v3/sync%3ftimeout=0",
                        "/v3/sync?timeout=0?a=b&a=b&&c",
                        "/v3/sync?access_token=both-ways&filter=%7B%7D",
                        "/v3/sync?a=%zz",
                        "/v3/sync?a={}|[]",
                        "/v3/rooms/!r:alpha.test/send/m.room.message/%2F..%2F",
                        "/v3/rooms/!r\u00e9:alpha.test/read_markers",
                        "/r0/sync",
                        "/v1/sync",
                        "/../../internal/ready",
                        "/v3/account/whoami#x",
                        "/v3/account/who\\ami")
                .map(path -> get("/_matrix/client" + path, TOKEN))
                .toList();
    }

    /** Requests whose end two readers could see in different places. */
    private static List<String> framed() {
        String inner = "GET /_api/client/v3/sync HTTP/1.1|Host: alpha.test|Connection: close||";
        return List.of(
                put("Content-Length: 4", "Transfer-Encoding: chunked") + "0||" + inner,
                put("Transfer-Encoding: chunked", "Content-Length: " + inner.length()) + "0||" + inner,
                put("Content-Length: 2", "Content-Length: 40") + "{}" + inner,
                put("Content-Length: 2", "Content-Length: 2") + "{}",
                put("Content-Length: 2,40") + "{}" + inner,
                put("Content-Length: +2") + "{}",
                put("Content-Length: -2") + "{}",
                put("Content-Length: 2 0") + "{}" + inner,
                put("Content-Length : 2") + "{}",
                put("Transfer-Encoding: xchunked") + "{}",
                put("Transfer-Encoding: chunked, identity") + "2|{}|0||",
                put("Transfer-Encoding: chunked") + "zz|{}|0||",
                put("Transfer-Encoding: chunked") + "2|{}|0|X-Rookery-Caller: v2.x.y.z||",
                get(WHOAMI, TOKEN, "Content-Length: 2") + "{}" + inner,
                get(WHOAMI, TOKEN, " folded: 1"),
                get(WHOAMI, TOKEN, "X-Name\u0000: 1"));
    }

    private static List<String> bodies() {
        String large = "x".repeat((1 << 20) + 1);
        return List.of(
                put("Content-Length: 2") + "{}",
                put("Content-Length: 0"),
                put("Content-Length: " + large.length()),
                put("Content-Length: 3000000000") + "{}",
                put("Transfer-Encoding: chunked") + Integer.toHexString(large.length()) + "|" + large + "|0||",
                get(WHOAMI, TOKEN, "Content-Length: 5000"),
                put("Expect: 100-continue", "Content-Length: 2") + "{}");
    }

    private static List<String> hosts() {
        return Stream.of(
                        "beta.test", "BETA.test:443", "gamma.test", "", "alpha.test, beta.test", "alpha.test@beta.test")
                .map(host ->
                        "GET " + WHOAMI + " HTTP/1.1|Host: " + host + "|Accept: */*|" + TOKEN + "|Connection: close||")
                .toList();
    }

    private static List<String> methods() {
        return Stream.of("HEAD", "OPTIONS", "TRACE", "POST", "DELETE", "PATCH", "get", "CONNECT")
                .map(method -> get(WHOAMI, TOKEN).replaceFirst("GET", method))
                .toList();
    }

    private static String get(String path, String... headers) {
        return "GET " + path + " HTTP/1.1|Host: alpha.test|Accept: */*|Connection: close|" + String.join("|", headers)
                + "||";
    }

    private static String put(String... headers) {
        return get(SEND, headers).replaceFirst("GET", "PUT").replaceFirst("\\|\\|$", "|" + TOKEN + "||");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void hostileRequestHasTheSameResult(String request) {
        assertThat(result(inJvm, local, request)).isEqualTo(result(overConnections, connected, request));
    }

    /** The comparison above is worth nothing if both ways are one. */
    @Test
    void theWaysDiffer() {
        int before = connected.seen.size();
        local.seen.clear();
        inJvm.raw(get(WHOAMI, TOKEN).replace("|", "\r\n"));
        assertThat(local.seen).hasSize(1);
        assertThat(connected.seen.subList(before, connected.seen.size()))
                .allMatch(seen -> seen.uri().equals("/internal/tokens/resolve"));
    }

    private static Result result(RunningGateway gateway, Upstream service, String request) {
        connected.seen.clear();
        local.seen.clear();
        // a request without the rest of its body may reach the service after the gateway has closed the connection
        String transaction = SENDS + "case-" + TRANSACTIONS.incrementAndGet();
        String answer =
                gateway.raw(request.replace(SENDS + "1 ", transaction + " ").replace("|", "\r\n"));
        // whether a request with a broken body reaches the service without a body before its connection is closed, is a
        // race
        boolean isRefused = answer.startsWith("HTTP/1.1 400 ");
        return new Result(
                answer.lines().filter(line -> line.startsWith("HTTP/1.1 ")).toList(),
                ERRCODE.matcher(answer).results().map(match -> match.group()).toList(),
                answer.lines()
                        .takeWhile(line -> !line.isEmpty())
                        .map(line -> line.replaceFirst(":.*", "").toLowerCase(Locale.ROOT))
                        .sorted()
                        .toList(),
                service.seen.stream()
                        .filter(seen -> !seen.uri().startsWith("/internal/"))
                        .filter(seen ->
                                !seen.uri().contains("/case-") || seen.uri().endsWith(transaction))
                        .filter(seen -> !isRefused || !seen.body().isEmpty())
                        .map(seen -> described(seen).replace(transaction, SENDS + "1"))
                        .toList());
    }

    private static String described(SeenRequest seen) {
        var headers = seen.headers().entries().stream()
                .filter(header -> !OF_CONNECTIONS.contains(header.getKey().toLowerCase(Locale.ROOT)))
                .map(header -> header.getKey().toLowerCase(Locale.ROOT) + ": " + header.getValue())
                .sorted()
                .toList();
        return "%s %s %s %s, callers: %d"
                .formatted(
                        seen.method(),
                        seen.uri(),
                        headers,
                        seen.body(),
                        seen.headers().getAll("X-Rookery-Caller").size());
    }

    /** The status lines, errors and header names for the client, and the requests at the service. */
    private record Result(List<String> statuses, List<String> errors, List<String> headers, List<String> requests) {}
}
