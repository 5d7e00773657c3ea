// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordFailures;
import rookery.auth.password.PasswordFailures.Guesser;
import rookery.auth.password.PasswordHasher;
import rookery.model.id.TenantId;

/** Checks the password of an account. A wrong password and an unknown account have the same cost and the same answer. */
@Component
public class PasswordCheck {
    private final Accounts accounts;
    private final PasswordHasher hasher;
    private final PasswordFailures failures;

    PasswordCheck(Accounts accounts, PasswordHasher hasher, PasswordFailures failures) {
        this.accounts = accounts;
        this.hasher = hasher;
        this.failures = failures;
    }

    /** The account, also a blocked or deactivated one; empty for a wrong password; M_LIMIT_EXCEEDED after too many failures. */
    public Mono<Account> passed(Guesser guesser, Password password) {
        return failures.requireSome(guesser)
                .then(Mono.defer(() -> accounts.find(guesser.tenant(), guesser.user())))
                .defaultIfEmpty(Account.nobody(guesser.tenant(), guesser.user()))
                .flatMap(account -> judged(guesser, account, password));
    }

    /** Empty, after the cost of one check: for a user name that no account can have. */
    public Mono<Account> failed(TenantId tenant, Password password) {
        return hasher.matches(tenant, password, null).then(Mono.empty());
    }

    private Mono<Account> judged(Guesser guesser, Account account, Password password) {
        return hasher.matches(guesser.tenant(), password, account.passwordHash())
                .flatMap(right -> right
                        ? stillAllowed(guesser).thenReturn(account)
                        : failures.count(guesser).then(Mono.empty()));
    }

    /** Concurrent checks may have used up the limit: a right password beyond the limit is refused like a wrong one. */
    private Mono<Void> stillAllowed(Guesser guesser) {
        return failures.requireSome(guesser).then(Mono.defer(() -> failures.noteRight(guesser)));
    }
}
