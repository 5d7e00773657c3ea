// SPDX-License-Identifier: Apache-2.0
package rookery.model.caller;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * The caller of a request, as the gateway has authenticated it; every request to a service carries one, signed.
 *
 * @param tenant the tenant of the requested host
 * @param server the tenant's public name
 * @param who the user behind a valid access token, or the reason why there is no user
 * @param prefix the path prefix that the client used; services see one path for both (contract.md D1)
 * @param ip the client's address, IPv6 in canonical text
 * @param requestId the id in the response and in every log line of this request
 * @param expiry the end of the signature, seconds after its creation, which limits the use of a leaked header
 */
public record Caller(
        TenantId tenant, ServerName server, Identity who, Prefix prefix, String ip, String requestId, Instant expiry) {
    /** Creates the caller of a request under Rookery's own prefix. */
    public Caller(TenantId tenant, ServerName server, Identity who, String ip, String requestId, Instant expiry) {
        this(tenant, server, who, Prefix.OWN, ip, requestId, expiry);
    }

    /** The two prefixes of client paths. Both lead to the same endpoints, and a few responses differ (contract.md D18). */
    public enum Prefix {
        /** {@code /_api/client}, and paths without a prefix. */
        OWN,
        /** {@code /_matrix/client}, of the Matrix specification. */
        STANDARD
    }

    /** A known user, a locked user, or the reason why there is no user. */
    public sealed interface Identity {}

    /**
     * The user and device of a valid token.
     *
     * @param suspended whether the account may only read, leave rooms, redact its own events and log out (contract.md 5.5)
     */
    public record Known(UserId user, DeviceId device, boolean admin, boolean suspended) implements Identity {
        /** Creates the identity of an account that is not suspended. */
        public Known(UserId user, DeviceId device, boolean admin) {
            this(user, device, admin, false);
        }
    }

    /** The user and device of a valid token of a blocked account, which may only log out. */
    public record Locked(UserId user, DeviceId device) implements Identity {}

    /** No user: a route that requires a user answers 401 with the reason (contract.md 2.3). */
    public record Anonymous(Reason reason) implements Identity {}

    /** The reason why there is no user. */
    public enum Reason {
        /** The request has no token. */
        MISSING,
        /** The token is unknown or revoked. */
        UNKNOWN,
        /** The token has expired, and the session has not. */
        EXPIRED
    }

    /** The same request with another identity. */
    public Caller as(Identity other) {
        return new Caller(tenant, server, other, prefix, ip, requestId, expiry);
    }

    /** Returns the user behind the token, or null. */
    public @Nullable Known known() {
        return who instanceof Known known ? known : null;
    }

    public boolean isSuspended() {
        return who instanceof Known known && known.suspended;
    }

    /** Returns the user; only for routes that require a user, which the platform has checked by then. */
    public UserId user() {
        return switch (who) {
            case Known known -> known.user;
            case Locked(var user, var _) -> user;
            case Anonymous _ -> throw nobody();
        };
    }

    /** Returns the device; only for routes that require a user. */
    public DeviceId device() {
        return switch (who) {
            case Known known -> known.device;
            case Locked(var _, var device) -> device;
            case Anonymous _ -> throw nobody();
        };
    }

    private static IllegalStateException nobody() {
        return new IllegalStateException("asked for the user on a route that requires none");
    }
}
