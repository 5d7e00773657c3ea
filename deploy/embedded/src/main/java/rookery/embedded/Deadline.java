// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import rookery.embedded.timing.Phase;

/** Waits for a condition by polling, such as an open port or the end of a process. */
public final class Deadline {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final long atNanos;

    private Deadline(long atNanos) {
        this.atNanos = atNanos;
    }

    public static Deadline in(Duration patience) {
        return new Deadline(System.nanoTime() + patience.toNanos());
    }

    /** Returns true as soon as the condition is true, false when the deadline passes before. */
    public boolean until(BooleanSupplier condition) {
        return until(PAUSE, condition);
    }

    /** The same with a longer pause, for a condition that is expensive to check. */
    public boolean until(Duration pause, BooleanSupplier condition) {
        return Phase.WAITING.during(() -> awaited(pause, condition));
    }

    private boolean awaited(Duration pause, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (passed()) {
                return false;
            }
            pause(pause);
        }
        return true;
    }

    public boolean passed() {
        return System.nanoTime() - atNanos >= 0;
    }

    private static void pause(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while waiting for a server", e);
        }
    }
}
