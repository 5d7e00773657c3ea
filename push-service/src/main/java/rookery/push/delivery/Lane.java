package rookery.push.delivery;

import rookery.model.id.TenantId;

/** The pushes of one tenant to one gateway: they wait for each other, and for no others. */
record Lane(TenantId tenant, String gateway) {}
