// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.token.Mark;
import rookery.model.token.SyncToken;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.waiting.Urgency;

/** An answer to a sync, or a part of a complete answer, while streams add content. Small, because waiting requests keep one. */
public final class Answer extends Contents {
    private SyncToken next;
    private Map<RoomId, Room> rooms = Map.of();
    private boolean isOvertaken;

    public static final class Room extends Contents {
        public final RoomPart part;
        private Urgency urgency;

        private Room(RoomPart part, Urgency urgency) {
            this.part = part;
            this.urgency = urgency;
        }

        public Urgency urgency() {
            return urgency;
        }

        /** Notes that the room has content of this urgency. */
        public void raise(Urgency atLeast) {
            urgency = urgency.max(atLeast);
        }

        public RoomId id() {
            return part.room();
        }

        public boolean isIn(Section section) {
            return part.section() == section;
        }
    }

    /** @param next the token that the client gets as {@code next_batch} */
    Answer(SyncToken next) {
        this.next = next;
    }

    /** The token for {@code next_batch}. */
    public SyncToken next() {
        return next;
    }

    /** Sets a mark of the token: the stream's content up to {@code value} is in the answer. */
    public void mark(Mark mark, long value) {
        next = next.with(next.marks().with(mark, value));
    }

    /** Adds a room with content from the room log. */
    public void add(RoomPart part, Urgency urgency) {
        if (rooms.isEmpty()) {
            rooms = new LinkedHashMap<>();
        }
        rooms.put(part.room(), new Room(part, urgency));
    }

    /**
     * The joined room, for a stream to add content of this urgency. A room without other changes is added with an empty timeline. Null if the
     * answer must not contain the room: the user is not joined, the filter excludes the room, or another part of the answer
     * contains the room.
     */
    public @Nullable Room joined(Look look, RoomId room, Urgency urgency) {
        var entry = rooms.get(room);
        if (entry == null) {
            var alone = look.alone(room);
            if (alone != null) {
                add(alone, urgency);
            }
            entry = rooms.get(room);
        }
        if (entry == null || !entry.isIn(Section.JOIN)) {
            return null;
        }
        entry.raise(urgency);
        return entry;
    }

    public Collection<Room> rooms() {
        return rooms.values();
    }

    public List<RoomId> joinedRooms() {
        return rooms.values().stream()
                .filter(room -> room.isIn(Section.JOIN))
                .map(Room::id)
                .toList();
    }

    /** The answer rests on an outdated ignore list and must not be sent: the request looks again. */
    public void setOvertaken() {
        isOvertaken = true;
    }

    boolean isOvertaken() {
        return isOvertaken;
    }
}
