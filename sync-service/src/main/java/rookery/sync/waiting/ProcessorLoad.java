// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The load of the processors available to this process, read on demand and at most four times a second. */
final class ProcessorLoad {
    private static final long AGE_NANOS = Duration.ofMillis(250).toNanos();
    /** Below this load, events do not wait. */
    private static final double LOW = 0.7;
    /** From this load on, events wait longest. */
    private static final double HIGH = 0.95;

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final LongSupplier nanos;
    private volatile Reading reading;

    private record Reading(double pressure, long nanos) {}

    ProcessorLoad(LongSupplier nanos) {
        this.nanos = nanos;
        this.reading = new Reading(0, nanos.getAsLong());
    }

    /** 0 on a quiet machine to 1 on a busy one. */
    double pressure() {
        long now = nanos.getAsLong();
        if (now - reading.nanos > AGE_NANOS) {
            read(now);
        }
        return reading.pressure;
    }

    private synchronized void read(long now) {
        if (now - reading.nanos > AGE_NANOS) {
            reading = new Reading(pressure(system.getCpuLoad()), now);
        }
    }

    static double pressure(double load) {
        return Double.isNaN(load) ? 0 : Math.clamp((load - LOW) / (HIGH - LOW), 0.0, 1.0);
    }
}
