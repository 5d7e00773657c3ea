// SPDX-License-Identifier: Apache-2.0
package rookery.room.relation;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.MemberHistory;
import rookery.room.table.StoredEvent;

/**
 * The reader of a room's events: identity, visibility and wishes.
 *
 * @param device null if unknown; receives its own transaction ids
 * @param upto last visible position
 * @param namesRoom whether events carry {@code room_id}, as everywhere except in a sync
 * @param ignored ids of users whose message events are left out
 */
public record Audience(
        TenantRoom room,
        int shard,
        UserId user,
        @Nullable DeviceId device,
        MemberHistory history,
        long upto,
        boolean namesRoom,
        Set<String> ignored) {
    boolean sees(StoredEvent event) {
        return HistoryVisibility.isVisible(event.seen(), user, history);
    }
}
