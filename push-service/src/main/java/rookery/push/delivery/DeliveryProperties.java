// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Delivery settings and retention; push-service.yml explains the keys. */
@ConfigurationProperties("rookery.push.delivery")
record DeliveryProperties(
        @DefaultValue("1s") Duration pollInterval,
        @DefaultValue("256") int maxInFlight,
        @DefaultValue("32") int maxInFlightOfGateway,
        @DefaultValue("2s") Duration coalescingWindow,
        @DefaultValue("1s") Duration badgeDelay,
        @DefaultValue("30d") Duration keptFor) {}
