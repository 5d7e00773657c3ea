package rookery.room.roomlog;

import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;

/** What the author of a draft is told: the event it became, or null if the room was so already. */
public record RoomAnswer(@Nullable EventId eventId) {
    static final RoomAnswer NOTHING_TO_DO = new RoomAnswer(null);
}
