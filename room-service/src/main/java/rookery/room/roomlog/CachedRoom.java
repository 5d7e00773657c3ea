// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import rookery.model.event.Membership;
import rookery.model.id.UserId;
import rookery.room.authorization.CoreState;
import rookery.room.roomlog.Rooms.RoomHead;
import rookery.room.roomlog.ShardRuns.Run;

/**
 * An instance's cache of a room between batches, so that a message event reads no state.
 *
 * @param statePos the version of the cached state; valid while the room's version is the same
 * @param members the memberships read so far, never all members of a large room
 * @param row the room's row; null for a room that the last batch created
 */
record CachedRoom(
        long statePos,
        CoreState core,
        Map<UserId, Membership> members,
        @Nullable RowInRun row) {
    private static final int MEMBERS_MAX = 20_000;

    /** A room's row after the last batch with the room. Exact while that run of the shard goes on. */
    record RowInRun(Run run, RoomHead head) {}

    CachedRoom(long statePos, CoreState core) {
        this(statePos, core, new ConcurrentHashMap<>());
    }

    CachedRoom(long statePos, CoreState core, Map<UserId, Membership> members) {
        this(statePos, core, members, null);
    }

    CachedRoom after(RoomWork work, @Nullable RowInRun newRow) {
        Map<UserId, Membership> cachedMembers = members.size() > MEMBERS_MAX ? new ConcurrentHashMap<>() : members;
        cachedMembers.putAll(work.knownMembers());
        return new CachedRoom(work.statePos(), work.core(), cachedMembers, newRow);
    }
}
