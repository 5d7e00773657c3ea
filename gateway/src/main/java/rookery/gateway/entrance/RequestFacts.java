package rookery.gateway.entrance;

import org.jspecify.annotations.Nullable;
import rookery.gateway.authentication.Sessions.Client;
import rookery.gateway.authentication.TokenHash;
import rookery.gateway.ratelimit.ClientAddress;
import rookery.gateway.routing.Destination;
import rookery.platform.tenant.Tenant;

/**
 * A request, as far as it decides who may go where.
 *
 * @param tenant the tenant of its host, or null
 * @param userAgent what the client calls itself, or null
 * @param tokenHash the hash of its access token, or null if it has none or nobody will look at it
 */
record RequestFacts(
        String requestId,
        @Nullable Tenant tenant,
        ClientAddress address,
        Destination destination,
        @Nullable String userAgent,
        @Nullable String tokenHash) {
    /** The number under which the limiter counts requests to hosts of no tenant. */
    static final int NO_TENANT = 0;

    Client client() {
        return new Client(address.text(), userAgent);
    }

    /** The token that is to be looked at, or null. */
    @Nullable
    TokenHash token() {
        return tenant == null || tokenHash == null ? null : new TokenHash(tenant.id(), tokenHash);
    }

    int tenantNumber() {
        return tenant == null ? NO_TENANT : tenant.id().value();
    }
}
