// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
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
        @JsonProperty("blocks_invites") @Nullable Boolean blocksInvites) {
    /** A request for all rooms and all senders, for internal reads outside of a sync. */
    static SyncRequest ofEverything(TenantId tenant, UserId user) {
        return new SyncRequest(tenant, user, null, null, null, RoomFilter.ALL, false, false, Set.of(), null);
    }

    boolean isUnwanted(UserId sender) {
        return Boolean.TRUE.equals(blocksInvites) || ignored.contains(sender);
    }

    boolean isInitial() {
        return since == null;
    }

    long since(int shard) {
        return since == null ? 0 : since.get(shard);
    }
}
