// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Interactive;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordHasher;
import rookery.auth.password.PasswordRules;
import rookery.auth.session.SessionEnder;
import rookery.auth.session.SessionEnder.All;
import rookery.auth.session.SessionEnder.AllBut;
import rookery.auth.session.SessionEnder.EndRequest;
import rookery.auth.session.SessionEnder.None;
import rookery.auth.session.SessionEnder.Selection;
import rookery.auth.validation.AccountNotices;
import rookery.auth.validation.AccountNotices.Notice;
import rookery.model.caller.Caller;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Changes a password and, unless the caller opts out, ends the user's other sessions in the same transaction. */
@Component
class PasswordChanger {
    private final Interactive interactive;
    private final ProvenOwner owner;
    private final Accounts accounts;
    private final LoginTokens loginTokens;
    private final PasswordHasher hasher;
    private final SessionEnder sessions;
    private final AccountNotices notices;

    PasswordChanger(
            Interactive interactive,
            ProvenOwner owner,
            Accounts accounts,
            LoginTokens loginTokens,
            PasswordHasher hasher,
            SessionEnder sessions,
            AccountNotices notices) {
        this.interactive = interactive;
        this.owner = owner;
        this.accounts = accounts;
        this.loginTokens = loginTokens;
        this.hasher = hasher;
        this.sessions = sessions;
        this.notices = notices;
    }

    /** Empty if another request has used the authentication. */
    Mono<Map<String, Object>> change(Caller caller, Passed passed) {
        var login = caller.known();
        var tenant = caller.tenant();
        var password = new Password(passed.parameters().string("new_password"));
        boolean logout = passed.parameters().boolOr("logout_devices", true);
        Selection which = !logout ? new None() : login == null ? new All() : new AllBut(login.device());
        var whose = login == null ? owner.of(tenant, passed) : Mono.just(login.user());
        return whose.doOnNext(user -> PasswordRules.requireStrong(password, user))
                .flatMap(user -> hasher.hash(tenant, password)
                        .map(hash -> new Change(tenant, user, hash, passed, login == null)))
                .flatMap(change -> sessions.end(new EndRequest(tenant, change.user, which, () -> set(change)))
                        .filter(mayRun -> mayRun)
                        .flatMap(_ -> notified(change)));
    }

    private Mono<Map<String, Object>> notified(Change change) {
        return notices.addresses(change.tenant, change.user)
                .flatMap(all -> notices.send(change.tenant, change.user, all, Notice.PASSWORD_CHANGED))
                .thenReturn(Map.of());
    }

    /** @param isReset whether a validated address replaced the login */
    private record Change(TenantId tenant, UserId user, String hash, Passed passed, boolean isReset) {
        @Override
        public String toString() {
            return user.value();
        }
    }

    private Mono<Boolean> set(Change change) {
        return accounts.lock(change.tenant, change.user)
                .doOnNext(Account::requireActive)
                .then(Mono.defer(() -> change.isReset
                        ? owner.still(change.tenant, change.passed, change.user)
                        : Mono.just(change.user)))
                .flatMap(user -> interactive.consume(change.tenant, change.passed, user, null))
                .flatMap(mayRun -> mayRun ? written(change).thenReturn(true) : Mono.just(false));
    }

    private Mono<Void> written(Change change) {
        return accounts.setPassword(change.tenant, change.user, change.hash)
                .then(Mono.defer(() -> loginTokens.deleteAll(change.tenant, change.user)));
    }
}
