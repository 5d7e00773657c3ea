// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PresenceTest {
    private final Presence presence = new Presence();

    @Test
    void afterAFailureOneRequestInAWhileAsks() {
        presence.failed(1000);
        assertThat(presence.mayAsk(1499)).isFalse();
        assertThat(presence.mayAsk(1500)).isTrue();
        assertThat(presence.mayAsk(1500)).isFalse();
        assertThat(presence.mayAsk(2000)).isTrue();
    }

    @Test
    void anAnswerLetsAllAskAgain() {
        presence.failed(1000);
        presence.answered();
        assertThat(presence.mayAsk(1001)).isTrue();
        assertThat(presence.mayAsk(1001)).isTrue();
        assertThat(presence.isAway()).isFalse();
    }

    @Test
    void onlyAFailureThatLastsIsSaid() {
        assertThat(presence.failed(1000)).isFalse();
        assertThat(presence.failed(1001)).isFalse(); // a concurrent request
        assertThat(presence.answered()).isFalse();
        assertThat(presence.failed(2000)).isFalse();
        assertThat(presence.mayAsk(2500)).isTrue();
        assertThat(presence.failed(2550)).isTrue();
        assertThat(presence.failed(3100)).isFalse();
        assertThat(presence.answered()).isTrue();
        assertThat(presence.answered()).isFalse();
    }
}
