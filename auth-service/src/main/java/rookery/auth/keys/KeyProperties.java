// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The limit of claimed keys; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.keys")
record KeyProperties(@DefaultValue("5") int claimsPerDay) {
    KeyProperties {
        if (claimsPerDay < 1) {
            throw new IllegalArgumentException(
                    "rookery.auth.keys.claims-per-day is %d: make it at least 1".formatted(claimsPerDay));
        }
    }
}
