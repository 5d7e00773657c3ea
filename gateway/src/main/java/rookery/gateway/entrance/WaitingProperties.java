// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Maximum number of requests of a gateway that wait for services; gateway.yml explains the key. */
@ConfigurationProperties("rookery.waiting")
record WaitingProperties(@DefaultValue("1000") int most) {
    WaitingProperties {
        if (most < 1) {
            throw new IllegalArgumentException("rookery.waiting.most: set a number of at least 1, such as 1000");
        }
    }
}
