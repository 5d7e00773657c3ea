// SPDX-License-Identifier: Apache-2.0
package rookery.platform.health;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Readiness on the management port. An orchestrator must not stop an old instance before the new instance is ready, such as a
 * node of sync-service that has followed the logs to their ends.
 */
@Component("work")
class ReadinessHealth implements ReactiveHealthIndicator {
    private final Readiness readiness;

    ReadinessHealth(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    public Mono<Health> health() {
        return readiness
                .now()
                .map(state -> Health.status(state.ready() ? "UP" : "OUT_OF_SERVICE")
                        .withDetails(state.checks())
                        .build());
    }
}
