package rookery.room.roomlog;

import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;

/** A room of a tenant; a room id alone names nothing. */
public record RoomKey(TenantId tenant, RoomId room) {
    /** Where it lives, for ever. */
    public int shard() {
        return Shards.of(room);
    }
}
