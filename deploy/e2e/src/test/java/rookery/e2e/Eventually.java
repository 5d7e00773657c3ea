// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import rookery.embedded.Deadline;

/** Waiting for what comes by itself, though whoever should answer may be starting again meanwhile. */
final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private Eventually() {}

    interface Condition {
        boolean holds() throws IOException;
    }

    static void eventually(Condition condition) {
        assertThat(Deadline.in(PATIENCE).until(PAUSE, () -> holds(condition))).isTrue();
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (IOException _) {
            return false;
        }
    }
}
