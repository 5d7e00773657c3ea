package rookery.sync.typing;

import java.util.LinkedHashMap;
import java.util.Map;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;

/**
 * Who said lately that they have stopped. What one process publishes may come after what another one published later: without this
 * somebody who began and stopped within a moment would type until the deadline.
 */
final class TypingStops {
    private final long rememberedNanos;
    /** The longest ago first. */
    private final Map<Key, Stop> stops = new LinkedHashMap<>();

    private record Key(TenantRoom room, UserId user) {}

    private record Stop(long ts, long nanos) {}

    TypingStops(long rememberedNanos) {
        this.rememberedNanos = rememberedNanos;
    }

    /** @param ts when they said so, in milliseconds since the epoch */
    void add(TenantRoom room, UserId user, long ts, long nanos) {
        var key = new Key(room, user);
        var before = stops.remove(key); // to stand at the end
        stops.put(key, new Stop(before == null ? ts : Math.max(before.ts, ts), nanos));
    }

    /** Whether what was said at that time was said before they stopped. */
    boolean isBeforeStop(TenantRoom room, UserId user, long ts) {
        var stop = stops.get(new Key(room, user));
        return stop != null && ts < stop.ts;
    }

    void forget(long nanos) {
        var oldest = stops.values().iterator();
        while (oldest.hasNext() && nanos - oldest.next().nanos > rememberedNanos) {
            oldest.remove();
        }
    }
}
