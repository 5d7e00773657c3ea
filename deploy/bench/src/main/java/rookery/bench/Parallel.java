// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.UnexpectedAnswerException;

/** Runs preparation steps concurrently. */
final class Parallel {
    private static final int ATTEMPTS_MAX = 10;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private Parallel() {}

    /** A numbered step. */
    interface Step {
        void take(int number) throws IOException;
    }

    /** Runs the steps of a range, a fixed number at a time. The first failure ends the run. */
    static void run(int atOnce, int from, int to, Step step) throws IOException {
        var next = new AtomicInteger(from);
        var failure = new AtomicReference<@Nullable Exception>();
        try (var threads = Executors.newFixedThreadPool(atOnce)) {
            for (int i = 0; i < atOnce; i++) {
                threads.execute(() -> takeAll(next, to, step, failure));
            }
        }
        var failed = failure.get();
        if (failed != null) {
            throw new IOException("preparing failed: " + failed.getMessage(), failed);
        }
    }

    private static void takeAll(AtomicInteger next, int to, Step step, AtomicReference<@Nullable Exception> failure) {
        for (int i = next.getAndIncrement(); i < to && failure.get() == null; i = next.getAndIncrement()) {
            try {
                take(i, step);
            } catch (IOException | UnexpectedAnswerException e) {
                failure.compareAndSet(null, e);
            }
        }
    }

    /** Repeats a step that a busy server refused. */
    private static void take(int number, Step step) throws IOException {
        for (int attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
            try {
                step.take(number);
                return;
            } catch (UnexpectedAnswerException e) {
                if (!e.isPassing()) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
        step.take(number);
    }
}
