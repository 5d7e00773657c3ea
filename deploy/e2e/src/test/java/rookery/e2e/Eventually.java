// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import rookery.embedded.Deadline;

/** Waits for a condition, also while the service that has to answer is starting again. */
final class Eventually {
    /** Two services that start again at once take 16 s on an idle machine, and more than 30 s beside other tests. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

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
