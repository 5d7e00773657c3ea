package rookery.sync.inbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** How much of a room is held in memory; every key is explained in sync-service.yml. */
@ConfigurationProperties("rookery.sync.ring")
record RingProperties(
        @DefaultValue("200") int entriesMax,
        @DefaultValue("256KB") DataSize bytesMax,
        @DefaultValue("10m") Duration ageMax,
        @DefaultValue("1000") int fillEntries,
        @DefaultValue("2m") Duration fillFor) {}
