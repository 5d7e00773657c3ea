package rookery.room.media;

import rookery.model.id.MediaId;
import rookery.model.id.TenantId;

/** A file of a tenant. */
public record TenantMedia(TenantId tenant, MediaId media) {}
