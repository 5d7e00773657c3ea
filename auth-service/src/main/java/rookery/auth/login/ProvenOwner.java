// SPDX-License-Identifier: Apache-2.0
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

/** The owner of an address that a caller without an access token has validated. */
@Component
public class ProvenOwner {
    private final Threepids threepids;

    ProvenOwner(Threepids threepids) {
        this.threepids = threepids;
    }

    /** M_FORBIDDEN if the address belongs to no account or may not replace a password. */
    public Mono<UserId> of(TenantId tenant, Passed passed) {
        return Flux.fromIterable(passed.proofs())
                .mapNotNull(Proof::threepid)
                .next()
                .flatMap(threepid -> threepids.recoverable(tenant, threepid))
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_FORBIDDEN, "this address belongs to no account")));
    }

    /** Checks in the transaction that the address still belongs to the user: M_FORBIDDEN otherwise. */
    public Mono<UserId> still(TenantId tenant, Passed passed, UserId user) {
        return of(tenant, passed)
                .filter(user::equals)
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_FORBIDDEN, "this address belongs to another account now")));
    }
}
