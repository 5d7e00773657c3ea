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

/**
 * An answer, or one of the parts in which the whole picture is told, while streams add to it: beside the rooms by key, in rooms by
 * room and key. One thread after the other works on it.
 *
 * <p>A request that waits holds the one that has nothing to tell: it is as small as it can be.
 */
public final class Answer extends Contents {
    private SyncToken next;
    private Map<RoomId, Room> rooms = Map.of();
    private boolean isOvertaken;

    /** A room in an answer. */
    public static final class Room extends Contents {
        public final RoomPart part;

        private Room(RoomPart part) {
            this.part = part;
        }

        public RoomId id() {
            return part.room();
        }

        public boolean isIn(Section section) {
            return part.section() == section;
        }
    }

    /** @param next where the reader stands once told */
    Answer(SyncToken next) {
        this.next = next;
    }

    /** Where the reader stands once told. */
    public SyncToken next() {
        return next;
    }

    /** Marks in the token up to where a stream has told. */
    public void mark(Mark mark, long value) {
        next = next.with(next.marks().with(mark, value));
    }

    /** Adds a room of which the room log has something to say. */
    public void add(RoomPart part) {
        if (rooms.isEmpty()) {
            rooms = new LinkedHashMap<>();
        }
        rooms.put(part.room(), new Room(part));
    }

    /**
     * The room, to add something to it: a joined room of which nothing else is told appears by that alone, without a timeline. Null if
     * the reader is not told of the room: they are not joined, the filter leaves it out, or it comes with another part.
     */
    public @Nullable Room joined(Look look, RoomId room) {
        var known = rooms.get(room);
        if (known == null) {
            var alone = look.alone(room);
            if (alone != null) {
                add(alone);
            }
            known = rooms.get(room);
        }
        return known != null && known.isIn(Section.JOIN) ? known : null;
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

    boolean has(RoomId room) {
        return rooms.containsKey(room);
    }

    /** It was made by what does not hold any more, and must not be told: the reader looks again. */
    public void setOvertaken() {
        isOvertaken = true;
    }

    boolean isOvertaken() {
        return isOvertaken;
    }
}
