// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rookery.model.id.RoomId;
import rookery.platform.http.PageBytes;
import rookery.platform.json.JsonText;
import rookery.room.table.BoundedRows;
import rookery.room.timeline.TimelineRows.NumberedEvent;

/** Collects events of many rooms, room after room, up to the bytes of a page. */
final class EventsPage {
    private final Map<String, JsonText> texts = new HashMap<>();
    private int looked;
    private long bytes;

    /** @param requested number of requested events */
    EventsPage(int requested) {
        this.looked = requested;
    }

    /** The events grouped by room, in the order of their first events. */
    Collection<List<NumberedEvent>> byRoom(BoundedRows<NumberedEvent> events) {
        if (events.cut()) {
            looked = events.rows().getLast().row().number();
        }
        var byRoom = new LinkedHashMap<RoomId, List<NumberedEvent>>();
        for (var counted : events.rows()) {
            byRoom.computeIfAbsent(counted.row().room(), _ -> new ArrayList<>()).add(counted.row());
        }
        return byRoom.values();
    }

    boolean isFull() {
        return bytes >= PageBytes.PAGE_MAX;
    }

    /** @param shown texts of the first events, as many as fit */
    void take(List<NumberedEvent> events, List<JsonText> shown) {
        for (int i = 0; i < shown.size(); i++) {
            texts.put(events.get(i).event().event().meta().eventId().value(), shown.get(i));
            bytes += PageBytes.of(shown.get(i).text());
        }
        leaveOut(events.subList(shown.size(), events.size()));
    }

    /** Leaves these events and all later requested events to the next page. */
    void leaveOut(List<NumberedEvent> events) {
        events.forEach(event -> looked = Math.min(looked, event.number() - 1));
    }

    Map<String, JsonText> texts() {
        return texts;
    }

    int looked() {
        return looked;
    }
}
