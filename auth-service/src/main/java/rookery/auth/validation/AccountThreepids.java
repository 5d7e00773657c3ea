package rookery.auth.validation;

import java.time.Clock;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Interactive;
import rookery.auth.threepid.Threepid;
import rookery.auth.threepid.ThreepidProperties;
import rookery.auth.threepid.Threepids;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;

/** Gives accounts the addresses that their users have validated (CONTRACT.md 7.4, 7.5). */
@Component
class AccountThreepids {
    private final Interactive interactive;
    private final Accounts accounts;
    private final Validations validations;
    private final Threepids threepids;
    private final ThreepidProperties properties;
    private final Clock clock;
    private final TransactionalOperator tx;

    AccountThreepids(
            Interactive interactive,
            Accounts accounts,
            Validations validations,
            Threepids threepids,
            ThreepidProperties properties,
            Clock clock,
            TransactionalOperator tx) {
        this.interactive = interactive;
        this.accounts = accounts;
        this.validations = validations;
        this.threepids = threepids;
        this.properties = properties;
        this.clock = clock;
        this.tx = tx;
    }

    /**
     * Adds the validated address, once; what the account has already stays as it is. Errors: M_THREEPID_AUTH_FAILED,
     * M_SESSION_EXPIRED, M_THREEPID_IN_USE, M_FORBIDDEN.
     */
    Mono<Void> add(Caller caller, Credentials credentials) {
        return added(caller, credentials).then().as(tx::transactional);
    }

    /** The same for an authentication that has passed, in one transaction with its end; empty if it was used meanwhile. */
    Mono<Threepid> add(Caller caller, Passed passed) {
        return Mono.defer(() -> interactive.consume(caller.tenant(), passed, caller.user(), null))
                .filter(mayRun -> mayRun)
                .flatMap(_ -> added(caller, Credentials.of(passed.parameters())))
                .as(tx::transactional);
    }

    /** The same, and lets others of the tenant find the account by it. */
    Mono<Void> bind(Caller caller, Credentials credentials) {
        return added(caller, credentials)
                .flatMap(threepid -> threepids.setBound(caller.tenant(), caller.user(), threepid, true))
                .then()
                .as(tx::transactional);
    }

    /** M_FORBIDDEN where the tenant has all addresses decided elsewhere. */
    void requireChanges(TenantId tenant) {
        if (!properties.policy(tenant).changes()) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "addresses cannot be changed here, ask your administrator");
        }
    }

    /** In a transaction. The account is held, so that one that ends meanwhile keeps no address. */
    private Mono<Threepid> added(Caller caller, Credentials credentials) {
        requireChanges(caller.tenant());
        return accounts.hold(caller.tenant(), caller.user())
                .filter(account -> !account.deactivated())
                .switchIfEmpty(Mono.error(AccountThreepids::noAccount))
                .flatMap(_ -> validations.hold(caller.tenant(), credentials, ""))
                .switchIfEmpty(Mono.error(AccountThreepids::notValidated))
                .flatMap(validation -> added(caller, validation));
    }

    private Mono<Threepid> added(Caller caller, Validation validation) {
        if (!validation.purpose().addsToAccounts()) {
            return Mono.error(notValidated());
        }
        if (validation.usedAt() != null) {
            return requireOwn(caller, validation.threepid());
        }
        if (validation.isOver(clock.instant(), properties)) {
            return Mono.error(
                    new ApiException(ErrorCode.M_SESSION_EXPIRED, "this was validated too long ago, begin again"));
        }
        var validatedAt = validation.validatedAt();
        if (validatedAt == null) {
            return Mono.error(notValidated());
        }
        return threepids
                .add(caller.tenant(), caller.user(), validation.threepid(), validatedAt)
                .flatMap(
                        free -> free ? validations.use(caller.tenant(), validation.sid()) : Mono.error(Purpose.inUse()))
                .thenReturn(validation.threepid());
    }

    /** A request whose answer was lost comes again: what it added is still there. */
    private Mono<Threepid> requireOwn(Caller caller, Threepid threepid) {
        return threepids
                .owner(caller.tenant(), threepid)
                .filter(caller.user()::equals)
                .switchIfEmpty(Mono.error(AccountThreepids::notValidated))
                .thenReturn(threepid);
    }

    static ApiException notValidated() {
        return new ApiException(ErrorCode.M_THREEPID_AUTH_FAILED, "this address has not been validated");
    }

    private static ApiException noAccount() {
        return new ApiException(ErrorCode.M_UNKNOWN_TOKEN, "this account has been deactivated")
                .with("soft_logout", false);
    }
}
