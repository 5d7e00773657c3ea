// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.room.inbox.ProfileCopies.ProfileCopy;
import rookery.room.inbox.ShownProfile;
import rookery.room.roomlog.ShardRuns.Run;
import rookery.room.table.DelayedEvents;
import rookery.room.table.Upgrades.UpgradeFacts;
import rookery.room.transaction.TransactionKey;

/**
 * The facts of a batch, by room, transaction and user.
 *
 * @param delayed the times at which the scheduled events of the batch are due
 * @param runs the run of each shard of the batch
 */
record BatchFacts(
        Map<TenantRoom, RoomWork> rooms,
        Map<TransactionKey, EventId> transactions,
        Map<TenantRoom, List<UserId>> sponsors,
        Map<TenantUser, ProfileCopy> copies,
        ReferredEvents referred,
        Map<Receipts.Key, Receipts.Current> receipts,
        Map<TenantRoom, UpgradeFacts> leaving,
        Map<DelayedEvents.Key, Long> delayed,
        Map<Integer, Run> runs) {
    static BatchFacts none() {
        return new BatchFacts(
                new HashMap<>(),
                new HashMap<>(),
                new HashMap<>(),
                new HashMap<>(),
                new ReferredEvents(List.of(), Map.of()),
                new HashMap<>(),
                new HashMap<>(),
                new HashMap<>(),
                new HashMap<>());
    }

    /** M_FORBIDDEN for an unknown room, the same answer as for a room that the user is not in. */
    RoomWork existing(TenantRoom key) {
        var room = rooms.get(key);
        if (room == null) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room");
        }
        return room;
    }

    /** The event that an earlier request with the same transaction id made, in this batch or before; null for a new request. */
    @Nullable
    EventId repeated(@Nullable TransactionKey txn, BatchRows rows) {
        if (txn == null) {
            return null;
        }
        var earlier = transactions.get(txn);
        return earlier != null ? earlier : rows.transactions.get(txn);
    }

    /** M_NOT_FOUND for an unknown room. */
    RoomWork required(TenantRoom key) {
        var room = rooms.get(key);
        if (room == null) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such room");
        }
        return room;
    }

    /** M_FORBIDDEN for a deactivated user. */
    void requireActive(TenantRoom room, UserId user) {
        if (isDeparted(room, user)) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "this account was deactivated");
        }
    }

    boolean isDeparted(TenantRoom room, UserId user) {
        var copy = copies.get(new TenantUser(room.tenant(), user));
        return copy != null && copy.departed();
    }

    /** The newer of two profiles: auth-service's answer from before the lock, and the copy from the user log. */
    ShownProfile newest(TenantRoom room, UserId user, ShownProfile answered) {
        var copy = copies.get(new TenantUser(room.tenant(), user));
        return copy != null && copy.profile() != null && copy.profile().isNewerThan(answered)
                ? copy.profile()
                : answered;
    }
}
