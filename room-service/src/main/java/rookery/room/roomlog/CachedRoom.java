package rookery.room.roomlog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.PowerLevels;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an instance remembers of a room between batches, so that a message costs no read of state.
 *
 * @param statePos the version it was read at; worthless once the room's is another one
 * @param powerLevels content of the event in force, or null
 * @param members those that were asked for so far, never all of a large room
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

    /** The same room after a batch of our own: what the batch learned and changed is kept. */
    CachedRoom after(RoomWork work) {
        Map<UserId, Membership> known = members.size() > MEMBERS_MAX ? new ConcurrentHashMap<>() : members;
        known.putAll(work.knownMembers());
        return new CachedRoom(
                work.statePos(), creator, work.powerLevels(), work.power(), work.joinRule(), work.visibility(), known);
    }
}
