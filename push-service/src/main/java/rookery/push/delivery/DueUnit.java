// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * A claimed unit with the number of this attempt.
 *
 * @param attempt from 1
 * @param due the due time of this attempt
 * @param target null if the pusher was deleted or its user is paused
 * @param content the stored content of the event; null if deleted
 */
record DueUnit(
        long id,
        long pusher,
        Lane lane,
        UserId user,
        RoomId room,
        EventId event,
        String tweaks,
        boolean userIsTarget,
        int attempt,
        Instant due,
        @Nullable Target target,
        @Nullable String content) {
    TenantId tenant() {
        return lane.tenant();
    }
}
