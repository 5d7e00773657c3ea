// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Maximum number of parked long polls of a user; gateway.yml explains the key. */
@ConfigurationProperties("rookery.long-poll")
record PollProperties(@DefaultValue("100") int ofUserMax) {
    PollProperties {
        if (ofUserMax < 1) {
            throw new IllegalArgumentException("rookery.long-poll.of-user-max: set at least 1");
        }
    }
}
