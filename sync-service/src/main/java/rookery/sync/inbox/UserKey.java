package rookery.sync.inbox;

import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** A user of one tenant. */
public record UserKey(TenantId tenant, UserId user) {}
