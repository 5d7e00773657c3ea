// SPDX-License-Identifier: Apache-2.0
package rookery.room.draft;

import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;

/** The accepted event, null if the room was in the requested state already; for an upgrade also the new room. */
public record RoomAnswer(
        @Nullable EventId eventId, @Nullable RoomId room) {
    public RoomAnswer(@Nullable EventId eventId) {
        this(eventId, null);
    }

    /** The answer to an accepted draft without an event. */
    public static final RoomAnswer NOTHING_TO_DO = new RoomAnswer(null);
}
