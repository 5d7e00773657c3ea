// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Nodes;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** Limits that administrators set while the system runs, through both gateways (contract.md 5.3). */
@OnCluster
class RateLimitsE2E {
    private static final String LIMITS = "/v3/admin/rate-limits";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Where the other tests come from, and administrators: they are not to be limited. */
    private static final String OTHER_TESTS = "127.0.0.1";

    private static final String TENANT = SharedRookery.CLOSED;

    private static final int TENANT_NUMBER = 4;

    private final Rookery rookery;
    private Http http;

    RateLimitsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @BeforeEach
    void open() {
        http = rookery.http();
    }

    @AfterEach
    void close() {
        http.close();
    }

    private static String text(Answer answer) {
        return answer.status() + " " + (answer.isOk() ? "" : answer.errcode());
    }

    /** How many of so many requests of an address come in at a gateway. */
    private int admitted(TenantAddress gateway, String address, int requests) {
        try (var client = Http.to(gateway, InetAddress.getByName(address))) {
            int admitted = 0;
            for (int i = 0; i < requests; i++) {
                admitted += client.call("GET", "/versions", null, null).isOk() ? 1 : 0;
            }
            return admitted;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void gateIsClosed() throws IOException {
        var ada = People.newcomer(http, "ada");
        for (String method : List.of("GET", "POST")) {
            assertThat(text(ada.call(method, LIMITS, null))).isEqualTo("403 M_FORBIDDEN");
            assertThat(text(http.call(method, LIMITS, null, null))).isEqualTo("401 M_MISSING_TOKEN");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max_requests | 0 | M_INVALID_PARAM",
                "max_requests | 1000001 | M_INVALID_PARAM",
                "window_seconds | 3601 | M_INVALID_PARAM",
                "window_seconds | -1 | M_INVALID_PARAM"
            })
    void numbersOutOfRangeChangeNothing(String field, int value, String errcode) throws IOException {
        var root = Steps.administrator(rookery, http);
        var before = root.get(LIMITS);
        assertThat(root.call("POST", LIMITS, Map.of("enabled", false, field, value))
                        .errcode())
                .isEqualTo(errcode);
        assertThat(root.get(LIMITS)).isEqualTo(before);
    }

    @Test
    void otherTypesChangeNothing() throws IOException {
        var root = Steps.administrator(rookery, http);
        var before = root.get(LIMITS);
        assertThat(before.propertyNames())
                .containsExactlyInAnyOrder(
                        "enabled",
                        "max_requests",
                        "window_seconds",
                        "scope",
                        "exempt_ips",
                        "per_user",
                        "updated_at",
                        "updated_by");
        for (Map<String, ?> bad : List.of(
                Map.of("enabled", "yes"),
                Map.of("max_requests", "many"),
                Map.of("exempt_ips", "10.0.0.0/8"),
                Map.of("per_user", 1))) {
            assertThat(text(root.call("POST", LIMITS, bad))).as("%s", bad).isEqualTo("400 M_BAD_JSON");
        }
        assertThat(text(root.call("POST", LIMITS, Map.of("exempt_ips", List.of("nonsense")))))
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(root.get(LIMITS)).isEqualTo(before);
    }

    @Test
    void changesAreInForceOnEveryGatewayAndBeginAnew() throws IOException {
        var gateways = List.of(rookery.site(TENANT, 1), rookery.site(TENANT, 2));
        var set = limit(
                Map.of("max_requests", 5, "window_seconds", 3600, "enabled", true, "exempt_ips", List.of(OTHER_TESTS)));
        assertThat(set).isEqualTo("true 5 3600 [\"127.0.0.1\"]");
        // a new address for each request, because the request itself uses up the limit
        for (int i = 0; i < gateways.size(); i++) {
            var gateway = gateways.get(i);
            var addresses = new Addresses(10 + i);
            assertThat(Deadline.in(PATIENCE).until(() -> admitted(gateway, addresses.next(), 6) == 5))
                    .isTrue();
        }
        // they count together; while Redis is away each counts alone, so not each address shows that
        var shared = new Addresses(8);
        assertThat(Deadline.in(PATIENCE).until(() -> areCountedTogether(gateways, shared.next())))
                .isTrue();
        assertThat(admitted(gateways.getFirst(), "127.0.9.1", 6)).isEqualTo(5);

        limit(Map.of("exempt_ips", List.of(OTHER_TESTS, "127.0.9.0/24")));
        assertThat(Deadline.in(PATIENCE).until(() -> admitted(gateways.getFirst(), "127.0.9.1", 9) == 9))
                .isTrue();
        limit(Map.of("max_requests", 1000, "exempt_ips", List.of(OTHER_TESTS)));
        assertThat(Deadline.in(PATIENCE).until(() -> admitted(gateways.getLast(), "127.0.9.1", 9) == 9))
                .isTrue();
        limit(Map.of("enabled", false));
    }

    private boolean areCountedTogether(List<TenantAddress> gateways, String address) {
        return admitted(gateways.getFirst(), address, 4) == 4 && admitted(gateways.getLast(), address, 4) == 1;
    }

    @Test
    void withALimitForEachUserAHouseholdDoesNotUseUpItsAddress() throws IOException {
        var gateway = rookery.site(TENANT, 1);
        limit(Map.of(
                "max_requests",
                5,
                "window_seconds",
                3600,
                "enabled",
                true,
                "per_user",
                true,
                "exempt_ips",
                List.of(OTHER_TESTS)));
        var newAddresses = new Addresses(20);
        assertThat(Deadline.in(PATIENCE).until(() -> admitted(gateway, newAddresses.next(), 6) == 5))
                .isTrue();
        try (var exempt = Http.to(gateway);
                var household = Http.to(gateway, InetAddress.getByName("127.0.21.1"))) {
            for (int member = 0; member < 2; member++) {
                var token = Session.login(exempt, administrator()).token();
                assertThat(admitted(household, token)).isEqualTo(5);
            }
            for (int i = 1; i <= 5; i++) {
                assertThat(text(household.call("GET", "/v3/account/whoami", "guessed-" + i, null)))
                        .isEqualTo("401 M_UNKNOWN_TOKEN");
            }
            assertThat(text(household.call("GET", "/v3/account/whoami", "guessed-6", null)))
                    .isEqualTo("429 M_LIMIT_EXCEEDED");
            var another = Session.login(exempt, administrator()).token();
            assertThat(admitted(household, another))
                    .as("a good token that no gateway has seen")
                    .isEqualTo(5);
            assertThat(household.call("GET", "/versions", null, null).isOk())
                    .as("without a token")
                    .isTrue();
        }
        limit(Map.of("enabled", false, "per_user", false));
    }

    /** How many of eight requests with a token come in. */
    private static int admitted(Http client, String token) throws IOException {
        int admitted = 0;
        for (int i = 0; i < 8; i++) {
            admitted += client.call("GET", "/v3/account/whoami", token, null).isOk() ? 1 : 0;
        }
        return admitted;
    }

    /**
     * Changes the limit and returns it, as an administrator made by the operator's tools, because the tenant has no registration.
     */
    private String limit(Map<String, ?> change) throws IOException {
        try (var tenant = Http.to(rookery.site(TENANT))) {
            var root = Session.login(tenant, administrator());
            var shown = root.post(LIMITS, change);
            assertThat(root.get(LIMITS)).isEqualTo(shown);
            assertThat(shown.path("updated_by").asString()).isEqualTo(root.userId());
            return shown.path("enabled").asBoolean() + " "
                    + shown.path("max_requests").asInt() + " "
                    + shown.path("window_seconds").asInt() + " " + shown.path("exempt_ips");
        }
    }

    private String administrator() throws IOException {
        var name = "@" + People.name("root") + ":" + TENANT;
        new Nodes(rookery)
                .internal(
                        "auth-service",
                        "/internal/admin/create",
                        Map.of("tenant", TENANT_NUMBER, "user", name, "password", Steps.PASSWORD))
                .ok();
        return name;
    }

    /** Unused addresses of the loopback network. */
    private static final class Addresses {
        private final int network;
        private int last;

        Addresses(int network) {
            this.network = network;
        }

        String next() {
            return "127.0." + network + "." + ++last;
        }
    }
}
