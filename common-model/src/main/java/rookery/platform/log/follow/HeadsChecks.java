// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** When a tail compares its positions with the owner's heads: once a second, five times a second while Kafka does not answer. */
final class HeadsChecks {
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long WITHOUT_KAFKA_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Longer than {@code fetch.max.wait.ms}, after which Kafka answers without records. */
    static final long KAFKA_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final LongSupplier nanos;
    private long dueNanos;

    HeadsChecks(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void begin() {
        dueNanos = nanos.getAsLong();
    }

    boolean isDue() {
        return nanos.getAsLong() - dueNanos >= 0;
    }

    long dueNanos() {
        return dueNanos;
    }

    Duration untilDue() {
        return Duration.ofNanos(Math.max(0, dueNanos - nanos.getAsLong()));
    }

    boolean doesKafkaAnswer(long kafkaAnsweredNanos) {
        return nanos.getAsLong() - kafkaAnsweredNanos < KAFKA_SILENCE_NANOS;
    }

    /** At whole multiples of the interval, so that all tails of the process ask together, whenever they began. */
    void done(long askedNanos, long kafkaAnsweredNanos) {
        long interval = doesKafkaAnswer(kafkaAnsweredNanos) ? INTERVAL_NANOS : WITHOUT_KAFKA_NANOS;
        dueNanos = (Math.floorDiv(askedNanos, interval) + 1) * interval;
    }

    void failed() {
        dueNanos = nanos.getAsLong() + WITHOUT_KAFKA_NANOS;
    }
}
