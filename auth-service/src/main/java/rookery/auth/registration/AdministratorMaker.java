package rookery.auth.registration;

import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordHasher;
import rookery.auth.password.PasswordRules;
import rookery.auth.profile.Profiles;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Makes the accounts of administrators for the operator, whatever the rules of registration are (CONTRACT.md 5.1). */
@Component
public class AdministratorMaker {
    private final Accounts accounts;
    private final Profiles profiles;
    private final PasswordHasher hasher;
    private final TransactionalOperator tx;

    AdministratorMaker(Accounts accounts, Profiles profiles, PasswordHasher hasher, TransactionalOperator tx) {
        this.accounts = accounts;
        this.profiles = profiles;
        this.hasher = hasher;
        this.tx = tx;
    }

    /** M_WEAK_PASSWORD, M_USER_IN_USE. */
    public Mono<Void> make(TenantId tenant, UserId user, Password password) {
        PasswordRules.requireStrong(password, user);
        return hasher.hash(password).flatMap(hash -> made(tenant, user, hash).as(tx::transactional));
    }

    private Mono<Void> made(TenantId tenant, UserId user, String hash) {
        return accounts.insert(tenant, user, hash)
                .flatMap(free -> free ? accounts.setAdmin(tenant, user, true) : Mono.error(Registrar.taken()))
                .then(Mono.defer(() -> profiles.setDisplayName(tenant, user, user.localpart())));
    }
}
