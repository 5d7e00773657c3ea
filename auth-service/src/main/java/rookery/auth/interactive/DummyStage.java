// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** The stage {@code m.login.dummy}, which always succeeds. */
@Component
class DummyStage implements Stage {
    @Override
    public String type() {
        return DUMMY;
    }

    @Override
    public Mono<Proof> pass(Trial trial) {
        return Mono.just(Proof.OF_NOTHING);
    }
}
