package rookery.directory.alias;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * A name and where it leads.
 *
 * @param reservedUntil null once the room is known to exist; before that, until when the name is kept for it
 */
record Alias(
        TenantId tenant,
        RoomAlias name,
        RoomId room,
        UserId creator,
        @Nullable Instant reservedUntil) {
    boolean isConfirmed() {
        return reservedUntil == null;
    }

    /** Whether nobody may have it: its room exists, or may be made at any moment. */
    boolean isHeldAt(Instant now) {
        return reservedUntil == null || now.isBefore(reservedUntil);
    }
}
