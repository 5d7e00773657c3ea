// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Operation;
import rookery.auth.interactive.Stage;
import rookery.auth.interactive.Stage.Proof;
import rookery.auth.interactive.Stage.Trial;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.ThreepidProperties;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The stages {@code m.login.email.identity} and {@code m.login.msisdn}, for a validated address (contract.md 3.4). */
final class AddressStage implements Stage {
    private final Medium medium;
    private final Validations validations;
    private final Messages messages;
    private final ThreepidProperties properties;
    private final Clock clock;

    private AddressStage(
            Medium medium, Validations validations, Messages messages, ThreepidProperties properties, Clock clock) {
        this.medium = medium;
        this.validations = validations;
        this.messages = messages;
        this.properties = properties;
        this.clock = clock;
    }

    @Configuration(proxyBeanMethods = false)
    static class Stages {
        @Bean
        static Stage emailStage(
                Validations validations, Messages messages, ThreepidProperties properties, Clock clock) {
            return new AddressStage(Medium.EMAIL, validations, messages, properties, clock);
        }

        @Bean
        static Stage phoneStage(
                Validations validations, Messages messages, ThreepidProperties properties, Clock clock) {
            return new AddressStage(Medium.MSISDN, validations, messages, properties, clock);
        }
    }

    @Override
    public String type() {
        return switch (medium) {
            case EMAIL -> EMAIL;
            case MSISDN -> MSISDN;
        };
    }

    @Override
    public boolean isOffered(TenantId tenant) {
        return messages.isOn(tenant, medium);
    }

    /** The validated address; empty if it is not validated or already used. M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM. */
    @Override
    public Mono<Proof> pass(Trial trial) {
        return Mono.defer(() -> {
            var fields = Credentials.object(trial.auth(), "threepid_creds", "threepidCreds");
            if (fields == null) {
                throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field threepid_creds is missing");
            }
            return proof(trial, Credentials.of(fields));
        });
    }

    private Mono<Proof> proof(Trial trial, Credentials credentials) {
        var purpose = purpose(trial.operation());
        return validations
                .find(trial.tenant(), credentials, "")
                .filter(validation -> validation.threepid().medium() == medium && validation.purpose() == purpose)
                .filter(validation -> validation.isUsable(clock.instant(), properties))
                .map(validation -> new Proof(validation.threepid(), null));
    }

    /** Uses up the validation in the operation's transaction; M_THREEPID_AUTH_FAILED if another operation has used it. */
    @Override
    public Mono<Void> spend(TenantId tenant, UserId user, Proof proof) {
        var threepid = proof.threepid();
        if (threepid == null) {
            return Mono.empty();
        }
        return validations
                .use(tenant, threepid)
                .flatMap(used -> used ? Mono.empty() : Mono.error(AccountThreepids.notValidated()));
    }

    /**
     * Registration needs the purpose register; other operations need the purpose password, which implies an account's address.
     */
    private static Purpose purpose(Operation operation) {
        return operation.equals(Operation.REGISTER) ? Purpose.REGISTER : Purpose.PASSWORD;
    }
}
