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

/** Events of many rooms that are told together, room after room, until they have as many bytes as a page may have. */
final class EventsTold {
    private final Map<String, JsonText> texts = new HashMap<>();
    private int looked;
    private long bytes;

    /** @param asked how many were asked for */
    EventsTold(int asked) {
        this.looked = asked;
    }

    /** The rooms in the order of their first events. */
    Collection<List<NumberedEvent>> byRoom(BoundedRows<NumberedEvent> found) {
        if (found.cut()) {
            looked = found.rows().getLast().row().number();
        }
        var byRoom = new LinkedHashMap<RoomId, List<NumberedEvent>>();
        for (var counted : found.rows()) {
            byRoom.computeIfAbsent(counted.row().room(), _ -> new ArrayList<>()).add(counted.row());
        }
        return byRoom.values();
    }

    boolean isFull() {
        return bytes >= PageBytes.PAGE_MAX;
    }

    /** @param shown of the first of the events, as many as fit */
    void take(List<NumberedEvent> events, List<JsonText> shown) {
        for (int i = 0; i < shown.size(); i++) {
            texts.put(events.get(i).event().event().meta().eventId().value(), shown.get(i));
            bytes += PageBytes.of(shown.get(i).text());
        }
        leaveOut(events.subList(shown.size(), events.size()));
    }

    /** These come with the next page, and so does all that was asked for after them. */
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
