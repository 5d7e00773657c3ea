// SPDX-License-Identifier: Apache-2.0
package rookery.sync.typing;

import java.util.LinkedHashMap;
import java.util.Map;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;

/**
 * Recent stops of typing. Records of different publishers may arrive out of order: without the stops, a late start would make a
 * user type until the deadline.
 */
final class TypingStops {
    private final long rememberedNanos;
    /** Oldest first. */
    private final Map<StopKey, Stop> stops = new LinkedHashMap<>();

    private record StopKey(TenantRoom room, UserId user) {}

    private record Stop(long ts, long nanos) {}

    TypingStops(long rememberedNanos) {
        this.rememberedNanos = rememberedNanos;
    }

    /** @param ts the time of the stop, in milliseconds since the epoch */
    void add(TenantRoom room, UserId user, long ts, long nanos) {
        var key = new StopKey(room, user);
        var before = stops.remove(key); // moves to the end
        stops.put(key, new Stop(before == null ? ts : Math.max(before.ts, ts), nanos));
    }

    /** Whether the user stopped after {@code ts}. */
    boolean isBeforeStop(TenantRoom room, UserId user, long ts) {
        var stop = stops.get(new StopKey(room, user));
        return stop != null && ts < stop.ts;
    }

    void forget(long nanos) {
        var oldest = stops.values().iterator();
        while (oldest.hasNext() && nanos - oldest.next().nanos > rememberedNanos) {
            oldest.remove();
        }
    }
}
