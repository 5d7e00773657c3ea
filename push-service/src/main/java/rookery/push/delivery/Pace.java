// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;

/**
 * The rate of a tenant's requests to push gateways from this instance, of tenants with {@code max_pushes_per_second} (contract.md
 * 20). A token bucket for each such tenant holds the requests of {@link #BURST}, so that a backlog is sent evenly and does not take
 * all processors at the start of each second.
 */
final class Pace {
    static final Duration BURST = Duration.ofMillis(200);

    private final Function<TenantId, @Nullable Long> perSecond;
    private final InstantSource clock;
    private final Map<TenantId, Bucket> buckets = new HashMap<>();

    /** @param perSecond the limit of a tenant; null for none */
    Pace(Function<TenantId, @Nullable Long> perSecond, InstantSource clock) {
        this.perSecond = perSecond;
        this.clock = clock;
    }

    private record Bucket(double tokens, long filledMillis) {}

    /** Whether the tenant may send one more request now. */
    synchronized boolean allows(TenantId tenant) {
        var rate = perSecond.apply(tenant);
        if (rate == null) {
            buckets.remove(tenant);
            return true;
        }
        return filled(tenant, rate).tokens >= 1;
    }

    /** Counts a request. */
    synchronized void taken(TenantId tenant) {
        add(tenant, -1);
    }

    /** Takes back the count of a request that was not sent. */
    synchronized void givenBack(TenantId tenant) {
        add(tenant, 1);
    }

    private void add(TenantId tenant, int tokens) {
        buckets.computeIfPresent(tenant, (_, bucket) -> new Bucket(bucket.tokens + tokens, bucket.filledMillis));
    }

    private Bucket filled(TenantId tenant, long rate) {
        long now = clock.millis();
        double most = Math.max(1, rate * BURST.toMillis() / 1000.0);
        var filled = buckets.get(tenant);
        double tokens = filled == null
                ? most
                : Math.min(most, filled.tokens + Math.max(0, now - filled.filledMillis) * rate / 1000.0);
        var bucket = new Bucket(tokens, now);
        buckets.put(tenant, bucket);
        return bucket;
    }
}
