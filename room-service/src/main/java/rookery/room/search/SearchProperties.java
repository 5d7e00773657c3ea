// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Limits of searches. The keys are explained in room-service.yml. */
@ConfigurationProperties("rookery.room.search")
record SearchProperties(@DefaultValue("8") int atOnce) {
    SearchProperties {
        if (atOnce < 1) {
            throw new IllegalArgumentException("rookery.room.search.at-once: set a number of searches, such as 8");
        }
    }
}
