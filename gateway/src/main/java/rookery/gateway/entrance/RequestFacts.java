// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.jspecify.annotations.Nullable;
import rookery.gateway.authentication.Sessions.Client;
import rookery.gateway.authentication.TokenHash;
import rookery.gateway.ratelimit.ClientAddress;
import rookery.gateway.routing.Destination;
import rookery.gateway.routing.Load;
import rookery.platform.tenant.Tenant;

/**
 * The properties of a request that decide about admission and routing.
 *
 * @param tenant the tenant of the request's host, or null
 * @param userAgent the User-Agent header, or null
 * @param tokenHash the hash of the access token; null without a token, and for destinations that take no token
 */
record RequestFacts(
        String requestId,
        @Nullable Tenant tenant,
        ClientAddress address,
        Destination destination,
        @Nullable String userAgent,
        @Nullable String tokenHash,
        Load load) {
    /** The tenant number for rate limits of requests to hosts without tenant. */
    static final int NO_TENANT = 0;

    Client client() {
        return new Client(address.text(), userAgent);
    }

    /** The token to look up, or null. */
    @Nullable
    TokenHash token() {
        return tenant == null || tokenHash == null ? null : new TokenHash(tenant.id(), tokenHash);
    }

    int tenantNumber() {
        return tenant == null ? NO_TENANT : tenant.id().value();
    }
}
