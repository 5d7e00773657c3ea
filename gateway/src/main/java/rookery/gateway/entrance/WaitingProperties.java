package rookery.gateway.entrance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How many requests of a gateway may wait for services; the key is explained in gateway.yml. */
@ConfigurationProperties("rookery.waiting")
record WaitingProperties(@DefaultValue("1000") int most) {
    /** IllegalArgumentException says what to change. */
    WaitingProperties {
        if (most < 1) {
            throw new IllegalArgumentException("rookery.waiting.most: set a number of at least 1, such as 1000");
        }
    }
}
