package rookery.room.roomlog;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.model.id.UserId;
import rookery.room.inbox.ProfileCopies.Copy;
import rookery.room.inbox.ProfileCopies.Who;
import rookery.room.inbox.ShownProfile;
import rookery.room.roomlog.Upgrades.Leaving;

/** What was read for a batch, by room and transaction. */
record BatchFacts(
        Map<RoomKey, RoomWork> rooms,
        Map<TransactionKey, EventId> transactions,
        Map<RoomKey, List<UserId>> sponsors,
        Map<Who, Copy> copies,
        ReferredEvents referred,
        Map<Receipts.Key, Receipts.Current> receipts,
        Map<RoomKey, Leaving> leaving) {
    /** M_FORBIDDEN if there is none, as for a room that one is not in. */
    RoomWork existing(RoomKey key) {
        var room = rooms.get(key);
        if (room == null) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "you are not in the room");
        }
        return room;
    }

    /** What the request was answered before, in this batch or an earlier one; null for a new one. */
    @Nullable
    EventId repeated(@Nullable TransactionKey txn, BatchRows rows) {
        if (txn == null) {
            return null;
        }
        var earlier = transactions.get(txn);
        return earlier != null ? earlier : rows.transactions.get(txn);
    }

    boolean isDeparted(RoomKey room, UserId user) {
        var copy = copies.get(new Who(room.tenant(), user));
        return copy != null && copy.departed();
    }

    /** What was answered before the lock, unless the user log has brought a newer one since. */
    ShownProfile newest(RoomKey room, UserId user, ShownProfile answered) {
        var copy = copies.get(new Who(room.tenant(), user));
        return copy != null && copy.profile() != null && copy.profile().isNewerThan(answered)
                ? copy.profile()
                : answered;
    }
}
