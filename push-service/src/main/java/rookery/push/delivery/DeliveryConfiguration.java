// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that pushes and badges share. */
@Configuration(proxyBeanMethods = false)
class DeliveryConfiguration {
    @Bean
    static Lanes lanes(DeliveryProperties properties) {
        return new Lanes(properties.maxInFlight(), properties.maxInFlightOfGateway());
    }
}
