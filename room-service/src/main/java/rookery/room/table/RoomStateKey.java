package rookery.room.table;

import rookery.model.id.TenantRoom;

/** One piece of state of one room. */
public record RoomStateKey(TenantRoom room, StateKey state) {}
