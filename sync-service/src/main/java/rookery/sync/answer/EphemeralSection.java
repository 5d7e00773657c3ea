package rookery.sync.answer;

import java.util.ArrayList;
import java.util.List;
import rookery.sync.answer.Answer.Room;
import rookery.sync.stream.RoomPart.Section;
import tools.jackson.core.JsonGenerator;

/**
 * What happens in joined rooms without being an event of theirs (contract.md 10.5). Several streams add to it; who may be left out
 * where the filter wants few events comes after those who may not.
 */
final class EphemeralSection {
    private static final ContentKey<List<String>> EVENTS = new ContentKey<>("ephemeral events of a room, as text");

    private EphemeralSection() {}

    /** How many events there are so far. */
    static int size(Room room) {
        var events = room.get(EVENTS);
        return events == null ? 0 : events.size();
    }

    static void add(Room room, List<String> more) {
        var events = room.get(EVENTS);
        if (events == null) {
            room.put(EVENTS, new ArrayList<>(more));
        } else {
            events.addAll(more);
        }
    }

    static void write(Room room, JsonGenerator json) {
        if (room.isIn(Section.JOIN)) {
            var events = room.get(EVENTS);
            json.writeObjectPropertyStart("ephemeral");
            json.writeArrayPropertyStart("events");
            if (events != null) {
                events.forEach(json::writeRawValue);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }
}
