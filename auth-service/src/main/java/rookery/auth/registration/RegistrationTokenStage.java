// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Stage;

/** The stage {@code m.login.registration_token}: reserves a use of the token until the account is created. */
@Component
class RegistrationTokenStage implements Stage {
    private final RegistrationTokens tokens;

    RegistrationTokenStage(RegistrationTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public String type() {
        return REGISTRATION_TOKEN;
    }

    @Override
    public Mono<Proof> pass(Trial trial) {
        return tokens.reserve(trial.tenant(), trial.auth().string("token"))
                .map(reservation -> new Proof(null, reservation));
    }
}
