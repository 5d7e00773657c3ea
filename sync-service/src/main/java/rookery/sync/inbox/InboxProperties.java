package rookery.sync.inbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How long a user is held in memory; every key is explained in sync-service.yml. */
@ConfigurationProperties("rookery.sync.inbox")
record InboxProperties(
        @DefaultValue("5m") Duration idleMax,
        @DefaultValue("16") int loadsAtOnce,
        @DefaultValue("5000") int loadsWaitingMax) {}
