package rookery.push.pusher;

import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.push.gateway.GatewayUrl;

/**
 * A pusher as its user set it.
 *
 * @param device gone with it, the pusher goes as well
 * @param described the fields that only clients and gateways read, a JSON object
 */
record Pusher(TenantId tenant, UserId user, DeviceId device, PusherKey key, GatewayUrl url, String described) {}
