// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** A room alias; {@code reservedUntil} ends its reservation and is null once the room exists. */
record Alias(
        TenantId tenant,
        RoomAlias name,
        RoomId room,
        UserId creator,
        @Nullable Instant reservedUntil) {
    boolean isConfirmed() {
        return reservedUntil == null;
    }

    /** Whether the alias is taken: the room exists, or the reservation for a future room is still valid. */
    boolean isHeldAt(Instant now) {
        return reservedUntil == null || now.isBefore(reservedUntil);
    }
}
