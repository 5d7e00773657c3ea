// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * The state of an account that logins and permission checks need.
 *
 * @param passwordHash null for an account without a password
 * @param approved false from a registration in the mode approval until an administrator approves the account
 */
public record Account(
        TenantId tenant,
        UserId user,
        @Nullable String passwordHash,
        boolean admin,
        boolean blocked,
        boolean deactivated,
        boolean approved) {
    /** M_USER_DEACTIVATED, M_USER_LOCKED or USER_AWAITING_APPROVAL unless the account is active. */
    public void requireActive() {
        if (deactivated) {
            throw new ApiException(ErrorCode.M_USER_DEACTIVATED, "this account has been deactivated");
        }
        if (blocked) {
            throw new ApiException(ErrorCode.M_USER_LOCKED, "this account is locked").with("soft_logout", true);
        }
        if (!approved) {
            throw ApiException.awaitingApproval();
        }
    }

    /** The account, unless unknown or deactivated: M_NOT_FOUND. */
    public static Mono<Account> existing(Mono<Account> account) {
        return account.filter(found -> !found.deactivated).switchIfEmpty(Mono.error(Account::unknown));
    }

    public static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user");
    }

    /** A placeholder for an account that does not exist: no password matches. */
    static Account nobody(TenantId tenant, UserId user) {
        return new Account(tenant, user, null, false, false, false, true);
    }

    @Override
    public String toString() {
        return user.value(); // without the hash
    }
}
