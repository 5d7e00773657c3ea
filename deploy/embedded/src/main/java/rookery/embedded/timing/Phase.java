// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.timing;

import java.util.function.Supplier;

/** A kind of time that test classes spend, measured where the code marks it; the rest counts as work. */
public final class Phase {
    /** The start of servers, services and databases. */
    public static final Phase STARTING = new Phase();

    /** Waiting for a condition. */
    public static final Phase WAITING = new Phase();

    private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

    /** Nanoseconds by thread. A test class runs in one thread from its first set-up to its end. */
    private final ThreadLocal<Long> spent = ThreadLocal.withInitial(() -> 0L);

    private Phase() {}

    /** Runs a task and adds its time to the phase. */
    public <T> T during(Supplier<T> task) {
        if (INSIDE.get()) {
            return task.get();
        }
        INSIDE.set(true);
        long begunNanos = System.nanoTime();
        try {
            return task.get();
        } finally {
            spent.set(spent.get() + System.nanoTime() - begunNanos);
            INSIDE.set(false);
        }
    }

    /** Returns and resets the time of this thread. */
    long takeNanos() {
        long nanos = spent.get();
        spent.set(0L);
        return nanos;
    }
}
