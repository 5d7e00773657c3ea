// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.session.SessionEnder;
import rookery.auth.session.SessionEnder.AllLocked;
import rookery.auth.session.SessionEnder.EndRequest;
import rookery.auth.session.SessionEnder.None;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.AccountState;

/** Blocks, unblocks and suspends accounts (contract.md 5.3, 5.5); deactivated users are M_NOT_FOUND. */
@Component
class Blocker {
    private final Accounts accounts;
    private final SessionEnder sessions;
    private final TransactionalOperator tx;

    Blocker(Accounts accounts, SessionEnder sessions, TransactionalOperator tx) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.tx = tx;
    }

    /**
     * When this completes, every gateway refuses the user's tokens, which are kept. Idempotent. M_FORBIDDEN for the caller's own
     * account and for administrators.
     */
    Mono<Void> block(TenantId tenant, UserId user, @Nullable UserId by) {
        return sessions.end(new EndRequest(
                        tenant, user, new AllLocked(), () -> blocked(tenant, user, by), AccountState.BLOCKED))
                .then();
    }

    Mono<Void> unblock(TenantId tenant, UserId user) {
        return sessions.end(
                        new EndRequest(tenant, user, new None(), () -> unblocked(tenant, user), AccountState.ACTIVE))
                .then();
    }

    /** When this completes, every gateway knows the change; sessions continue. Idempotent. M_FORBIDDEN as for {@link #block}. */
    Mono<Void> setSuspended(TenantId tenant, UserId user, boolean suspended, UserId by) {
        return accounts.lock(tenant, user)
                .as(Account::existing)
                .doOnNext(account -> requireOther(account, by))
                .flatMap(_ -> accounts.setSuspended(tenant, user, suspended))
                .as(tx::transactional)
                .then(Mono.defer(() -> sessions.reconsider(tenant, user)));
    }

    private Mono<Boolean> unblocked(TenantId tenant, UserId user) {
        return accounts.lock(tenant, user)
                .as(Account::existing)
                .flatMap(_ -> accounts.setBlocked(tenant, user, false).thenReturn(true));
    }

    private Mono<Boolean> blocked(TenantId tenant, UserId user, @Nullable UserId by) {
        return accounts.lock(tenant, user)
                .as(Account::existing)
                .doOnNext(account -> requireOther(account, by))
                .flatMap(_ -> accounts.setBlocked(tenant, user, true).thenReturn(true));
    }

    private static void requireOther(Account account, @Nullable UserId by) {
        if (account.user().equals(by) || account.admin()) {
            throw new ApiException(
                    ErrorCode.M_FORBIDDEN, "administrators and the own account cannot be blocked or suspended");
        }
    }
}
