package rookery.auth.account;

import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * An account, as far as logging in needs it.
 *
 * @param passwordHash null when nobody can log in with a password
 */
public record Account(
        TenantId tenant, UserId user, @Nullable String passwordHash, boolean blocked, boolean deactivated) {
    /** Stands in for an account that does not exist: no password is its. */
    static Account nobody(TenantId tenant, UserId user) {
        return new Account(tenant, user, null, false, false);
    }

    @Override
    public String toString() {
        return user.value(); // never the hash
    }
}
