package rookery.auth.administration;

import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.session.SessionEnder;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Grants and revokes administrator rights. */
@Component
class Promoter {
    private final Accounts accounts;
    private final SessionEnder sessions;
    private final TransactionalOperator tx;

    Promoter(Accounts accounts, SessionEnder sessions, TransactionalOperator tx) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.tx = tx;
    }

    /**
     * When this completes, every gateway knows the change.
     *
     * @param keepsLast whether the last administrator of the tenant is refused with M_FORBIDDEN
     */
    Mono<Void> set(TenantId tenant, UserId user, boolean admin, boolean keepsLast) {
        return accounts.lockBesideAdmins(tenant, user)
                .filter(account -> !account.deactivated())
                .switchIfEmpty(Mono.error(Whois::unknown))
                .flatMap(account -> admin || !keepsLast || !account.admin()
                        ? written(account, admin)
                        : accounts.hasOtherAdmin(tenant, user)
                                .flatMap(other -> other ? written(account, false) : Mono.error(Promoter::last)))
                .as(tx::transactional)
                .then(Mono.defer(() -> sessions.reconsider(tenant, user)));
    }

    private static ApiException last() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "this is the last administrator: promote another user first");
    }

    private Mono<Account> written(Account account, boolean admin) {
        return accounts.setAdmin(account.tenant(), account.user(), admin).thenReturn(account);
    }
}
