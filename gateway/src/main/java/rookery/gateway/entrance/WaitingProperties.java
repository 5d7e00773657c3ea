// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The requests of a gateway that wait for services; gateway.yml explains the keys. */
@ConfigurationProperties("rookery.waiting")
record WaitingProperties(
        @DefaultValue("1000") int most,
        @DefaultValue("300ms") Duration target) {
    WaitingProperties {
        if (most < 1) {
            throw new IllegalArgumentException("rookery.waiting.most: set a number of at least 1, such as 1000");
        }
        if (target.toMillis() < 1) {
            throw new IllegalArgumentException("rookery.waiting.target: set a time such as 300ms");
        }
    }
}
