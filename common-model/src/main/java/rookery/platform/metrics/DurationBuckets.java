// SPDX-License-Identifier: Apache-2.0
package rookery.platform.metrics;

import java.time.Duration;
import java.util.stream.LongStream;

/**
 * The buckets of every histogram of durations. They are few, because a histogram has a time series for each bucket and label.
 */
public final class DurationBuckets {
    private static final long[] MILLIS = {1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000};

    private DurationBuckets() {}

    public static Duration[] all() {
        return LongStream.of(MILLIS).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
}
