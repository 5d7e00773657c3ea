package rookery.room.inbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** @param gatherFor how long a changed profile waits for further changes before the rooms are told */
@ConfigurationProperties("rookery.room.profile")
record InboxProperties(@DefaultValue("1s") Duration gatherFor) {}
