package rookery.push.delivery;

import java.time.Instant;

/**
 * Where a push goes.
 *
 * @param described what the pusher's user set for clients and gateways, a JSON object with {@code data}
 * @param setAt when the pushkey was last set
 */
record Target(long pusher, String appId, String pushkey, String url, String described, Instant setAt) {}
