// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Decides when news that can wait are due for a device, and wakes its request then.
 *
 * <p>Receipts, typing and presence wait for {@code least} after they came, and until {@code interval} after the device's last
 * answer. Events wait until a window after the last answer, which grows with the load of the processors. Wakes are rounded up to
 * ticks: one timer serves all requests of a tick, and without news no timer runs.
 */
@Component
public final class Gathering {
    static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final long leastNanos;
    private final long intervalNanos;
    private final long eventsMaxNanos;
    private final LongSupplier nanos;
    private final Scheduler timers;
    /** The share of {@code eventsMax} that events wait at present, 0 to 1. */
    private final DoubleSupplier pressure;

    private final Map<Long, Set<Waiter>> byTick = new ConcurrentHashMap<>();

    @Autowired
    Gathering(GatheringProperties properties) {
        this(properties, System::nanoTime, Schedulers.parallel(), new ProcessorLoad(System::nanoTime)::pressure);
    }

    Gathering(GatheringProperties properties, LongSupplier nanos, Scheduler timers, DoubleSupplier pressure) {
        this.leastNanos = properties.least().toNanos();
        this.intervalNanos = properties.interval().toNanos();
        this.eventsMaxNanos = properties.eventsMax().toNanos();
        this.nanos = nanos;
        this.timers = timers;
        this.pressure = pressure;
    }

    /** A gathering without waits, for tests of other subjects. */
    public static Gathering none() {
        var zero = Duration.ZERO;
        return new Gathering(
                new GatheringProperties(zero, zero, zero), System::nanoTime, Schedulers.parallel(), () -> 0);
    }

    long nanos() {
        return nanos.getAsLong();
    }

    long intervalNanos() {
        return intervalNanos;
    }

    /** When news that came now are due for a device that was answered at a {@link #nanos}. */
    long dueOfNews(Urgency urgency, long answeredNanos) {
        return urgency == Urgency.LATER
                ? answeredNanos + Math.max(intervalNanos, nanos() + leastNanos - answeredNanos)
                : dueOfEarlier(urgency, answeredNanos);
    }

    /** When news that a request found at its first look are due. */
    long dueOfEarlier(Urgency urgency, long answeredNanos) {
        return switch (urgency) {
            case NOTHING, LATER -> answeredNanos + intervalNanos;
            case SOON -> answeredNanos + (eventsMaxNanos == 0 ? 0 : (long) (eventsMaxNanos * pressure.getAsDouble()));
            case NOW -> answeredNanos;
        };
    }

    /** Calls {@link Waiter#due} at the first tick at or after a time. */
    void callAt(long dueNanos, Waiter waiter) {
        long tick = Math.ceilDiv(dueNanos, TICK_NANOS);
        byTick.compute(tick, (_, present) -> {
            var waiters = present == null ? timed(tick) : present;
            waiters.add(waiter);
            return waiters;
        });
    }

    private Set<Waiter> timed(long tick) {
        long delay = Math.max(1, tick * TICK_NANOS - nanos());
        timers.schedule(() -> call(tick), delay, TimeUnit.NANOSECONDS);
        return new HashSet<>();
    }

    private void call(long tick) {
        var waiters = byTick.remove(tick);
        if (waiters != null) {
            waiters.forEach(waiter -> waiter.due(tick * TICK_NANOS));
        }
    }
}
