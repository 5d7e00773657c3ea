package rookery.sync.unread;

import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.sync.ring.RoomRing;

/**
 * A room that a connected user is joined to.
 *
 * @param joinedFrom the start of the current membership
 * @param name the user's display name in the room; null if unknown
 * @param ring the room's recent events
 */
public record CountedRoom(
        RoomId room, int shard, long joinedFrom, @Nullable Name name, RoomRing ring) {}
