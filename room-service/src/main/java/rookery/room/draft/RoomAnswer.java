package rookery.room.draft;

import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;

/**
 * The answer to a draft.
 *
 * @param eventId the accepted event; null if the room was in the requested state already
 * @param room for an upgrade: the new room
 */
public record RoomAnswer(
        @Nullable EventId eventId, @Nullable RoomId room) {
    public RoomAnswer(@Nullable EventId eventId) {
        this(eventId, null);
    }

    /** The answer to an accepted draft without an event. */
    public static final RoomAnswer NOTHING_TO_DO = new RoomAnswer(null);
}
