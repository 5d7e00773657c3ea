// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Access to the room directory, in general and by tenant; directory-service.yml explains the keys. */
@ConfigurationProperties("rookery.directory.rooms")
record ListingProperties(
        @DefaultValue("false") boolean requiresToken,
        @DefaultValue Map<Integer, Boolean> tenants) {
    boolean requiresToken(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), requiresToken);
    }
}
