// SPDX-License-Identifier: Apache-2.0
package rookery.auth.deactivation;

import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.interactive.Interactive;
import rookery.auth.keybackup.KeyBackups;
import rookery.auth.keys.CrossSigningKeys;
import rookery.auth.login.LoginTokens;
import rookery.auth.password.PasswordFailures;
import rookery.auth.profile.ProfileEditor;
import rookery.auth.session.SessionEnder;
import rookery.auth.session.SessionEnder.All;
import rookery.auth.session.SessionEnder.EndRequest;
import rookery.auth.threepid.Threepids;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.AccountState;

/**
 * Deactivates accounts. One transaction ends the sessions, deletes the account's data in this service and records the departure
 * from the rooms. The row of the account is kept, so that the user ID is never assigned again.
 */
@Component
public class Deactivator {
    private final Accounts accounts;
    private final SessionEnder sessions;
    private final Threepids threepids;
    private final PasswordFailures passwordFailures;
    private final Interactive interactive;
    private final LoginTokens loginTokens;
    private final ProfileEditor profiles;
    private final CrossSigningKeys crossSigningKeys;
    private final KeyBackups keyBackups;
    private final Departures departures;

    Deactivator(
            Accounts accounts,
            SessionEnder sessions,
            Threepids threepids,
            PasswordFailures passwordFailures,
            Interactive interactive,
            LoginTokens loginTokens,
            ProfileEditor profiles,
            CrossSigningKeys crossSigningKeys,
            KeyBackups keyBackups,
            Departures departures) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.threepids = threepids;
        this.passwordFailures = passwordFailures;
        this.interactive = interactive;
        this.loginTokens = loginTokens;
        this.profiles = profiles;
        this.crossSigningKeys = crossSigningKeys;
        this.keyBackups = keyBackups;
        this.departures = departures;
    }

    /** M_NOT_FOUND, M_FORBIDDEN for the tenant's last administrator. Idempotent; a repetition with erase erases the profile. */
    public Mono<DeactivationAnswer> byAdministrator(TenantId tenant, UserId user, boolean erase) {
        return ended(
                tenant,
                user,
                erase,
                () -> accounts.lockBesideAdmins(tenant, user)
                        .switchIfEmpty(Mono.error(Account::unknown))
                        .flatMap(account -> requireOther(account).then(Mono.defer(() -> written(account, erase))))
                        .thenReturn(true));
    }

    /**
     * Deactivation by the authenticated owner. Empty if another request has used the authentication. Errors: M_USER_LOCKED,
     * M_USER_DEACTIVATED, M_FORBIDDEN for the tenant's last administrator.
     *
     * @param consume uses up the authentication, within the transaction
     */
    Mono<DeactivationAnswer> own(TenantId tenant, UserId user, boolean erase, Supplier<Mono<Boolean>> consume) {
        return ended(
                tenant,
                user,
                erase,
                () -> accounts.lockBesideAdmins(tenant, user)
                        .doOnNext(Account::requireActive)
                        .flatMap(account -> requireOther(account)
                                .then(Mono.defer(consume))
                                .delayUntil(mayRun -> mayRun ? written(account, erase) : Mono.empty())));
    }

    /** The profile is erased after the commit, with an append to the user log of its own; after a crash, by the departure. */
    private Mono<DeactivationAnswer> ended(TenantId tenant, UserId user, boolean erase, Supplier<Mono<Boolean>> first) {
        return sessions.end(new EndRequest(tenant, user, new All(), first, AccountState.ENDED))
                .doFinally(_ -> departures.noteAdded()) // also after a failure, which may follow the commit
                .filter(mayRun -> mayRun)
                .delayUntil(_ -> erase ? profiles.erase(tenant, user) : Mono.empty())
                .map(_ -> DeactivationAnswer.DONE);
    }

    private Mono<Void> requireOther(Account account) {
        return !account.admin() || account.deactivated()
                ? Mono.empty()
                : accounts.requireOtherAdmin(account.tenant(), account.user());
    }

    private Mono<Void> written(Account account, boolean erase) {
        var tenant = account.tenant();
        var user = account.user();
        return accounts.deactivate(tenant, user)
                .then(Mono.defer(() -> threepids.deleteAll(tenant, user)))
                .then(Mono.defer(() -> passwordFailures.forget(tenant, user)))
                .then(Mono.defer(() -> interactive.forgetOpen(tenant, user)))
                .then(Mono.defer(() -> loginTokens.deleteAll(tenant, user)))
                .then(Mono.defer(() -> crossSigningKeys.deleteAll(tenant, user)))
                .then(Mono.defer(() -> keyBackups.deleteAll(tenant, user)))
                .then(Mono.defer(() -> departing(account, erase)));
    }

    private Mono<Void> departing(Account account, boolean erase) {
        return account.deactivated() && !erase
                ? Mono.empty() // repeated deactivation
                : departures.add(account.tenant(), account.user(), erase);
    }
}
