// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import rookery.model.id.MediaId;
import rookery.model.id.TenantId;

/** A media id with its tenant. */
public record TenantMedia(TenantId tenant, MediaId media) {}
