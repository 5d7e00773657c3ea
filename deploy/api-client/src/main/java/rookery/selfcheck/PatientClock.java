package rookery.selfcheck;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;

/**
 * A clock that stops while the program waits for the rate limit, in whatever thread: such a wait says nothing about the server. All
 * deadlines and all times that are shown are read from it.
 */
final class PatientClock implements Http.RateLimitWait {
    /** The server counts its window by a clock of its own. */
    private static final Duration MARGIN = Duration.ofMillis(200);

    /** How a thread waits. */
    @FunctionalInterface
    interface Sleep {
        void sleep(Duration time) throws InterruptedException;
    }

    private final LongSupplier nanoTime;
    private final Sleep sleep;
    private final Consumer<String> out;
    private int waiting;
    private long stoppedAt;
    private long stoppedNanos;
    private int stops;

    PatientClock(Consumer<String> out) {
        this(System::nanoTime, Thread::sleep, out);
    }

    PatientClock(LongSupplier nanoTime, Sleep sleep, Consumer<String> out) {
        this.nanoTime = nanoTime;
        this.sleep = sleep;
        this.out = out;
    }

    /** As {@link System#nanoTime}, without the time for which it stood still. */
    synchronized long nanos() {
        return (waiting > 0 ? stoppedAt : nanoTime.getAsLong()) - stoppedNanos;
    }

    /** How often it was stopped. What the server does only for a time may have run out when this has changed. */
    synchronized int stops() {
        return stops;
    }

    double millisSince(long nanos) {
        return (nanos() - nanos) / 1e6;
    }

    @Override
    public void await(Answer refused) throws InterruptedException {
        var time = refused.retryAfter().plus(MARGIN);
        stop(time);
        try {
            sleep.sleep(time);
        } finally {
            go();
        }
    }

    /** Two threads that wait at the same time are one wait, which is said once. */
    private synchronized void stop(Duration time) {
        if (waiting++ == 0) {
            stops++;
            stoppedAt = nanoTime.getAsLong();
            out.accept("waiting %d s for the rate limit"
                    .formatted(time.plusMillis(999).toSeconds()));
        }
    }

    private synchronized void go() {
        if (--waiting == 0) {
            stoppedNanos += nanoTime.getAsLong() - stoppedAt;
        }
    }
}
