package rookery.embedded.timing;

import java.util.function.Supplier;

/** What the time of a test class is spent on, as far as code says so; the rest is work. */
public final class Phase {
    /** Servers, services and databases are made and started. */
    public static final Phase STARTING = new Phase();

    /** A condition is waited for. */
    public static final Phase WAITING = new Phase();

    private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

    /** Nanoseconds of each thread. A test class runs in one thread, from its first set-up to its end. */
    private final ThreadLocal<Long> spent = ThreadLocal.withInitial(() -> 0L);

    private Phase() {}

    /** Does it on this phase's account. What is waited for while something starts counts as starting. */
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

    /** What this thread spent on the phase since it was last asked. */
    long takeNanos() {
        long nanos = spent.get();
        spent.set(0L);
        return nanos;
    }
}
