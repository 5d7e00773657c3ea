// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many sends may wait for an answer. The rule of CoDel (RFC 8289) tells a standing queue from a burst: the queue stands when
 * even the shortest wait of an interval was above the target. Then the number is reduced in each interval until a wait is below the
 * target again, and grows slowly afterwards. A client has at most a quarter of the places. When no place is free, a tenant below the
 * average is still admitted, and so is a client below the average of its tenant: the excess of the tenant and the client that send
 * most is refused first.
 */
final class SendQueue {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final double LARGEST_CUT = 0.5;
    private static final double SMALLEST_CUT = 0.9;
    private static final double GROWTH = 1.1;
    private static final int SHARES = 4;

    private final int least;
    private final int most;
    private final long targetNanos;
    private final LongSupplier nanos;
    private final Map<Integer, Map<Object, Integer>> byTenant = new HashMap<>();
    private double limit;
    private int waiting;
    private long intervalEnd;
    private long shortestNanos = Long.MAX_VALUE;

    SendQueue(int least, int most, long targetNanos, LongSupplier nanos) {
        this.least = least;
        this.most = most;
        this.targetNanos = targetNanos;
        this.nanos = nanos;
        this.limit = most;
        this.intervalEnd = nanos.getAsLong() + INTERVAL_NANOS;
    }

    /** Whether another send of the client may wait; {@link #leave} must follow if so. */
    synchronized boolean enter(int tenant, Object client) {
        judge(nanos.getAsLong());
        var ofTenant = byTenant.getOrDefault(tenant, Map.of());
        int own = ofTenant.getOrDefault(client, 0);
        if (own >= share() || (waiting >= (int) limit && !isBelowAverage(ofTenant, own))) {
            return false;
        }
        waiting++;
        byTenant.computeIfAbsent(tenant, _ -> new HashMap<>()).put(client, own + 1);
        return true;
    }

    private boolean isBelowAverage(Map<Object, Integer> ofTenant, int own) {
        int tenants = byTenant.size() + (ofTenant.isEmpty() ? 1 : 0);
        int clients = ofTenant.size() + (own == 0 ? 1 : 0);
        int share = (int) limit / tenants;
        return own < share / clients
                || ofTenant.values().stream().mapToInt(Integer::intValue).sum() < share;
    }

    /** A send ended without telling how long sends wait, such as a refusal by the rate limit. */
    synchronized void leave(int tenant, Object client) {
        waiting--;
        byTenant.computeIfPresent(tenant, (_, clients) -> {
            clients.computeIfPresent(client, (_, own) -> own == 1 ? null : own - 1);
            return clients.isEmpty() ? null : clients;
        });
    }

    /** A send was answered by its service. */
    synchronized void leave(int tenant, Object client, long enteredAt) {
        long now = nanos.getAsLong();
        shortestNanos = Math.min(shortestNanos, now - enteredAt);
        leave(tenant, client);
        judge(now);
    }

    synchronized int limit() {
        return (int) limit;
    }

    synchronized int waiting() {
        return waiting;
    }

    private int share() {
        return Math.max(1, (int) limit / SHARES);
    }

    private void judge(long now) {
        if (now - intervalEnd < 0) {
            return;
        }
        if (waiting == 0 && now - intervalEnd > INTERVAL_NANOS) {
            limit = most; // nothing has waited for a whole interval
        }
        if (shortestNanos == Long.MAX_VALUE) {
            intervalEnd = now + INTERVAL_NANOS; // no answer tells nothing
            return;
        }
        if (shortestNanos > targetNanos) {
            double cut = Math.clamp(targetNanos / (double) shortestNanos, LARGEST_CUT, SMALLEST_CUT);
            limit = Math.max(least, Math.min(limit, waiting) * cut);
        } else {
            limit = Math.min(most, limit * GROWTH);
        }
        shortestNanos = Long.MAX_VALUE;
        intervalEnd = now + INTERVAL_NANOS;
    }
}
