// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import rookery.model.id.TenantId;

/** The pushes of one tenant to one gateway. Lanes do not delay each other. */
record Lane(TenantId tenant, String gateway) {}
