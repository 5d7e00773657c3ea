package rookery.model.caller;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * Who is asking, as the gateway vouches for it; every request carries one, signed.
 *
 * @param tenant the tenant whose host was asked
 * @param server that tenant's public name
 * @param who the user behind a valid access token, or why there is none
 * @param prefix the prefix of the path that the client asked for; services see one path for both (contract.md D1)
 * @param ip the client's address, IPv6 in its canonical text
 * @param requestId the id that the answer and every log line of this request carry
 * @param expiry when the signature ends, seconds after it was made: a header that leaks is soon worth nothing
 */
public record Caller(
        TenantId tenant, ServerName server, Identity who, Prefix prefix, String ip, String requestId, Instant expiry) {
    /** A request under Rookery's own prefix. */
    public Caller(TenantId tenant, ServerName server, Identity who, String ip, String requestId, Instant expiry) {
        this(tenant, server, who, Prefix.OWN, ip, requestId, expiry);
    }

    /** The two prefixes of client paths. They lead to the same endpoints, and a few answers differ (contract.md D18). */
    public enum Prefix {
        /** {@code /_api/client}, and paths without a prefix */
        OWN,
        /** {@code /_matrix/client}, of the standard */
        STANDARD
    }

    /** A known user, one who is locked out, or nobody and the reason. */
    public sealed interface Identity {}

    /**
     * The user and device of a valid token.
     *
     * @param suspended whether the account may only read, leave, redact what it sent, and log out (contract.md 5.5)
     */
    public record Known(UserId user, DeviceId device, boolean admin, boolean suspended) implements Identity {
        /** Of an account that is not suspended. */
        public Known(UserId user, DeviceId device, boolean admin) {
            this(user, device, admin, false);
        }
    }

    /** The user and device of a token that is good while the account is blocked: they may log out, and nothing else. */
    public record Locked(UserId user, DeviceId device) implements Identity {}

    /** Nobody: a route that requires a user answers 401 with what the reason says (contract.md 2.3). */
    public record Anonymous(Reason reason) implements Identity {}

    /** Why there is no user. */
    public enum Reason {
        /** no token was sent */
        MISSING,
        /** the token is not known, or was revoked */
        UNKNOWN,
        /** the token has run out, its session has not */
        EXPIRED
    }

    /** The user behind the token, or null. */
    public @Nullable Known known() {
        return who instanceof Known known ? known : null;
    }

    /** Whether the user behind the token is suspended. */
    public boolean isSuspended() {
        return who instanceof Known known && known.suspended;
    }

    /** The user; only for routes that require one, which the platform has then checked. */
    public UserId user() {
        return switch (who) {
            case Known known -> known.user;
            case Locked(var user, var _) -> user;
            case Anonymous _ -> throw nobody();
        };
    }

    /** The device; only for routes that require a user. */
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
