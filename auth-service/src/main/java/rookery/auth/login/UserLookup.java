// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.login.LoginIdentifier.Addressed;
import rookery.auth.login.LoginIdentifier.Named;
import rookery.auth.login.LoginIdentifier.Nobody;
import rookery.auth.threepid.Threepids;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Resolves login identifiers to user IDs. */
@Component
class UserLookup {
    private final Threepids threepids;

    UserLookup(Threepids threepids) {
        this.threepids = threepids;
    }

    /** The user ID; the user may not exist. Empty for an unknown address and for an invalid user name. */
    Mono<UserId> find(TenantId tenant, LoginIdentifier who) {
        return switch (who) {
            case Named(var user) -> Mono.just(user);
            case Addressed(var threepid) -> threepids.owner(tenant, threepid);
            case Nobody() -> Mono.empty();
        };
    }
}
