// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.platform.instance.Instance;

class SuspectsTest {
    private static final Instance ONE = new Instance("room-service-1", "127.0.0.1:1", null);
    private static final Instance TWO = new Instance("room-service-2", "127.0.0.1:2", null);
    private static final Instance THREE = new Instance("room-service-3", "127.0.0.1:3", null);

    private final Suspects suspects = new Suspects();

    @Test
    void aSuspectIsAskedLastAndSaidOnce() {
        assertThat(suspects.add(TWO)).isTrue();
        assertThat(suspects.add(TWO)).isFalse();
        assertThat(suspects.last(List.of(TWO, THREE, ONE))).containsExactly(THREE, ONE, TWO);
    }

    @Test
    void whoIsNoSuspectKeepsItsPlace() {
        assertThat(suspects.last(List.of(TWO, ONE))).containsExactly(TWO, ONE);
        suspects.add(THREE);
        assertThat(suspects.last(List.of(TWO, ONE))).containsExactly(TWO, ONE);
        assertThat(suspects.last(List.of(THREE))).containsExactly(THREE);
    }
}
