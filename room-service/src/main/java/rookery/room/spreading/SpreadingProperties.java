// SPDX-License-Identifier: Apache-2.0
package rookery.room.spreading;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Timing of the spreading of profiles and device lists; room-service.yml explains the keys. */
@ConfigurationProperties("rookery.room.spreading")
record SpreadingProperties(
        @DefaultValue("200ms") Duration interval,
        @DefaultValue("15s") Duration lease,
        @DefaultValue("200") int eventsPerSecond) {
    SpreadingProperties {
        if (eventsPerSecond < 1) {
            throw new IllegalArgumentException("rookery.room.spreading.events-per-second must be at least 1");
        }
    }
}
