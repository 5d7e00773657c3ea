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

/** Creates administrators' accounts for the operator, independent of the registration mode (contract.md 5.1). */
@Component
public class AdministratorMaker {
    private final Accounts accounts;
    private final NewAccount newAccount;
    private final PasswordHasher hasher;

    AdministratorMaker(Accounts accounts, NewAccount newAccount, PasswordHasher hasher) {
        this.accounts = accounts;
        this.newAccount = newAccount;
        this.hasher = hasher;
    }

    /** M_WEAK_PASSWORD, M_USER_IN_USE. */
    public Mono<Void> make(TenantId tenant, UserId user, Password password) {
        PasswordRules.requireStrong(password, user);
        return hasher.hash(tenant, password)
                .flatMap(hash -> newAccount.make(tenant, user, made(tenant, user, hash)))
                .then();
    }

    private Mono<UserId> made(TenantId tenant, UserId user, String hash) {
        return accounts.insert(tenant, user, hash)
                .flatMap(free -> free ? accounts.setAdmin(tenant, user, true) : Mono.error(Registrar.taken()))
                .thenReturn(user);
    }
}
