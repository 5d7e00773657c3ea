// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** The beans that pushes and badges share. */
@Configuration(proxyBeanMethods = false)
class DeliveryConfiguration {
    @Bean
    static Lanes lanes(DeliveryProperties properties, Tenants tenants, Clock clock) {
        var pace = new Pace(tenant -> tenants.setting(tenant, TenantSettings.PUSHES_MAX), clock);
        return new Lanes(properties.maxInFlight(), properties.maxInFlightOfGateway(), pace);
    }
}
