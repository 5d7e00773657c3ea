// SPDX-License-Identifier: Apache-2.0
package rookery.admin.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.admin.RunningAdmin;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Reason;
import tools.jackson.databind.json.JsonMapper;

/** Statistics over HTTP (contract.md 4), with one stand-in for all owning services. */
class StatsIT {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicBoolean away = new AtomicBoolean();
    private final HttpServer owners;
    private RunningAdmin admin;

    StatsIT() throws IOException {
        owners = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        owners.createContext("/internal/stats", this::answer);
        owners.start();
    }

    @BeforeEach
    void start() {
        admin = new RunningAdmin(Stream.of("auth-service", "room-service", "directory-service", "push-service")
                .map(this::address)
                .toArray(String[]::new));
    }

    @AfterEach
    void stop() {
        admin.close();
        owners.stop(0);
    }

    @Test
    void tenantsNumbersAreOnePageForAnybody() {
        var answer = stats(1);
        assertThat(answer.statusCode()).isEqualTo(200);
        var body = JSON.readTree(answer.body());
        assertThat(body.propertyNames())
                .containsExactly(
                        "server_name",
                        "version",
                        "uptime_seconds",
                        "users",
                        "rooms",
                        "events",
                        "devices",
                        "pushers",
                        "media",
                        "generated_at");
        assertThat(body.get("server_name").stringValue()).isEqualTo("tenant1.example");
        assertThat(body.get("users")).isEqualTo(JSON.readTree("""
            {"total":11,"active":2,"deactivated":3,"blocked":4,"active_24h":5,"active_30d":6}"""));
        assertThat(body.get("rooms")).isEqualTo(JSON.readTree("{\"total\":7,\"published\":9,\"encrypted\":8}"));
        assertThat(body.get("events")).isEqualTo(JSON.readTree("{\"total\":12,\"last_24h\":13}"));
        assertThat(body.get("devices")).isEqualTo(JSON.readTree("{\"total\":14}"));
        assertThat(body.get("pushers")).isEqualTo(JSON.readTree("{\"total\":10}"));
        assertThat(body.get("media")).isEqualTo(JSON.readTree("{\"files\":15,\"bytes\":16}"));
        assertThat(body.get("uptime_seconds").isIntegralNumber()).isTrue();
        assertThat(body.get("generated_at").isIntegralNumber()).isTrue();
    }

    @Test
    void ownersAreNotAskedAgainWhileTheAnswerIsYoung() {
        stats(1);
        away.set(true);
        assertThat(stats(1).statusCode()).isEqualTo(200);
        assertThat(requests).hasValue(4);

        assertThat(stats(2).statusCode())
                .as("another tenant's numbers are others")
                .isEqualTo(503);
    }

    @Test
    void missingOwnerIsNotZero() {
        away.set(true);
        var answer = stats(1);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(JSON.readTree(answer.body()).get("errcode").stringValue()).isEqualTo("M_UNKNOWN");

        away.set(false);
        assertThat(stats(1).statusCode()).as("a failure is not remembered").isEqualTo(200);
    }

    @Test
    void whatIsNotServedIsUnknown() {
        assertThat(get(1, "/nothing").statusCode()).isEqualTo(404);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        boolean ours = exchange.getRequestURI().getQuery().equals("tenant=1");
        var numbers = Map.of(
                "users",
                Map.of(
                        "total",
                        ours ? 11 : 0,
                        "active",
                        2,
                        "deactivated",
                        3,
                        "blocked",
                        4,
                        "active_24h",
                        5,
                        "active_30d",
                        6),
                "rooms",
                Map.of("total", 7, "encrypted", 8),
                "events",
                Map.of("total", 12, "last_24h", 13),
                "media",
                Map.of("files", 15, "bytes", 16),
                "devices",
                Map.of("total", 14),
                "published",
                9,
                "pushers",
                10);
        byte[] body = JSON.writeValueAsString(numbers).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(away.get() ? 500 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String address(String service) {
        return "--rookery.instances.addresses.%s[0]=127.0.0.1:%d"
                .formatted(service, owners.getAddress().getPort());
    }

    private HttpResponse<String> stats(int tenant) {
        return get(tenant, "/stats");
    }

    private HttpResponse<String> get(int tenant, String path) {
        return admin.call(tenant, new Anonymous(Reason.MISSING), "GET", path);
    }
}
