// SPDX-License-Identifier: Apache-2.0
package rookery.auth.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.auth.call.TurnProperties.TurnServer;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The expected password was computed by another program. */
class TurnCredentialsTest {
    private static final List<String> URIS = List.of("turn:turn.example?transport=udp");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void passwordIsTheHmacOfTheName() {
        var credentials = TurnCredentials.of(new TurnServer(URIS, "north", DAY), new UserId("@ada:example.org"), NOW);
        assertThat(credentials)
                .isEqualTo(new TurnCredentials(
                        "1767312000:@ada:example.org", "l2aRW2y3eORv7nS3Rq/VWAeFZaU=", URIS, 86_400));
    }

    @Test
    void tenantsHaveTheirOwnServers() {
        var own = new TurnServer(List.of("turn:two.example"), "south", Duration.ofHours(1));
        var none = new TurnServer(List.of(), "", DAY);
        var properties = new TurnProperties(URIS, "north", DAY, Map.of(2, own, 3, none));
        assertThat(properties.of(new TenantId(1))).isEqualTo(new TurnServer(URIS, "north", DAY));
        assertThat(properties.of(new TenantId(2))).isEqualTo(own);
        assertThat(properties.of(new TenantId(3))).isNull();
        assertThat(properties.toString()).doesNotContain("north", "south");
    }

    @Test
    void serversWithoutASecretAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TurnProperties(URIS, "", DAY, Map.of()))
                .withMessageContaining("rookery.auth.turn.shared-secret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TurnProperties(List.of(), "", DAY, Map.of(2, new TurnServer(URIS, "", DAY))))
                .withMessageContaining("rookery.auth.turn.tenants.2.shared-secret");
    }
}
