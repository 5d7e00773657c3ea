// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import rookery.model.id.RoomId;

/**
 * Numbered rooms whose counts differ from earlier answers to the user: a token contains the last number that its device has
 * received. Numbers start at the monotonic clock in milliseconds, so that numbers stay unique after an unload of the user.
 */
final class Corrections {
    private static final int ROOMS_MAX = 1_000;
    private static final int MILLIS_SHIFT = 20;

    private final Map<RoomId, Long> rooms = new LinkedHashMap<>();
    private boolean begun;
    private long forgotten;
    private long last;

    void begin(long nanos) {
        if (!begun) {
            begun = true;
            last = nanos >> MILLIS_SHIFT;
            forgotten = last;
        }
    }

    void clear() {
        rooms.clear();
        forgotten = last;
    }

    long last() {
        return last;
    }

    void add(RoomId room) {
        rooms.remove(room);
        rooms.put(room, ++last);
        if (rooms.size() > ROOMS_MAX) {
            var oldest = rooms.entrySet().iterator();
            forgotten = oldest.next().getValue();
            oldest.remove();
        }
    }

    /** Whether all corrections after the number are kept. */
    boolean remembers(long number) {
        return number >= forgotten;
    }

    Set<RoomId> after(long number) {
        var later = new LinkedHashSet<RoomId>();
        rooms.forEach((room, each) -> {
            if (each > number) {
                later.add(room);
            }
        });
        return later;
    }
}
