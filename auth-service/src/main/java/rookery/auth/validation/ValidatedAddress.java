package rookery.auth.validation;

import java.time.Clock;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Operation;
import rookery.auth.interactive.Stage.Proof;
import rookery.auth.interactive.Stage.Trial;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.ThreepidProperties;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** What both stages ask: whether the client has validated an address for this operation (CONTRACT.md 3.4). */
@Component
class ValidatedAddress {
    private final Validations validations;
    private final ThreepidProperties properties;
    private final Clock clock;

    ValidatedAddress(Validations validations, ThreepidProperties properties, Clock clock) {
        this.validations = validations;
        this.properties = properties;
        this.clock = clock;
    }

    /** The address; empty if it is not validated, or was used. M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM. */
    Mono<Proof> proof(Medium medium, Trial trial) {
        var fields = Credentials.object(trial.auth(), "threepid_creds", "threepidCreds");
        if (fields == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field threepid_creds is missing");
        }
        var purpose = purpose(trial.operation());
        return validations
                .find(trial.tenant(), Credentials.of(fields), "")
                .filter(found -> found.threepid().medium() == medium && found.purpose() == purpose)
                .filter(found -> found.isUsable(clock.instant(), properties))
                .map(found -> new Proof(found.threepid(), null));
    }

    /** Whoever has no account yet validates for registering, everybody else for what only the account's owner may do. */
    static Purpose purpose(Operation operation) {
        return operation == Operation.REGISTER ? Purpose.REGISTER : Purpose.PASSWORD;
    }
}
