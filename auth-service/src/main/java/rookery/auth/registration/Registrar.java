// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.time.Clock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Authentication.Repeated;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Stage.Proof;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordHasher;
import rookery.auth.registration.Registration.Awaiting;
import rookery.auth.registration.Registration.Progress;
import rookery.auth.registration.Registration.Registered;
import rookery.auth.session.SessionRequest;
import rookery.auth.session.SessionRequest.DeviceRequest;
import rookery.auth.session.Sessions;
import rookery.auth.threepid.Threepids;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Creates accounts, each in one transaction: a crash leaves a complete account or none. */
@Component
class Registrar {
    private static final String NAME_CHARS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int NAME_LENGTH = 12;

    private final RegistrationRules rules;
    private final UserQuota quota;
    private final Interactive interactive;
    private final Accounts accounts;
    private final NewAccount newAccount;
    private final Threepids threepids;
    private final RegistrationTokens tokens;
    private final Sessions sessions;
    private final PasswordHasher hasher;
    private final RandomGenerator random;
    private final Clock clock;
    private final TransactionalOperator tx;

    Registrar(
            RegistrationRules rules,
            UserQuota quota,
            Interactive interactive,
            Accounts accounts,
            NewAccount newAccount,
            Threepids threepids,
            RegistrationTokens tokens,
            Sessions sessions,
            PasswordHasher hasher,
            RandomGenerator random,
            Clock clock,
            TransactionalOperator tx) {
        this.rules = rules;
        this.quota = quota;
        this.interactive = interactive;
        this.accounts = accounts;
        this.newAccount = newAccount;
        this.threepids = threepids;
        this.tokens = tokens;
        this.sessions = sessions;
        this.hasher = hasher;
        this.random = random;
        this.clock = clock;
        this.tx = tx;
    }

    /**
     * Creates the account and, without {@code inhibit_login}, its first session; no session in mode approval. Empty if another request has used the
     * authentication. M_USER_IN_USE if another registration took the user name, M_THREEPID_IN_USE if another took the address,
     * M_RESOURCE_LIMIT_EXCEEDED beyond the tenant's quota.
     */
    Mono<Progress> register(Caller caller, Passed passed) {
        return Mono.defer(() -> made(caller, passed))
                .onErrorResume(failure -> passed.session() == null
                        ? released(caller.tenant(), passed)
                                .then(Mono.error(
                                        failure)) // without a session, no later request can use the reservation
                        : Mono.error(failure));
    }

    private Mono<Progress> made(Caller caller, Passed passed) {
        var tenant = caller.tenant();
        var deviceRequest = DeviceRequest.of(passed.parameters());
        var password = new Password(passed.parameters().string("password"));
        var named = rules.requireFields(passed.parameters(), caller);
        var user = named == null ? UserId.of(madeName(), caller.server()) : named;
        boolean login = !passed.parameters().boolOr("inhibit_login", false);
        var device = deviceRequest.device() == null ? sessions.newDevice() : deviceRequest.device();
        var draft = new Draft(
                tenant,
                user,
                login ? new SessionRequest(tenant, user, deviceRequest.of(device), true) : null,
                passed,
                rules.needsApproval(tenant));
        return requireFree(tenant, user)
                .then(Mono.defer(() -> quota.requirePlace(tenant)))
                .then(Mono.defer(() -> hasher.hash(tenant, password)))
                .flatMap(hash -> newAccount.make(
                        tenant,
                        user,
                        Mono.defer(() -> stored(draft, hash)),
                        progress -> progress instanceof Registered));
    }

    private Mono<Void> released(TenantId tenant, Passed passed) {
        return Flux.fromIterable(passed.proofs())
                .mapNotNull(Proof::registrationToken)
                .concatMap(reservation -> tokens.release(tenant, reservation))
                .then();
    }

    /** M_USER_IN_USE for a user name that any account has, also a deactivated one. */
    Mono<Void> requireFree(TenantId tenant, UserId user) {
        return accounts.exists(tenant, user).flatMap(taken -> taken ? Mono.error(taken()) : Mono.empty());
    }

