package rookery.auth.validation;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Stage;
import rookery.auth.threepid.Medium;

/** Passed by whoever has validated a phone number. */
@Component
class PhoneStage implements Stage {
    private final ValidatedAddress address;

    PhoneStage(ValidatedAddress address) {
        this.address = address;
    }

    @Override
    public String type() {
        return "m.login.msisdn";
    }

    @Override
    public Mono<Proof> pass(Trial trial) {
        return Mono.defer(() -> address.proof(Medium.MSISDN, trial));
    }
}
