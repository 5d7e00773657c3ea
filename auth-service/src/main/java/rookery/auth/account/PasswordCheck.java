package rookery.auth.account;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordFailures;
import rookery.auth.password.PasswordFailures.Guesser;
import rookery.auth.password.PasswordHasher;

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
    public Mono<Account> passed(Guesser guesser, Password password) {
        return failures.requireSome(guesser)
                .then(Mono.defer(() -> accounts.find(guesser.tenant(), guesser.user())))
                .defaultIfEmpty(Account.nobody(guesser.tenant(), guesser.user()))
                .flatMap(account -> judged(guesser, account, password));
    }

    /** For a name that can be nobody's: empty, at the same cost. */
    public Mono<Account> failed(Password password) {
        return hasher.matches(password, null).then(Mono.empty());
    }

    private Mono<Account> judged(Guesser guesser, Account account, Password password) {
        return hasher.matches(password, account.passwordHash())
                .flatMap(right -> right
                        ? stillAllowed(guesser).thenReturn(account)
                        : failures.count(guesser).then(Mono.empty()));
    }

    /** Guesses that ran at the same time may have used up the limit by now: a right one too many must not tell. */
    private Mono<Void> stillAllowed(Guesser guesser) {
        return failures.requireSome(guesser).then(Mono.defer(() -> failures.noteRight(guesser)));
    }
}
