// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordHasher;
import rookery.auth.password.PasswordRules;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Creates accounts for operators and administrators, independent of the registration mode (contract.md 5.1, 5.7). */
@Component
public class AccountMaker {
    private final Accounts accounts;
    private final NewAccount newAccount;
    private final PasswordHasher hasher;

    AccountMaker(Accounts accounts, NewAccount newAccount, PasswordHasher hasher) {
        this.accounts = accounts;
        this.newAccount = newAccount;
        this.hasher = hasher;
    }

    /**
     * M_WEAK_PASSWORD, M_USER_IN_USE.
     *
     * @param admin whether the account is an administrator's
     */
    public Mono<Void> make(TenantId tenant, UserId user, Password password, boolean admin) {
        PasswordRules.requireStrong(password, user);
        return hasher.hash(tenant, password)
                .flatMap(hash -> newAccount.make(tenant, user, made(tenant, user, hash, admin), _ -> true))
                .then();
    }

    private Mono<UserId> made(TenantId tenant, UserId user, String hash, boolean admin) {
        return accounts.insert(tenant, user, hash, true)
                .filter(free -> free)
                .switchIfEmpty(Mono.error(Registrar::taken))
                .flatMap(_ -> admin ? accounts.setAdmin(tenant, user, true) : Mono.empty())
                .thenReturn(user);
    }
}
