package rookery.push.delivery;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How pushes are sent, and how long is kept what became of them; every key is explained in push-service.yml. */
@ConfigurationProperties("rookery.push.delivery")
record DeliveryProperties(
        @DefaultValue("100ms") Duration pollInterval,
        @DefaultValue("256") int maxInFlight,
        @DefaultValue("32") int maxInFlightOfGateway,
        @DefaultValue("2s") Duration coalescingWindow,
        @DefaultValue("1s") Duration badgeDelay,
        @DefaultValue("30d") Duration keptFor) {}
