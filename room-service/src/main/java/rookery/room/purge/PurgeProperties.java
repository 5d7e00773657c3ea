package rookery.room.purge;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Timing of the removal of purged rooms; room-service.yml explains the keys.
 *
 * @param interval the delay between two looks for work
 * @param grace the delay before rows are deleted, longer than any request that began before the purge
 * @param lease the time after which another instance takes over
 */
@ConfigurationProperties("rookery.room.purge")
record PurgeProperties(
        @DefaultValue("500ms") Duration interval,
        @DefaultValue("15s") Duration grace,
        @DefaultValue("30s") Duration lease) {}
