package rookery.push.count;

import rookery.model.id.RoomId;
import rookery.model.id.TenantId;

/** A room of a tenant. */
public record RoomKey(TenantId tenant, RoomId room) {}
