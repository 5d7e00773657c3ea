package rookery.auth.login;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Stage.Proof;
import rookery.auth.threepid.Threepids;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Whose account it is about when nobody is logged in: the owner's of the address that was shown. */
@Component
public class ProvenOwner {
    private final Threepids threepids;

    ProvenOwner(Threepids threepids) {
        this.threepids = threepids;
    }

    /** M_FORBIDDEN if the address is nobody's, or may not stand in for a password; asked again in the operation's transaction, it may say so by then. */
    public Mono<UserId> of(TenantId tenant, Passed passed) {
        return Flux.fromIterable(passed.proofs())
                .mapNotNull(Proof::threepid)
                .next()
                .flatMap(threepid -> threepids.recoverable(tenant, threepid))
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_FORBIDDEN, "this address belongs to no account")));
    }

    /** The same, for an owner who was found before: M_FORBIDDEN if it is another's by now. */
    public Mono<UserId> still(TenantId tenant, Passed passed, UserId user) {
        return of(tenant, passed)
                .filter(user::equals)
                .switchIfEmpty(
                        Mono.error(() -> new ApiException(ErrorCode.M_FORBIDDEN, "this address is another's by now")));
    }
}
