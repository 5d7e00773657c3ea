package rookery.auth.account;

import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * An account, as far as logging in needs it.
 *
 * @param passwordHash null when nobody can log in with a password
 */
public record Account(
        TenantId tenant,
        UserId user,
        @Nullable String passwordHash,
        boolean admin,
        boolean blocked,
        boolean deactivated) {
    /** M_USER_DEACTIVATED, or M_USER_LOCKED, unless the account may be used. */
    public void requireActive() {
        if (deactivated) {
            throw new ApiException(ErrorCode.M_USER_DEACTIVATED, "this account has been deactivated");
        }
        if (blocked) {
            throw new ApiException(ErrorCode.M_USER_LOCKED, "this account is locked").with("soft_logout", true);
        }
    }

    /** Stands in for an account that does not exist: no password is its. */
    static Account nobody(TenantId tenant, UserId user) {
        return new Account(tenant, user, null, false, false, false);
    }

    @Override
    public String toString() {
        return user.value(); // never the hash
    }
}
