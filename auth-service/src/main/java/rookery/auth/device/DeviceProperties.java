// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The maximum number of devices per user; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.device")
record DeviceProperties(@DefaultValue("500") int numberMax) {
    DeviceProperties {
        if (numberMax < 1) {
            throw new IllegalArgumentException(
                    "rookery.auth.device.number-max: set at least 1; otherwise logins are impossible");
        }
    }
}
