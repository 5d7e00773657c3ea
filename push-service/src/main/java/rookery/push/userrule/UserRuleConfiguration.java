package rookery.push.userrule;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import rookery.platform.health.ReadinessCheck;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Says that rules cannot be served while auth-service is away; this process is fine then, so it stays in service. */
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
