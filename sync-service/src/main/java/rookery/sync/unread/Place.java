package rookery.sync.unread;

import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.sync.ring.RoomRing;

/**
 * A room that a connected user is joined to.
 *
 * @param joinedFrom where the present uninterrupted time as a member began
 * @param name the user's name in the room; null if it is not known
 * @param ring what this node holds of the room
 */
public record Place(
        RoomId room, int shard, long joinedFrom, @Nullable Name name, RoomRing ring) {}
