package rookery.room.relation;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.MemberHistory;
import rookery.room.table.StoredEvent;

/**
 * Who reads events of a room, and what they may and want to see of it.
 *
 * @param device null if it is not known; it sees its own transaction ids
 * @param upto nothing after this position is for them
 * @param namesRoom whether events name their room, as they do everywhere but in a sync
 * @param ignored ids of users whose message events they want to see nothing of
 */
public record Audience(
        TenantRoom room,
        int shard,
        UserId user,
        @Nullable DeviceId device,
        MemberHistory history,
        long upto,
        boolean namesRoom,
        Set<String> ignored) {
    boolean sees(StoredEvent event) {
        return HistoryVisibility.isVisible(event.seen(), user, history);
    }
}
