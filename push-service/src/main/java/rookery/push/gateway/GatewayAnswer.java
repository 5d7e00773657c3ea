// SPDX-License-Identifier: Apache-2.0
package rookery.push.gateway;

import java.util.Set;

/** The result of one request to a push gateway. */
public sealed interface GatewayAnswer {
    /** The gateway accepted the push, but no longer serves the rejected pushkeys. */
    record Taken(int status, Set<String> rejected) implements GatewayAnswer {}

    /** The gateway answered with a status other than 2xx, an answer over 64 KiB, or no JSON object. */
    record Refused(int status) implements GatewayAnswer {}

    /**
     * No answer: connection failure, TLS failure or timeout. Also without a request, for a URL that was permitted when the pusher
     * was set and is forbidden now.
     */
    record Unreachable(String cause) implements GatewayAnswer {}
}
