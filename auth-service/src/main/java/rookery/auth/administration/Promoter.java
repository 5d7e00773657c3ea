// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.session.SessionEnder;
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
                .as(Account::existing)
                .delayUntil(account -> admin || !keepsLast || !account.admin()
                        ? Mono.empty()
                        : accounts.requireOtherAdmin(tenant, user))
                .flatMap(_ -> accounts.setAdmin(tenant, user, admin))
                .as(tx::transactional)
                .then(Mono.defer(() -> sessions.reconsider(tenant, user)));
    }
}
