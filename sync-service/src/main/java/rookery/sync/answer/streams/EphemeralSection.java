// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import rookery.model.token.SyncToken;
import rookery.sync.answer.Answer.Room;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Poll;
import rookery.sync.answer.SyncStream;
import rookery.sync.ring.RoomPart.Section;
import tools.jackson.core.JsonGenerator;

/** The {@code ephemeral} section of joined rooms (contract.md 10.5). Events that a limit may drop come last. */
@Component
@Order(35)
final class EphemeralSection implements SyncStream {
    private static final ContentKey<List<String>> EVENTS = new ContentKey<>("ephemeral events of a room, as text");

    /** The number of events so far. */
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

    @Override
    public void writeRoom(Poll poll, SyncToken next, Room room, JsonGenerator json) {
        if (room.isIn(Section.JOIN)) {
            EventsSection.write("ephemeral", room.get(EVENTS), json::writeRawValue, json);
        }
    }
}
