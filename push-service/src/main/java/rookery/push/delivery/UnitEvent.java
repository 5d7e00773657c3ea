// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * The content of an event for pushes, stored once for all users. All names are visible to every member of the room.
 *
 * @param pos in the room's shard
 * @param ts the event's origin_server_ts, in ms since the epoch
 * @param thread root of the event's thread, null for the main timeline
 * @param contentJson a JSON object as in the room log
 */
public record UnitEvent(
        TenantId tenant,
        RoomId room,
        EventId event,
        long pos,
        long ts,
        @Nullable EventId thread,
        String type,
        @Nullable String stateKey,
        UserId sender,
        @Nullable String senderDisplayName,
        @Nullable String roomName,
        @Nullable String roomAlias,
        String contentJson) {}
