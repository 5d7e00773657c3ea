package rookery.gateway.entrance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How many requests of a user may wait for news; the key is explained in gateway.yml. */
@ConfigurationProperties("rookery.long-poll")
record PollProperties(@DefaultValue("100") int ofUserMax) {
    /** IllegalArgumentException says what to change. */
    PollProperties {
        if (ofUserMax < 1) {
            throw new IllegalArgumentException("rookery.long-poll.of-user-max: set at least 1");
        }
    }
}
