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
 * @param ip the client's address, IPv6 in its canonical text
 * @param requestId the id that the answer and every log line of this request carry
 * @param expiry when the signature ends, seconds after it was made: a header that leaks is soon worth nothing
 */
public record Caller(TenantId tenant, ServerName server, Who who, String ip, String requestId, Instant expiry) {
    /** A known user, or nobody and the reason. */
    public sealed interface Who {}

    /** The user and device of a valid token. */
    public record Known(UserId user, DeviceId device, boolean admin) implements Who {}

    /** Nobody: a route that requires a user answers 401 with what the reason says (CONTRACT.md 2.3). */
    public record Anonymous(Reason reason) implements Who {}

    /** Why there is no user. */
    public enum Reason {
        /** no token was sent */
        MISSING,
        /** the token is not known, or was revoked */
        UNKNOWN,
        /** the token has run out, its session has not */
        EXPIRED,
        /** the token is good, the account is blocked */
        LOCKED
    }

    /** The user behind the token, or null. */
    public @Nullable Known known() {
        return who instanceof Known known ? known : null;
    }

    /** The user; only for routes that require one, which the platform has then checked. */
    public UserId user() {
        return required().user();
    }

    /** The device; only for routes that require a user. */
    public DeviceId device() {
        return required().device();
    }

    private Known required() {
        if (who instanceof Known known) {
            return known;
        }
        throw new IllegalStateException("asked for the user on a route that requires none");
    }
}
