// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Instant;

/** The pusher to send to. {@code described} is a JSON object for clients and gateways; {@code setAt} dates the pushkey. */
record Target(long pusher, String appId, String pushkey, String url, String described, Instant setAt) {}
