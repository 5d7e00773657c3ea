// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.topic.RoomLogRecord.EventAppended;

/** A cache of recently judged events, each parsed once for all connected users. */
@Component
public class JudgedEvents {
    private final Map<EventKey, JudgedEvent> recent = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<EventKey, Integer> lengths = new LinkedHashMap<>();
    private final long lengthMax;
    private long length;

    private record EventKey(RoomId room, EventId event) {}

    JudgedEvents(UnreadProperties properties) {
        this.lengthMax = properties.judgedMax().toBytes();
    }

    JudgedEvent of(RoomId room, EventAppended event) {
        var key = new EventKey(room, event.meta().eventId());
        var cached = find(key);
        if (cached != null) {
            return cached;
        }
        var judged = new JudgedEvent(room, event);
        keep(key, judged, event.eventJson().length());
        return judged;
    }

    private synchronized @Nullable JudgedEvent find(EventKey key) {
        return recent.get(key);
    }

    private synchronized void keep(EventKey key, JudgedEvent judged, int added) {
        if (recent.put(key, judged) == null) { // absent unless another thread was faster
            lengths.put(key, added);
            length += added;
            drop();
        }
    }

    private void drop() {
        while (length > lengthMax && recent.size() > 1) {
            var oldest = recent.keySet().iterator();
            var key = oldest.next();
            oldest.remove();
            length -= lengths.getOrDefault(key, 0);
            lengths.remove(key);
        }
    }
}
