package rookery.push.delivery;

import java.time.Instant;

/**
 * The pusher to send to.
 *
 * @param described the user's settings for clients and gateways, a JSON object with {@code data}
 * @param setAt time of the last change of the pushkey
 */
record Target(long pusher, String appId, String pushkey, String url, String described, Instant setAt) {}
