package rookery.auth.account;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordFailures;
import rookery.auth.password.PasswordHasher;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Whether a password is an account's. A wrong one costs and answers the same as an account that does not exist. */
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

    /** The account, blocked and deactivated ones too, or empty if that is not its password; M_LIMIT_EXCEEDED after too many guesses. */
    public Mono<Account> passed(TenantId tenant, UserId user, Password password) {
        return failures.requireSome(tenant, user)
                .then(Mono.defer(() -> accounts.find(tenant, user)))
                .defaultIfEmpty(Account.nobody(tenant, user))
                .flatMap(account -> judged(account, password));
    }

    /** For a name that can be nobody's: empty, at the same cost. */
    public Mono<Account> failed(Password password) {
        return hasher.matches(password, null).then(Mono.empty());
    }

    private Mono<Account> judged(Account account, Password password) {
        return hasher.matches(password, account.passwordHash())
                .flatMap(right -> right ? stillAllowed(account) : counted(account));
    }

    /** Guesses that ran at the same time may have used up the limit by now: a right one too many must not tell. */
    private Mono<Account> stillAllowed(Account account) {
        return failures.requireSome(account.tenant(), account.user()).thenReturn(account);
    }

    private Mono<Account> counted(Account account) {
        return failures.count(account.tenant(), account.user()).then(Mono.empty());
    }
}
