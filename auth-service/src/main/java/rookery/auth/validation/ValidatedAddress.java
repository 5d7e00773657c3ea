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
import rookery.model.id.TenantId;

/** Checks for the stages of both media that the client has validated an address for the operation (contract.md 3.4). */
@Component
class ValidatedAddress {
    private final Validations validations;
    private final Messages messages;
    private final ThreepidProperties properties;
    private final Clock clock;

    ValidatedAddress(Validations validations, Messages messages, ThreepidProperties properties, Clock clock) {
        this.validations = validations;
        this.messages = messages;
        this.properties = properties;
        this.clock = clock;
    }

    /** The validated address; empty if it is not validated or already used. M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM. */
    Mono<Proof> proof(Medium medium, Trial trial) {
        var fields = Credentials.object(trial.auth(), "threepid_creds", "threepidCreds");
        if (fields == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field threepid_creds is missing");
        }
        var purpose = purpose(trial.operation());
        return validations
                .find(trial.tenant(), Credentials.of(fields), "")
                .filter(validation -> validation.threepid().medium() == medium && validation.purpose() == purpose)
                .filter(validation -> validation.isUsable(clock.instant(), properties))
                .map(validation -> new Proof(validation.threepid(), null));
    }

    /** Uses up the validation in the operation's transaction; M_THREEPID_AUTH_FAILED if another operation has used it. */
    Mono<Void> spend(TenantId tenant, Proof proof) {
        var threepid = proof.threepid();
        if (threepid == null) {
            return Mono.empty();
        }
        return validations
                .use(tenant, threepid)
                .flatMap(used -> used ? Mono.empty() : Mono.error(AccountThreepids.notValidated()));
    }

    boolean isOffered(TenantId tenant, Medium medium) {
        return messages.isOn(tenant, medium);
    }

    /**
     * Registration needs the purpose register; other operations need the purpose password, which implies an account's address.
     */
    static Purpose purpose(Operation operation) {
        return operation.equals(Operation.REGISTER) ? Purpose.REGISTER : Purpose.PASSWORD;
    }
}
