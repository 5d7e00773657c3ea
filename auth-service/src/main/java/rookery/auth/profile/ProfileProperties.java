// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** The visibility of profiles, in general and by tenant; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.profile")
record ProfileProperties(
        @DefaultValue("false") boolean requiresSharedRoom,
        @DefaultValue Map<Integer, Boolean> tenants) {
    boolean requiresSharedRoom(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), requiresSharedRoom);
    }
}
