// SPDX-License-Identifier: Apache-2.0
package rookery.auth.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.embedded.Deadline;

/** The answer to a change of sessions waits for every gateway with a lease (decision 0028). */
class GatewayLeaseIT {
    private static final String LOGOUT = "/_api/client/v3/logout";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static AuthServer server;

    @BeforeAll
    static void start() {
        server = AuthServer.with("--rookery.auth.cleaning-interval=200ms");
        server.database().execute("""
                INSERT INTO auth.gateway_lease (lease_id, address, lease_until)
                VALUES ('old', '127.0.0.1:1', now() - interval '1 h')
                """);
        // the first run of the cleaning breaks all leases, and later runs delete the old ones
        assertThat(Deadline.in(PATIENCE).until(() -> server.count("SELECT count(*) FROM auth.gateway_lease") == 0))
                .isTrue();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyGatewayIsToldBeforeTheAnswerAndAfterTheCommit() {
        String name = AuthServer.name();
        String token = server.tokenOfNewUser(ALPHA, name);
        var states = new ConcurrentLinkedQueue<String>();
        try (var one = new StandInGateway();
                var two = new StandInGateway()) {
            for (var gateway : new StandInGateway[] {one, two}) {
                assertThat(gateway.begin(server, id())).isTrue();
                gateway.beforeConfirmation(() -> states.add(state(token)));
            }

            assertThat(logout(token)).isEqualTo(200);

            for (var gateway : new StandInGateway[] {one, two}) {
                assertThat(gateway.notices).singleElement().satisfies(notice -> {
                    assertThat(notice.path("tenant").intValue()).isEqualTo(ALPHA.id());
                    assertThat(notice.path("user").stringValue()).isEqualTo(ALPHA.user(name));
                });
            }
            assertThat(states).containsExactly("unknown", "unknown");
        }
    }

    @Test
    void everyChangeOfAUserIsTold() {
        String name = AuthServer.name();
        String user = ALPHA.user(name);
        String token = server.tokenOfNewUser(ALPHA, name);
        try (var gateway = new StandInGateway()) {
            assertThat(gateway.begin(server, id())).isTrue();
            for (boolean admin : new boolean[] {true, false, false}) {
                int before = gateway.notices.size();
                server.internal(
                        "POST",
                        "/internal/admin/promote",
                        "{\"tenant\":%d,\"user\":\"%s\",\"admin\":%s}".formatted(ALPHA.id(), user, admin));
                assertThat(gateway.notices).as("admin: %s", admin).hasSize(before + 1);
            }
            int before = gateway.notices.size();
            assertThat(server.call(ALPHA, token, "POST", LOGOUT + "/all", "{}").status())
                    .isEqualTo(200);
            assertThat(gateway.notices).hasSize(before + 1);
        }
    }

    /** A logout without an answer is repeated; its session is gone, and the gateway may still have it in memory. */
    @Test
    void repeatedLogoutOfAGoneSessionIsToldToo() {
        String token = server.tokenOfNewUser(ALPHA, AuthServer.name());
        var session = server.resolve(ALPHA, token);
        try (var gateway = new StandInGateway()) {
            assertThat(gateway.begin(server, id())).isTrue();
            for (int i = 1; i <= 2; i++) {
                assertThat(server.callAs(ALPHA, session, "POST", LOGOUT, null).status())
                        .isEqualTo(200);
                assertThat(gateway.notices).hasSize(i);
            }
        }
    }

    @Test
    void answerWaitsForTheEndOfTheLeaseOfASilentGateway() {
        String token = server.tokenOfNewUser(ALPHA, AuthServer.name());
        String next = server.tokenOfNewUser(ALPHA, AuthServer.name());
        try (var gateway = new StandInGateway();
                var other = new StandInGateway()) {
            String id = id();
            assertThat(gateway.begin(server, id)).isTrue();
            assertThat(other.begin(server, id())).isTrue();
            gateway.fallSilent();
            long begin = System.nanoTime();

            assertThat(logout(token)).isEqualTo(200);

            assertThat(System.nanoTime() - begin).as("a lease of 3 s").isGreaterThan(3_000_000_000L);
            assertThat(other.notices).hasSize(1);
            assertThat(StandInGateway.renew(server, id)).as("the broken lease").isFalse();
            gateway.speak();
            assertThat(gateway.begin(server, id()))
                    .as("a lease at an address that was silent")
                    .isFalse();
            int before = gateway.notices.size();
            assertThat(logout(next)).isEqualTo(200);
            assertThat(gateway.notices).as("no lease, no notice").hasSize(before);
        }
    }

    @Test
    void lateConfirmationEndsTheWaitAndBreaksTheLease() {
        String token = server.tokenOfNewUser(ALPHA, AuthServer.name());
        try (var gateway = new StandInGateway()) {
            String id = id();
            assertThat(gateway.begin(server, id)).isTrue();
            gateway.beforeConfirmation(() -> {
                boolean isBroken = Deadline.in(PATIENCE).until(() -> !StandInGateway.renew(server, id));
                assertThat(isBroken).isTrue();
            });

            assertThat(logout(token)).isEqualTo(200);

            assertThat(gateway.notices).hasSize(1);
            assertThat(gateway.begin(server, id()))
                    .as("the gateway was not silent")
                    .isTrue();
        }
    }

    @Test
    void gatewayThatIsNotReachedHasNoLease() {
        var gateway = new StandInGateway();
        gateway.close();
        assertThat(gateway.begin(server, id())).isFalse();
    }

    @Test
    void startOfAnInstanceBreaksTheLeases() {
        try (var gateway = new StandInGateway()) {
            String id = id();
            assertThat(gateway.begin(server, id)).isTrue();
            try (var _ = server.another()) {
                assertThat(Deadline.in(PATIENCE).until(() -> !StandInGateway.renew(server, id)))
                        .isTrue();
            }
        }
    }

    @Test
    void leaseBeginsOnceAndUnknownLeasesAreNotRenewed() {
        try (var gateway = new StandInGateway()) {
            String id = id();
            assertThat(gateway.begin(server, id)).isTrue();
            assertThat(gateway.begin(server, id)).isFalse();
            assertThat(StandInGateway.renew(server, id())).isFalse();
        }
    }

    private static String id() {
        return UUID.randomUUID() + "/1";
    }

    private static int logout(String token) {
        return server.call(ALPHA, token, "POST", LOGOUT, null).status();
    }

    private static String state(String token) {
        return server.resolve(ALPHA, token).path("state").stringValue();
    }
}
