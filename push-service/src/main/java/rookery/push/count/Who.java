package rookery.push.count;

import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** A user of a tenant. */
public record Who(TenantId tenant, UserId user) {}
