package rookery.room.roomlog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.PowerLevels;
import tools.jackson.databind.node.ObjectNode;

/**
 * An instance's cache of a room between batches, so that a message event reads no state.
 *
 * @param statePos the version of the cached state; valid while the room's version is the same
 * @param powerLevels content of the power levels event in force, or null
 * @param members the memberships read so far, never all members of a large room
 */
record CachedRoom(
        long statePos,
        UserId creator,
        @Nullable ObjectNode powerLevels,
        PowerLevels power,
        String joinRule,
        String visibility,
        Map<UserId, Membership> members) {
    private static final int MEMBERS_MAX = 20_000;

    /** The cached room after a batch of this instance. */
    CachedRoom after(RoomWork work) {
        Map<UserId, Membership> cachedMembers = members.size() > MEMBERS_MAX ? new ConcurrentHashMap<>() : members;
        cachedMembers.putAll(work.knownMembers());
        return new CachedRoom(
                work.statePos(),
                creator,
                work.powerLevels(),
                work.power(),
                work.joinRule(),
                work.visibility(),
                cachedMembers);
    }
}
