// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** The maximum number of devices per user, in general and by tenant; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.device")
record DeviceProperties(
        @DefaultValue("500") int numberMax, @DefaultValue Map<Integer, Integer> tenants) {
    DeviceProperties {
        if (numberMax < 1 || tenants.values().stream().anyMatch(number -> number < 1)) {
            throw new IllegalArgumentException(
                    "rookery.auth.device.number-max: set at least 1, also by tenant; otherwise logins are impossible");
        }
    }

    int numberMax(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), numberMax);
    }
}
