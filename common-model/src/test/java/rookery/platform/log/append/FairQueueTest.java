// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FairQueueTest {
    private final FairQueue<String> queue = new FairQueue<>();

    @Test
    void lanesKeepTheirOrder() {
        queue.add(1, "a", "1");
        queue.add(1, "a", "2");
        queue.add(1, "a", "3");

        assertThat(queue.take(2)).containsExactly("1", "2");
        assertThat(queue.take(9)).containsExactly("3");
        assertThat(queue.size()).isZero();
    }

    @Test
    void aFloodOfOneRoomDoesNotDelayAnother() {
        for (int i = 0; i < 100; i++) {
            queue.add(1, "loud", "loud" + i);
        }
        queue.add(1, "quiet", "quiet");

        assertThat(queue.take(2)).containsExactly("loud0", "quiet");
    }

    @Test
    void aFloodOfOneTenantDoesNotDelayAnother() {
        for (int i = 0; i < 100; i++) {
            queue.add(1, "room" + i, "loud" + i);
        }
        queue.add(2, "room", "a");
        queue.add(2, "room", "b");

        assertThat(queue.take(4)).containsExactly("loud0", "a", "loud1", "b");
        assertThat(queue.size()).isEqualTo(98);
    }
}
