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
    /** Bytes of a room with few members and default levels. */
    private static final int ROOM_BYTES = 1_000;
    /** Bytes of a user in a map, with an id of 50 characters. */
    private static final int USER_BYTES = 200;
    /** Bytes of a level in a map, without the characters of its key. */
    private static final int LEVEL_BYTES = 100;
    /** Bytes of a character of the power levels: at most two in the text, and one in a key. */
    private static final int CHARACTER_BYTES = 3;

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

    /** The estimated bytes on the heap. */
    int bytes() {
        var power = core.power();
        int users = members.size() + power.unbounded().size();
        int levels = power.users().size()
                + power.events().size()
                + power.unusualNotifications().size();
        int characters = core.levelsJson() == null ? 0 : core.levelsJson().length();
        return ROOM_BYTES + users * USER_BYTES + levels * LEVEL_BYTES + characters * CHARACTER_BYTES;
    }
}
