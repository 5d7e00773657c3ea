// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.LinkedHashMap;
import java.util.Map;
import rookery.model.id.TenantRoom;

/** The position of the newest event in recently active rooms, with or without readers on this node. */
final class LatestEvents {
    /** Covers the time by which {@code ephemeral} and the room log may be apart. */
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

    /** Whether the room has an event after the position; false for rooms that are not active. */
    boolean isAfter(TenantRoom room, long pos) {
        return positions.getOrDefault(room, 0L) > pos;
    }

    void clear() {
        positions.clear();
    }
}
