package rookery.embedded;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import rookery.embedded.timing.Phase;

/** Waits for a condition that nobody announces, such as a port that answers or a process that is gone. */
public final class Deadline {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final long atNanos;

    private Deadline(long atNanos) {
        this.atNanos = atNanos;
    }

    public static Deadline in(Duration patience) {
        return new Deadline(System.nanoTime() + patience.toNanos());
    }

    /** True as soon as the condition holds, false when it still does not at the deadline. */
    public boolean until(BooleanSupplier condition) {
        return until(PAUSE, condition);
    }

    /** The same, for a condition that costs something to look at. */
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
