// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many sends may wait for an answer. The rule of CoDel (RFC 8289) tells a standing queue from a burst: the queue stands when
 * even the shortest wait of an interval was above the target. Then the number is reduced in each interval until a wait is below the
 * target again, and grows slowly afterwards. A client has at most a quarter of the places, and when no place is free, a client below
 * the average is still admitted: the excess of the client that sends most is refused first.
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
    private final Map<Object, Integer> byClient = new HashMap<>();
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
    synchronized boolean enter(Object client) {
        judge(nanos.getAsLong());
        int own = byClient.getOrDefault(client, 0);
        boolean isFull = waiting >= (int) limit;
        int clients = byClient.size() + (own == 0 ? 1 : 0);
        if (own >= share() || (isFull && own >= (int) limit / clients)) {
            return false;
        }
        waiting++;
        byClient.put(client, own + 1);
        return true;
    }

    /** A send ended without telling how long sends wait, such as a refusal by the rate limit. */
    synchronized void leave(Object client) {
        waiting--;
        byClient.computeIfPresent(client, (_, own) -> own == 1 ? null : own - 1);
    }

    /** A send was answered by its service. */
    synchronized void leave(Object client, long enteredAt) {
        long now = nanos.getAsLong();
        shortestNanos = Math.min(shortestNanos, now - enteredAt);
        leave(client);
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
