// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * A user's read position in a room.
 *
 * @param thread the root if a single thread was read, {@code main} for events outside of threads, null for the whole room
 */
public record ReadUpTo(
        TenantId tenant,
        UserId user,
        RoomId room,
        long pos,
        @Nullable String thread) {}
