// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/**
 * The number of keys that Redis has evicted for lack of memory ({@code redis_evicted_keys_total}), so that an alert needs no
 * separate exporter. Every gateway exports the same number. A scrape reads the previous value and requests the next.
 */
@Component
final class RedisEvictions {
    private static final String FIELD = "evicted_keys:";

    private final RedisLink redis;
    private volatile long last;

    RedisEvictions(RedisLink redis, MeterRegistry meters) {
        this.redis = redis;
        FunctionCounter.builder("redis_evicted_keys", this, RedisEvictions::evicted)
                .description("keys that Redis has thrown away because its memory was full, of all gateways together")
                .register(meters);
    }

    private double evicted() {
        var _ = redis.info("stats").thenAccept(stats -> last = evicted(stats, last));
        return last;
    }

    /** The value in the INFO section, or {@code known} if absent. */
    static long evicted(String stats, long otherwise) {
        return stats.lines()
                .filter(line -> line.startsWith(FIELD))
                .mapToLong(line -> Long.parseLong(line.substring(FIELD.length()).strip()))
                .findFirst()
                .orElse(otherwise);
    }
}
