// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;
import rookery.auth.profile.Profiles;
import rookery.auth.userlog.UserLog;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.platform.log.append.Outcome.Accepted;

/**
 * Creates an account and the first entry of its user in the log in one transaction: followers of the log see every account,
 * accounts of the registration mode approval from their approval on.
 */
@Component
class NewAccount {
    private final UserLog userLog;
    private final Profiles profiles;
    private final TransactionalOperator savepoint;

    NewAccount(UserLog userLog, Profiles profiles, ReactiveTransactionManager transactions) {
        this.userLog = userLog;
        this.profiles = profiles;
        this.savepoint = TransactionalOperator.create(
                transactions, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
    }

    /**
     * Creates the account; the display name is the user name at first. If {@code stored} fails, a savepoint rolls back its writes
     * without the other drafts of the batch. If {@code stored} is empty, no account is created.
     *
     * @param isShown whether others see the account: without the entry, no follower of the log knows the user
     */
    <A> Mono<A> make(TenantId tenant, UserId user, Mono<A> stored, Predicate<A> isShown) {
        return userLog.append(tenant, user, pos -> made(tenant, user, stored, isShown, pos))
                .flatMap(Mono::justOrEmpty);
    }

    private <A> Mono<Accepted<Optional<A>>> made(
            TenantId tenant, UserId user, Mono<A> stored, Predicate<A> isShown, long pos) {
        var entry = UserLog.entry(tenant, user, new ProfileSet(user.localpart(), null));
        return stored.flatMap(made -> setProfile(tenant, user, pos).thenReturn(made))
                .as(savepoint::transactional)
                .map(made -> new Accepted<>(isShown.test(made) ? List.of(entry) : List.of(), Optional.of(made)))
                .defaultIfEmpty(new Accepted<>(List.of(), Optional.empty()));
    }

    private Mono<Void> setProfile(TenantId tenant, UserId user, long pos) {
        return profiles.setDisplayName(tenant, user, user.localpart())
                .then(Mono.defer(() -> profiles.changedAt(tenant, user, pos)));
    }
}
