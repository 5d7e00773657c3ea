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
 * What sync-service wants to tell a user.
 *
 * @param since where the client stands in each shard; null for an initial sync
 * @param upto how far the answer goes; null for everything there is
 * @param rooms only these; null for all the user has to do with
 * @param ignored users whose message events the user wants to see nothing of
 * @param blocksInvites whether invitations are left out, whoever sent them; null from instances of before
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
    /** Of another service that asks for more than a sync holds: nobody is ignored. */
    static SyncRequest ofEverything(TenantId tenant, UserId user) {
        return new SyncRequest(tenant, user, null, null, null, RoomFilter.ALL, false, false, Set.of(), null);
    }

    /** Whether an invitation of that sender is left out. */
    boolean isUnwanted(UserId sender) {
        return Boolean.TRUE.equals(blocksInvites) || ignored.contains(sender);
    }

    boolean isInitial() {
        return since == null;
    }

    /** The client's position in the shard; 0 for an initial sync. */
    long since(int shard) {
        return since == null ? 0 : since.get(shard);
    }
}
