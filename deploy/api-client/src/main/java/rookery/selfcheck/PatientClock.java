// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;

/**
 * A clock that stops while any thread waits for the rate limit, because such a wait is no property of the server. All deadlines
 * and all printed times use this clock.
 */
final class PatientClock implements Http.RateLimitWait {
    /** Added to each wait, because the server measures the window with another clock. */
    private static final Duration MARGIN = Duration.ofMillis(200);

    /** Puts a thread to sleep; tests replace it. */
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

    /** Like {@link System#nanoTime}, without the stopped time. */
    synchronized long nanos() {
        return (waiting > 0 ? stoppedAt : nanoTime.getAsLong()) - stoppedNanos;
    }

    /** The number of stops. After a stop, state with a timeout, such as typing, may have expired on the server. */
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

    /** Overlapping waits of two threads are one stop, with one printed line. */
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
