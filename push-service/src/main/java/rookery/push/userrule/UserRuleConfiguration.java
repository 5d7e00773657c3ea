// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/**
 * Reports that rules cannot be served while auth-service is unavailable. The check does not affect readiness, because
 * push-service itself works.
 */
@Configuration(proxyBeanMethods = false)
class UserRuleConfiguration {
    @Bean
    static ReadinessCheck accountData(ServiceClient services) {
        return new ReadinessCheck(
                "account_data",
                false,
                services.get("auth-service", "ready", "/internal/ready", JsonNode.class)
                        .then());
    }
}
