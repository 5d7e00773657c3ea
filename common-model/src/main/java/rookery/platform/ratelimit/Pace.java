// SPDX-License-Identifier: Apache-2.0
package rookery.platform.ratelimit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;

/**
 * The rate of what this instance does for a tenant, such as requests to push gateways. A token bucket for each tenant with a limit
 * holds the tokens of a short burst, so that a backlog is worked off evenly and does not take all processors at the start of each
 * second.
 */
public final class Pace {
    private final Function<TenantId, @Nullable Long> perSecond;
    private final Duration burst;
    private final InstantSource clock;
    private final Map<TenantId, Bucket> buckets = new HashMap<>();

    /**
     * @param perSecond the limit of a tenant; null for none
     * @param burst the time whose tokens a bucket holds, beside the next one
     */
    public Pace(Function<TenantId, @Nullable Long> perSecond, Duration burst, InstantSource clock) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.clock = clock;
    }

    private record Bucket(double tokens, long filledMillis) {}

    /** The limit of a tenant; null for none. */
    public @Nullable Long perSecond(TenantId tenant) {
        return perSecond.apply(tenant);
    }

    /** Whether a token is left for the tenant. */
    public synchronized boolean allows(TenantId tenant) {
        var rate = perSecond.apply(tenant);
        if (rate == null) {
            buckets.remove(tenant);
            return true;
        }
        return filled(tenant, rate).tokens >= 1;
    }

    /** Takes a token, if one is left. */
    public synchronized boolean take(TenantId tenant) {
        boolean isLeft = allows(tenant);
        if (isLeft) {
            taken(tenant);
        }
        return isLeft;
    }

    /** Takes a token after {@link #allows}. */
    public synchronized void taken(TenantId tenant) {
        add(tenant, -1);
    }

    /** Gives back a token that was not used. */
    public synchronized void givenBack(TenantId tenant) {
        add(tenant, 1);
    }

    private void add(TenantId tenant, int tokens) {
        buckets.computeIfPresent(tenant, (_, bucket) -> new Bucket(bucket.tokens + tokens, bucket.filledMillis));
    }

    private Bucket filled(TenantId tenant, long rate) {
        long now = clock.millis();
        double most = 1 + rate * burst.toMillis() / 1000.0;
        var filled = buckets.get(tenant);
        double tokens = filled == null
                ? most
                : Math.min(most, filled.tokens + Math.max(0, now - filled.filledMillis) * rate / 1000.0);
        var bucket = new Bucket(tokens, now);
        buckets.put(tenant, bucket);
        return bucket;
    }
}
