package rookery.auth.administration;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
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

/** Blocks and unblocks accounts. A blocked user's tokens are kept and are refused until the account is unblocked. */
@Component
class Blocker {
    private final Accounts accounts;
    private final SessionEnder sessions;

    Blocker(Accounts accounts, SessionEnder sessions) {
        this.accounts = accounts;
        this.sessions = sessions;
    }

    /** When this completes, every gateway refuses the user's tokens. Idempotent. M_FORBIDDEN for administrators. */
    Mono<Void> block(TenantId tenant, UserId user, @Nullable UserId by) {
        if (user.equals(by)) {
            return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "administrators cannot block themselves"));
        }
        return sessions.end(new EndRequest(
                        tenant, user, new AllLocked(), () -> blocked(tenant, user), AccountState.BLOCKED))
                .then();
    }

    Mono<Void> unblock(TenantId tenant, UserId user) {
        return sessions.end(
                        new EndRequest(tenant, user, new None(), () -> unblocked(tenant, user), AccountState.ACTIVE))
                .then();
    }

    private Mono<Boolean> unblocked(TenantId tenant, UserId user) {
        return locked(tenant, user)
                .flatMap(_ -> accounts.setBlocked(tenant, user, false).thenReturn(true));
    }

    private Mono<Boolean> blocked(TenantId tenant, UserId user) {
        return locked(tenant, user)
                .doOnNext(Blocker::requireNoAdmin)
                .flatMap(_ -> accounts.setBlocked(tenant, user, true).thenReturn(true));
    }

    private Mono<Account> locked(TenantId tenant, UserId user) {
        return accounts.lock(tenant, user).as(Account::existing);
    }

    private static void requireNoAdmin(Account account) {
        if (account.admin()) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "administrators cannot be blocked");
        }
    }
}
