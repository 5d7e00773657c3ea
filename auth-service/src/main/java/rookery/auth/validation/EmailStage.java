package rookery.auth.validation;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Stage;
import rookery.auth.threepid.Medium;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The stage {@code m.login.email.identity}, for a validated email address. */
@Component
class EmailStage implements Stage {
    private final ValidatedAddress address;

    EmailStage(ValidatedAddress address) {
        this.address = address;
    }

    @Override
    public String type() {
        return "m.login.email.identity";
    }

    @Override
    public Mono<Proof> pass(Trial trial) {
        return Mono.defer(() -> address.proof(Medium.EMAIL, trial));
    }

    @Override
    public Mono<Void> spend(TenantId tenant, UserId user, Proof proof) {
        return address.spend(tenant, proof);
    }

    @Override
    public boolean isOffered(TenantId tenant) {
        return address.isOffered(tenant, Medium.EMAIL);
    }
}
