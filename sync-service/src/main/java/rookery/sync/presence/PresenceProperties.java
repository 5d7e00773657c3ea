package rookery.sync.presence;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How presence is kept and told; every key is explained in sync-service.yml. */
@ConfigurationProperties("rookery.sync.presence")
public record PresenceProperties(
        @DefaultValue("5m") Duration idleAfter,
        @DefaultValue("30s") Duration offlineAfter,
        @DefaultValue("60s") Duration repeatEvery,
        @DefaultValue("100000") int usersMax,
        @DefaultValue("2000") int roomsMax,
        @DefaultValue("100") int wakeReadersMax,
        @DefaultValue("500") int eventsMax) {}
