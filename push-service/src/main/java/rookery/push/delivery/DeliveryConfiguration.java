// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import rookery.platform.ratelimit.Pace;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** The beans that pushes and badges share. */
@Configuration(proxyBeanMethods = false)
class DeliveryConfiguration {
    static final Duration PUSH_BURST = Duration.ofMillis(100);

    @Bean
    static Lanes lanes(DeliveryProperties properties, Tenants tenants, Clock clock) {
        var pace = new Pace(tenant -> tenants.setting(tenant, TenantSettings.PUSHES_MAX), PUSH_BURST, clock);
        return new Lanes(properties.maxInFlight(), properties.maxInFlightOfGateway(), pace);
    }
}
