// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.filter.RoomFilter;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * A request for the rooms of a sync response.
 *
 * @param since the client's position in each shard; null for an initial sync
 * @param upto the end of the response in each shard; null for the end of the log
 * @param rooms only the given rooms; null for all rooms of the user
 * @param ignored users whose message events are left out
 * @param after by room: the client's position in a room that differs from {@code since}, 0 for the whole room; null from instances
 *     of older versions
 * @param membersAfter by room: the position up to which the client has members of a room that is read as a whole, 0 if it has none;
 *     null from instances of older versions
 * @param blocksInvites whether all invitations are left out; null from instances of older versions
 */
record SyncRequest(
        TenantId tenant,
        UserId user,
        @Nullable List<Long> since,
        @Nullable List<Long> upto,
        @Nullable List<RoomId> rooms,
        RoomFilter filter,
        @JsonProperty("full_state") boolean fullState,
        @JsonProperty("state_after") boolean stateAfter,
        Set<UserId> ignored,
        @JsonProperty("blocks_invites") @Nullable Boolean blocksInvites,
        @Nullable Map<String, Long> after,
        @JsonProperty("members_after") @Nullable Map<String, Long> membersAfter) {
    /** A request for all rooms and all senders, for internal reads outside of a sync. */
    static SyncRequest ofEverything(TenantId tenant, UserId user) {
        return new SyncRequest(
                tenant, user, null, null, null, RoomFilter.ALL, false, false, Set.of(), null, null, null);
    }

    boolean isUnwanted(UserId sender) {
        return Boolean.TRUE.equals(blocksInvites) || ignored.contains(sender);
    }

    boolean isInitial() {
        return since == null;
    }

    long membersAfter(RoomId room) {
        return membersAfter == null ? 0 : membersAfter.getOrDefault(room.value(), 0L);
    }

    long since(RoomId room, int shard) {
        var own = after == null ? null : after.get(room.value());
        return own != null ? own : since == null ? 0 : since.get(shard);
    }
}
