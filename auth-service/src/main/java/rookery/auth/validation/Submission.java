// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.time.Clock;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.ThreepidProperties;
import rookery.auth.validation.Validation.Expired;
import rookery.auth.validation.Validation.Right;
import rookery.auth.validation.Validation.Verdict;
import rookery.auth.validation.Validation.Wrong;
import rookery.model.id.TenantId;

/** Checks submitted tokens. Without the client's secret, the verdict reveals nothing about a validation. */
@Component
class Submission {
    private final Validations validations;
    private final ThreepidProperties properties;
    private final Clock clock;
    private final TransactionalOperator tx;

    Submission(Validations validations, ThreepidProperties properties, Clock clock, TransactionalOperator tx) {
        this.validations = validations;
        this.properties = properties;
        this.clock = clock;
        this.tx = tx;
    }

    /** The verdict on the token, without any change, because mail scanners open links too. */
    Mono<Verdict> tried(TenantId tenant, Medium medium, Credentials credentials, String token) {
        return validations
                .find(tenant, credentials, token)
                .filter(validation -> validation.threepid().medium() == medium)
                .map(this::verdict)
                .defaultIfEmpty(new Wrong(false));
    }

    /** Locks the validation: concurrent guesses wait for each other, so that each one counts. */
    Mono<Verdict> submitted(TenantId tenant, Medium medium, Credentials credentials, String token) {
        return validations
                .hold(tenant, credentials, token)
                .filter(validation -> validation.threepid().medium() == medium)
                .flatMap(validation -> recorded(tenant, validation))
                .defaultIfEmpty(new Wrong(false))
                .as(tx::transactional);
    }

    private Mono<Verdict> recorded(TenantId tenant, Validation validation) {
        var verdict = verdict(validation);
        return switch (verdict) {
            case Right _ -> validations.validate(tenant, validation.sid()).thenReturn(verdict);
            case Wrong(var counts)
            when counts -> validations.countTry(tenant, validation.sid()).thenReturn(verdict);
            case Wrong _, Expired _ -> Mono.just(verdict);
        };
    }

    private Verdict verdict(Validation validation) {
        return validation.verdict(clock.instant(), properties);
    }
}
