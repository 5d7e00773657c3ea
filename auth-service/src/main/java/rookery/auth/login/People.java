package rookery.auth.login;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.login.LoginIdentifier.Addressed;
import rookery.auth.login.LoginIdentifier.Named;
import rookery.auth.login.LoginIdentifier.Nobody;
import rookery.auth.threepid.Threepids;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Finds who is meant. */
@Component
class People {
    private final Threepids threepids;

    People(Threepids threepids) {
        this.threepids = threepids;
    }

    /** A user who may not exist, or empty for an address that is nobody's and a name that nobody can have. */
    Mono<UserId> find(TenantId tenant, LoginIdentifier who) {
        return switch (who) {
            case Named(var user) -> Mono.just(user);
            case Addressed(var threepid) -> threepids.owner(tenant, threepid);
            case Nobody() -> Mono.empty();
        };
    }
}
