package rookery.sync.inbox;

import java.util.LinkedHashMap;
import java.util.Map;
import rookery.model.id.TenantRoom;

/** Where the newest event of each of those rooms stands in which something happened last, whether or not anybody here reads them. */
final class LatestEvents {
    /** Enough for the moments by which something may be late. */
    private static final int ROOMS_MAX = 4_096;

    private final Map<TenantRoom, Long> positions = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TenantRoom, Long> eldest) {
            return size() > ROOMS_MAX;
        }
    };

    void add(TenantRoom room, long pos) {
        positions.put(room, pos);
    }

    /** Whether something has happened there after that position, as far as it is remembered. */
    boolean isAfter(TenantRoom room, long pos) {
        return positions.getOrDefault(room, 0L) > pos;
    }

    void clear() {
        positions.clear();
    }
}
