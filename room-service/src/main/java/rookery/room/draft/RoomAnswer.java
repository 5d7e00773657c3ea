package rookery.room.draft;

import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;

/**
 * What the author of a draft is told.
 *
 * @param eventId the event it became, or null if the room was so already
 * @param room of an upgrade: the room that took the old one's place
 */
public record RoomAnswer(
        @Nullable EventId eventId, @Nullable RoomId room) {
    public RoomAnswer(@Nullable EventId eventId) {
        this(eventId, null);
    }

    /** Of a draft that changes nothing and is not refused. */
    public static final RoomAnswer NOTHING_TO_DO = new RoomAnswer(null);
}
