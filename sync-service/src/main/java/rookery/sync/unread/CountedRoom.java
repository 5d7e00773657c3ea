// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.sync.ring.RoomRing;

/** A room that a connected user is joined to, with the user's display name, null if unknown, and the ring. */
public record CountedRoom(
        RoomId room, int shard, long joinedFrom, @Nullable Name name, RoomRing ring) {}
