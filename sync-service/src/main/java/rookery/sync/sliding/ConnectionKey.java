// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import rookery.model.id.DeviceId;
import rookery.model.id.TenantUser;

/** A connection of a device ({@code conn_id} of MSC4186). */
record ConnectionKey(TenantUser user, DeviceId device, String name) {}
