// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Durations of one kind of request, collected by many threads. */
final class Latencies {
    private final List<Long> nanos = new ArrayList<>();

    synchronized void add(long durationNanos) {
        nanos.add(durationNanos);
    }

    /** The percentiles in milliseconds. */
    synchronized Summary summary() {
        if (nanos.isEmpty()) {
            return new Summary(0, 0, 0, 0, 0);
        }
        var sorted = nanos.stream().sorted().toList();
        return new Summary(
                sorted.size(), millis(sorted, 0.5), millis(sorted, 0.9), millis(sorted, 0.99), sorted.getLast() / 1e6);
    }

    /** The number of durations up to a limit. */
    synchronized int within(double millis) {
        return (int) nanos.stream().filter(duration -> duration <= millis * 1e6).count();
    }

    /** The smallest value with at least the given share of all values at or below it. */
    private static double millis(List<Long> sorted, double share) {
        int index = (int) Math.ceil(share * sorted.size()) - 1;
        return sorted.get(Math.max(0, index)) / 1e6;
    }

    /** Percentiles in milliseconds. */
    record Summary(int count, double p50, double p90, double p99, double max) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "p50 %7.2f ms   p90 %7.2f ms   p99 %7.2f ms   max %7.2f ms   (%d)",
                    p50,
                    p90,
                    p99,
                    max,
                    count);
        }
    }
}
