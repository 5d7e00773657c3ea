package rookery.auth.validation;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Stage;
import rookery.auth.threepid.Medium;

/** Passed by whoever has validated an e-mail address. */
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
}
