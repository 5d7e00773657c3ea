package rookery.room.table;

import rookery.model.id.TenantRoom;

/** A piece of a room's state. */
public record RoomStateKey(TenantRoom room, StateKey state) {}
