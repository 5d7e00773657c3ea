// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordFailures;
import rookery.auth.password.PasswordHasher;
import rookery.auth.password.PasswordRules;
import rookery.auth.session.SessionEnder;
import rookery.auth.session.SessionEnder.All;
import rookery.auth.session.SessionEnder.EndRequest;
import rookery.auth.session.SessionEnder.None;
import rookery.auth.validation.AccountNotices;
import rookery.auth.validation.AccountNotices.Notice;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Gives an account a password that an administrator or an operator has chosen (contract.md 5.3, 20). */
@Component
class PasswordResetter {
    private final Accounts accounts;
    private final LoginTokens loginTokens;
    private final PasswordFailures failures;
    private final PasswordHasher hasher;
    private final SessionEnder sessions;
    private final AccountNotices notices;

    PasswordResetter(
            Accounts accounts,
            LoginTokens loginTokens,
            PasswordFailures failures,
            PasswordHasher hasher,
            SessionEnder sessions,
            AccountNotices notices) {
        this.accounts = accounts;
        this.loginTokens = loginTokens;
        this.failures = failures;
        this.hasher = hasher;
        this.sessions = sessions;
        this.notices = notices;
    }

    /**
     * The new password of an account.
     *
     * @param endsSessions whether all sessions of the user end, with their devices and pushers
     * @param by the administrator, or null for an operator
     */
    record Reset(
            TenantId tenant,
            UserId user,
            Password password,
            boolean endsSessions,
            @Nullable UserId by) {}

    /**
     * When this completes, every gateway refuses the tokens of the ended sessions. M_WEAK_PASSWORD; M_NOT_FOUND, also for
     * deactivated users; M_FORBIDDEN for the administrator's own account, whose password needs the present one.
     */
    Mono<Void> reset(Reset reset) {
        PasswordRules.requireStrong(reset.password, reset.user);
        var which = reset.endsSessions ? new All() : new None();
        return requireAllowed(reset)
                .then(Mono.defer(() -> hasher.hash(reset.tenant, reset.password)))
                .flatMap(hash ->
                        sessions.end(new EndRequest(reset.tenant, reset.user, which, () -> written(reset, hash))))
                .then(Mono.defer(() -> notified(reset)));
    }

    /** Before the hash, which is expensive; {@link #written} decides. */
    private Mono<Account> requireAllowed(Reset reset) {
        return allowed(reset, accounts.find(reset.tenant, reset.user));
    }

    private static Mono<Account> allowed(Reset reset, Mono<Account> account) {
        return account.as(Account::existing).doOnNext(existing -> {
            if (existing.user().equals(reset.by)) {
                throw new ApiException(
                        ErrorCode.M_FORBIDDEN,
                        "change the own password with /account/password, which asks for the old one");
            }
        });
    }

    private Mono<Boolean> written(Reset reset, String hash) {
        return allowed(reset, accounts.lock(reset.tenant, reset.user))
                .flatMap(_ -> accounts.setPassword(reset.tenant, reset.user, hash)
                        .then(Mono.defer(() -> loginTokens.deleteAll(reset.tenant, reset.user)))
                        .then(Mono.defer(() -> failures.forget(reset.tenant, reset.user)))
                        .thenReturn(true));
    }

    private Mono<Void> notified(Reset reset) {
        return notices.addresses(reset.tenant, reset.user)
                .flatMap(all -> notices.send(reset.tenant, reset.user, all, Notice.PASSWORD_CHANGED));
    }
}
