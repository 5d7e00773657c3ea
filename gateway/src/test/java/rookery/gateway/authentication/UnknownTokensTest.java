// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import rookery.model.id.TenantId;

class UnknownTokensTest {
    private long now;
    private final UnknownTokens unknown = new UnknownTokens(() -> now);

    @Test
    void aTokenIsRememberedForItsTenantAndForAWhile() {
        var token = new TokenHash(new TenantId(1), "aa");
        unknown.add(token);
        now += UnknownTokens.LIFE.toNanos() - 1;
        assertThat(unknown.contains(token)).isTrue();
        assertThat(unknown.contains(new TokenHash(new TenantId(2), "aa"))).isFalse();
        now += Duration.ofMillis(1).toNanos();
        assertThat(unknown.contains(token)).isFalse();
    }
}
