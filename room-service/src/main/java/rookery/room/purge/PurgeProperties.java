package rookery.room.purge;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When purged rooms are removed; the keys are explained in room-service.yml.
 *
 * @param interval how often an instance looks for work
 * @param grace how long a room stays that nobody sees any more: longer than any request takes that was let in before
 * @param lease how long another instance waits before it takes over
 */
@ConfigurationProperties("rookery.room.purge")
record PurgeProperties(
        @DefaultValue("500ms") Duration interval,
        @DefaultValue("15s") Duration grace,
        @DefaultValue("30s") Duration lease) {}
