package rookery.room.spreading;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How fast changed profiles reach the rooms.
 *
 * @param interval how often an instance looks for work
 * @param lease how long another instance waits before it takes over
 * @param eventsPerSecond member events that an instance writes at most
 */
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
