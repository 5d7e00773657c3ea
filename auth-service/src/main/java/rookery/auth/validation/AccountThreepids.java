// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.auth.device.Devices;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Interactive;
import rookery.auth.threepid.Threepid;
import rookery.auth.threepid.ThreepidPolicies;
import rookery.auth.threepid.ThreepidProperties;
import rookery.auth.threepid.Threepids;
import rookery.auth.validation.AccountNotices.Notice;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;

/** Adds validated addresses to accounts, and removes them (contract.md 7.4, 7.5). */
@Component
class AccountThreepids {
    /** For this time after a login with the password, the password is not asked for again (contract.md 7.4). */
    private static final Duration PASSWORD_COUNTS_FOR = Duration.ofMinutes(15);

    private final Interactive interactive;
    private final Accounts accounts;
    private final Validations validations;
    private final Threepids threepids;
    private final AccountNotices notices;
    private final Devices devices;
    private final ThreepidProperties properties;
    private final ThreepidPolicies policies;
    private final Clock clock;
    private final TransactionalOperator tx;

    AccountThreepids(
            Interactive interactive,
            Accounts accounts,
            Validations validations,
            Threepids threepids,
            AccountNotices notices,
            Devices devices,
            ThreepidProperties properties,
            ThreepidPolicies policies,
            Clock clock,
            TransactionalOperator tx) {
        this.interactive = interactive;
        this.accounts = accounts;
        this.validations = validations;
        this.threepids = threepids;
        this.notices = notices;
        this.devices = devices;
        this.properties = properties;
        this.policies = policies;
        this.clock = clock;
        this.tx = tx;
    }

    /**
     * Adds the validated address. Idempotent. The address may replace the password only if the session has just started with the
     * password, because a token may be stolen. Errors: M_THREEPID_AUTH_FAILED, M_SESSION_EXPIRED, M_THREEPID_IN_USE, M_FORBIDDEN.
     */
    Mono<Void> add(Caller caller, Credentials credentials) {
        return notified(caller, addedBySession(caller, credentials)).then();
    }

    /** Adds the address in the transaction that uses up the authentication; empty if another request has used it. */
    Mono<Threepid> add(Caller caller, Passed passed) {
        return Mono.defer(() -> interactive.consume(caller.tenant(), passed, caller.user(), null))
                .filter(mayRun -> mayRun)
                .flatMap(_ -> added(caller, Credentials.of(passed.parameters()), true))
                .as(added -> notified(caller, added));
    }

    /** Adds the validated address and makes the account discoverable by it within the tenant. */
    Mono<Void> bind(Caller caller, Credentials credentials) {
        var bound = addedBySession(caller, credentials)
                .flatMap(added -> threepids
                        .setBound(caller.tenant(), caller.user(), added.threepid, true)
                        .thenReturn(added));
        return notified(caller, bound).then();
    }

    /** Removes the address, if the account has it. */
    Mono<Void> delete(Caller caller, Threepid threepid) {
        return notices.addresses(caller.tenant(), caller.user())
                .flatMap(before -> threepids
                        .delete(caller.tenant(), caller.user(), threepid)
                        .filter(had -> had)
                        .flatMap(_ -> notices.send(caller.tenant(), caller.user(), before, Notice.ADDRESS_REMOVED)));
    }

    /** @param before the addresses to notify of the added address; null if the account already had it */
    private record AddResult(Threepid threepid, @Nullable List<Threepid> before) {}

    private Mono<Threepid> notified(Caller caller, Mono<AddResult> added) {
        return added.as(tx::transactional).flatMap(done -> {
            var before = done.before;
            return before == null
                    ? Mono.just(done.threepid)
                    : notices.send(caller.tenant(), caller.user(), before, Notice.ADDRESS_ADDED)
                            .thenReturn(done.threepid);
        });
    }

    private Mono<AddResult> addedBySession(Caller caller, Credentials credentials) {
        return devices.hasShownPassword(caller.tenant(), caller.user(), caller.device(), PASSWORD_COUNTS_FOR)
                .flatMap(shown -> added(caller, credentials, shown));
    }

    /** M_FORBIDDEN if the tenant's policy forbids changes. */
    void requireChanges(TenantId tenant) {
        if (!policies.of(tenant).changes()) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "addresses cannot be changed here, ask your administrator");
        }
    }

    /** Runs in a transaction. The account is locked: a concurrent deactivation leaves no address. */
    private Mono<AddResult> added(Caller caller, Credentials credentials, boolean recovers) {
        requireChanges(caller.tenant());
        return accounts.hold(caller.tenant(), caller.user())
                .filter(account -> !account.deactivated())
                .switchIfEmpty(Mono.error(AccountThreepids::noAccount))
                .flatMap(_ -> validations.hold(caller.tenant(), credentials, ""))
                .switchIfEmpty(Mono.error(AccountThreepids::notValidated))
                .flatMap(validation -> added(caller, validation, recovers));
    }

    private Mono<AddResult> added(Caller caller, Validation validation, boolean recovers) {
        if (!validation.purpose().addsToAccounts()) {
            return Mono.error(notValidated());
        }
        if (validation.usedAt() != null) {
            return requireOwn(caller, validation, recovers);
        }
        if (validation.isOver(clock.instant(), properties)) {
            return Mono.error(new ApiException(ErrorCode.M_SESSION_EXPIRED, "the validation has expired, start again"));
        }
        var validatedAt = validation.validatedAt();
        if (validatedAt == null) {
            return Mono.error(notValidated());
        }
        var threepid = validation.threepid();
        return notices.addresses(caller.tenant(), caller.user())
                .flatMap(before -> threepids
                        .add(caller.tenant(), caller.user(), threepid, validatedAt, recovers)
                        .flatMap(free ->
                                free ? validations.use(caller.tenant(), validation.sid()) : Mono.error(Purpose.inUse()))
                        .thenReturn(new AddResult(threepid, before.contains(threepid) ? null : before)));
    }

    /** For a repeated request, after a lost answer or with a password now: the address must still belong to the caller. */
    private Mono<AddResult> requireOwn(Caller caller, Validation validation, boolean recovers) {
        var threepid = validation.threepid();
        var validatedAt = Objects.requireNonNull(validation.validatedAt());
        return threepids
                .owner(caller.tenant(), threepid)
                .filter(caller.user()::equals)
                .switchIfEmpty(Mono.error(AccountThreepids::notValidated))
                .flatMap(_ -> threepids.add(caller.tenant(), caller.user(), threepid, validatedAt, recovers))
                .thenReturn(new AddResult(threepid, null));
    }

    static ApiException notValidated() {
        return new ApiException(ErrorCode.M_THREEPID_AUTH_FAILED, "this address has not been validated");
    }

    private static ApiException noAccount() {
        return new ApiException(ErrorCode.M_UNKNOWN_TOKEN, "this account has been deactivated")
                .with("soft_logout", false);
    }
}
