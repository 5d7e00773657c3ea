package rookery.push.count;

import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;

/** Somebody in a room, or who was, or may be. */
record RoomUser(TenantRoom room, UserId user) {
    TenantUser who() {
        return new TenantUser(room.tenant(), user);
    }
}
