// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.profile.ProfileEditor;
import rookery.auth.userlog.UserLog;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.log.append.Outcome.Accepted;

/** Approves accounts of the registration mode approval (contract.md 3.3): followers of the user log see the account from now on. */
@Component
public class Approver {
    private final Accounts accounts;
    private final ProfileEditor profiles;
    private final UserLog userLog;

    Approver(Accounts accounts, ProfileEditor profiles, UserLog userLog) {
        this.accounts = accounts;
        this.profiles = profiles;
        this.userLog = userLog;
    }

    /** M_NOT_FOUND, also for deactivated users. Idempotent; only the first approval appends an entry. */
    public Mono<Void> approve(TenantId tenant, UserId user) {
        return userLog.append(
                        tenant,
                        user,
                        pos -> accounts.lock(tenant, user)
                                .as(Account::existing)
                                .flatMap(account -> account.approved()
                                        ? Mono.just(new Accepted<>(List.of(), true))
                                        : approved(account, pos)))
                .then();
    }

    private Mono<Accepted<Boolean>> approved(Account account, long pos) {
        return accounts.approve(account.tenant(), account.user())
                .then(Mono.defer(() -> profiles.shown(account.tenant(), account.user(), pos)));
    }
}
