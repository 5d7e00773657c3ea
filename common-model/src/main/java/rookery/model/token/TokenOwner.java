package rookery.model.token;

import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Whose token it is; to everybody else it is no token at all. */
public record TokenOwner(TenantId tenant, UserId user) {}