    /** For a lost answer: creates another token for the device. The first token stays valid, as its answer may have arrived. */
    Mono<Progress> again(TenantId tenant, Repeated repeated) {
        return accounts.hold(tenant, repeated.user())
                .filter(account -> !account.deactivated())
                .switchIfEmpty(Mono.error(Registrar::taken))
                .flatMap(account -> account.approved() ? again(account, repeated) : Mono.just(new Awaiting()))
                .as(tx::transactional);
    }

    private Mono<Progress> again(Account account, Repeated repeated) {
        var device = repeated.device();
        if (device == null) {
            return Mono.just(new Registered(account.user(), null));
        }
        var deviceRequest = DeviceRequest.of(repeated.parameters()).of(device);
        return sessions.openBeside(new SessionRequest(account.tenant(), account.user(), deviceRequest, false))
                .map(session -> new Registered(session.user(), session));
    }

    private Mono<Progress> stored(Draft draft, String hash) {
        return consumed(draft)
                .filter(mayRun -> mayRun)
                .flatMap(_ -> quota.requirePlace(draft.tenant)
                        .then(Mono.defer(() -> accounts.insert(draft.tenant, draft.user, hash, !draft.awaitsApproval))))
                .flatMap(free -> free ? proven(draft) : Mono.error(taken()))
                .flatMap(isAdmin -> draft.awaitsApproval && !isAdmin ? Mono.just(new Awaiting()) : opened(draft));
    }

    private Mono<Boolean> consumed(Draft draft) {
        var device = draft.firstSession == null
                ? null
                : draft.firstSession.deviceRequest().device();
        return interactive.consume(draft.tenant, draft.authentication, draft.user, device);
    }

    /** Assigns the address and the registration token to the account. True if the token has made an administrator of the user. */
    private Mono<Boolean> proven(Draft draft) {
        return Flux.fromIterable(draft.authentication.proofs())
                .concatMap(proof -> proven(draft, proof))
                .reduce(false, Boolean::logicalOr);
    }

    private Mono<Boolean> proven(Draft draft, Proof proof) {
        var threepid = proof.threepid();
        if (threepid != null) {
            return threepids
                    .add(draft.tenant, draft.user, threepid, clock.instant(), true)
                    .flatMap(free -> free ? Mono.just(false) : Mono.error(addressTaken()));
        }
        var reservation = proof.registrationToken();
        return reservation == null
                ? Mono.just(false)
                : tokens.use(draft.tenant, reservation)
                        .switchIfEmpty(Mono.error(Registrar::tokenGone))
                        .flatMap(admin -> admin ? appointed(draft) : Mono.just(false));
    }

    private Mono<Boolean> appointed(Draft draft) {
        return accounts.setAdmin(draft.tenant, draft.user, true)
                .then(Mono.defer(() -> accounts.approve(draft.tenant, draft.user)))
                .thenReturn(true);
    }

    private Mono<Progress> opened(Draft draft) {
        var firstSession = draft.firstSession;
        return firstSession == null
                ? Mono.just(new Registered(draft.user, null))
                : sessions.openBeside(firstSession).map(session -> new Registered(draft.user, session));
    }

    private String madeName() {
        var name = new StringBuilder();
        for (int i = 0; i < NAME_LENGTH; i++) {
            name.append(NAME_CHARS.charAt(random.nextInt(NAME_CHARS.length())));
        }
        return name.toString();
    }

    static ApiException taken() {
        return new ApiException(ErrorCode.M_USER_IN_USE, "this user name is taken, choose another one");
    }

    private static ApiException addressTaken() {
        return new ApiException(
                ErrorCode.M_THREEPID_IN_USE, "this address already belongs to an account, use another one");
    }

    private static ApiException tokenGone() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "this registration token is used up, ask for another one");
    }

    /**
     * An account to create.
     *
     * @param firstSession the first session, or null for none
     * @param authentication the completed authentication
     * @param awaitsApproval whether the account needs an approval, unless a registration token makes an administrator of the user
     */
    private record Draft(
            TenantId tenant,
            UserId user,
            @Nullable SessionRequest firstSession,
            Passed authentication,
            boolean awaitsApproval) {}
}
