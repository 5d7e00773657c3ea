// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.CoreState;

/**
 * An instance's cache of a room between batches, so that a message event reads no state.
 *
 * @param statePos the version of the cached state; valid while the room's version is the same
 * @param members the memberships read so far, never all members of a large room
 */
record CachedRoom(long statePos, CoreState core, Map<UserId, Membership> members) {
    private static final int MEMBERS_MAX = 20_000;

    CachedRoom(long statePos, CoreState core) {
        this(statePos, core, new ConcurrentHashMap<>());
    }

    CachedRoom after(RoomWork work) {
        Map<UserId, Membership> cachedMembers = members.size() > MEMBERS_MAX ? new ConcurrentHashMap<>() : members;
        cachedMembers.putAll(work.knownMembers());
        return new CachedRoom(work.statePos(), work.core(), cachedMembers);
    }
}
