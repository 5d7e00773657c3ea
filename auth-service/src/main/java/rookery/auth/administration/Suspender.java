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

/** Suspends accounts and ends suspensions (contract.md 5.5). Sessions continue. */
@Component
class Suspender {
    private final Accounts accounts;
    private final SessionEnder sessions;
    private final TransactionalOperator tx;

    Suspender(Accounts accounts, SessionEnder sessions, TransactionalOperator tx) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.tx = tx;
    }

    /**
     * When this completes, every gateway knows the change. Idempotent. M_NOT_FOUND, also for deactivated users; M_FORBIDDEN for
     * the caller's own account and for administrators.
     */
    Mono<Void> set(TenantId tenant, UserId user, boolean suspended, UserId by) {
        if (user.equals(by)) {
            return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "administrators cannot suspend themselves"));
        }
        return accounts.lock(tenant, user)
                .as(Account::existing)
                .doOnNext(Suspender::requireNoAdmin)
                .flatMap(_ -> accounts.setSuspended(tenant, user, suspended))
                .as(tx::transactional)
                .then(Mono.defer(() -> sessions.reconsider(tenant, user)));
    }

    private static void requireNoAdmin(Account account) {
        if (account.admin()) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "administrators cannot be suspended");
        }
    }
}
