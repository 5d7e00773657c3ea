package rookery.push.delivery;

import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * How far somebody has read in a room.
 *
 * @param thread the root of the only thread that was read, {@code main} for what is in none, null for everything
 */
public record ReadUpTo(
        TenantId tenant,
        UserId user,
        RoomId room,
        long pos,
        @Nullable String thread) {}
