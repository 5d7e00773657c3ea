// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.push.gateway.GatewayUrl;

/**
 * A pusher as set by its user.
 *
 * @param device the pusher is deleted with this device
 * @param described the fields that only clients and gateways read, a JSON object
 */
record Pusher(TenantId tenant, UserId user, DeviceId device, PusherKey key, GatewayUrl url, String described) {}
