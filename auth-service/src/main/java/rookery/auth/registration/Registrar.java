package rookery.auth.registration;

import java.time.Clock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Authentication.Repeated;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Stage.Proof;
import rookery.auth.password.Password;
import rookery.auth.password.PasswordHasher;
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

/** Makes accounts: each in one transaction, so that a crash leaves a whole one or none. */
@Component
class Registrar {
    private static final String NAME_CHARS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int NAME_LENGTH = 12;

    private final RegistrationRules rules;
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
     * Makes the account and, unless that was not wanted, its first session. Empty if the authentication was used meanwhile: its
     * next step says what came of it. M_USER_IN_USE if somebody was faster with the name, M_THREEPID_IN_USE with the address.
     */
    Mono<Progress> register(Caller caller, Passed passed) {
        return Mono.defer(() -> made(caller, passed))
                .onErrorResume(failure -> passed.session() == null
                        ? released(caller.tenant(), passed).then(Mono.error(failure)) // nobody can come back to it
                        : Mono.error(failure));
    }

    private Mono<Progress> made(Caller caller, Passed passed) {
        var tenant = caller.tenant();
        var wish = DeviceRequest.of(passed.parameters());
        var password = new Password(passed.parameters().string("password"));
        var named = rules.requireFields(passed.parameters(), caller);
        var user = named == null ? UserId.of(madeName(), caller.server()) : named;
        boolean login = !passed.parameters().boolOr("inhibit_login", false);
        var device = wish.device() == null ? sessions.newDevice() : wish.device();
        var draft =
                new Draft(tenant, user, login ? new SessionRequest(tenant, user, wish.of(device), true) : null, passed);
        return requireFree(tenant, user)
                .then(Mono.defer(() -> hasher.hash(password)))
                .flatMap(hash -> newAccount.make(tenant, user, Mono.defer(() -> stored(draft, hash))));
    }

    private Mono<Void> released(TenantId tenant, Passed passed) {
        return Flux.fromIterable(passed.proofs())
                .mapNotNull(Proof::registrationToken)
                .concatMap(reservation -> tokens.release(tenant, reservation))
                .then();
    }

    /** M_USER_IN_USE for a name that somebody has or had. */
    Mono<Void> requireFree(TenantId tenant, UserId user) {
        return accounts.exists(tenant, user).flatMap(taken -> taken ? Mono.error(taken()) : Mono.empty());
    }

    /** The reply was lost: another token for the same session, beside the first, which may have arrived after all. */
    Mono<Progress> again(TenantId tenant, Repeated repeated) {
        var device = repeated.device();
        if (device == null) {
            return Mono.just(new Registered(repeated.user(), null));
        }
        var wish = DeviceRequest.of(repeated.parameters()).of(device);
        return accounts.hold(tenant, repeated.user())
                .filter(account -> !account.deactivated())
                .switchIfEmpty(Mono.error(Registrar::taken))
                .flatMap(account -> sessions.openBeside(new SessionRequest(tenant, account.user(), wish, false)))
                .<Progress>map(session -> new Registered(session.user(), session))
                .as(tx::transactional);
    }

    private Mono<Progress> stored(Draft draft, String hash) {
        return consumed(draft)
                .filter(mayRun -> mayRun)
                .flatMap(_ -> accounts.insert(draft.tenant, draft.user, hash))
                .flatMap(free -> free ? proven(draft) : Mono.error(taken()))
                .flatMap(_ -> opened(draft));
    }

    private Mono<Boolean> consumed(Draft draft) {
        var device = draft.opening == null ? null : draft.opening.wish().device();
        return interactive.consume(draft.tenant, draft.authentication, draft.user, device);
    }

    /** What was shown becomes the account's; true, so that it is not taken for an authentication that was used. */
    private Mono<Boolean> proven(Draft draft) {
        return Flux.fromIterable(draft.authentication.proofs())
                .concatMap(proof -> proven(draft, proof))
                .then(Mono.just(true));
    }

    private Mono<Void> proven(Draft draft, Proof proof) {
        var threepid = proof.threepid();
        if (threepid != null) {
            return threepids
                    .add(draft.tenant, draft.user, threepid, clock.instant(), true)
                    .flatMap(free -> free ? Mono.empty() : Mono.error(addressTaken()));
        }
        var reservation = proof.registrationToken();
        return reservation == null
                ? Mono.empty()
                : tokens.use(draft.tenant, reservation)
                        .switchIfEmpty(Mono.error(Registrar::tokenGone))
                        .flatMap(admin -> admin ? accounts.setAdmin(draft.tenant, draft.user, true) : Mono.empty());
    }

    private Mono<Progress> opened(Draft draft) {
        var opening = draft.opening;
        return opening == null
                ? Mono.just(new Registered(draft.user, null))
                : sessions.openBeside(opening).map(session -> new Registered(draft.user, session));
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
        return new ApiException(ErrorCode.M_THREEPID_IN_USE, "this address belongs to an account by now, use another");
    }

    private static ApiException tokenGone() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "this registration token is used up, ask for another one");
    }

    /**
     * An account to make.
     *
     * @param opening its first session, or null for none
     * @param authentication what was shown for it
     */
    private record Draft(
            TenantId tenant, UserId user, @Nullable SessionRequest opening, Passed authentication) {}
}
