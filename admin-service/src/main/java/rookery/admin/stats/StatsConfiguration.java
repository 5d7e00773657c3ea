// SPDX-License-Identifier: Apache-2.0
package rookery.admin.stats;

import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Reports unavailable owners of statistics. The check does not affect readiness, because admin-service itself works. */
@Configuration(proxyBeanMethods = false)
class StatsConfiguration {
    private static final List<String> OWNERS =
            List.of("auth-service", "room-service", "directory-service", "push-service");

    @Bean
    static ReadinessCheck owners(ServiceClient services) {
        return new ReadinessCheck(
                "owners",
                false,
                Flux.fromIterable(OWNERS)
                        .flatMap(owner -> services.get(owner, "ready", "/internal/ready", JsonNode.class))
                        .then());
    }
}
