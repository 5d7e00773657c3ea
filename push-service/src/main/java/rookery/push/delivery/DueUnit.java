package rookery.push.delivery;

import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * A unit whose attempt is to be made now, by whoever holds this.
 *
 * @param attempt its number, from 1
 * @param target null when the pusher is gone, or its user is paused
 * @param told null when the event is gone
 */
record DueUnit(
        long id,
        Lane lane,
        UserId user,
        RoomId room,
        EventId event,
        String tweaks,
        boolean userIsTarget,
        int attempt,
        @Nullable Target target,
        @Nullable String told) {
    TenantId tenant() {
        return lane.tenant();
    }
}
