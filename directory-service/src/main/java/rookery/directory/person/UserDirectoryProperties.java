// SPDX-License-Identifier: Apache-2.0
package rookery.directory.person;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Visibility of accounts in the user directory, in general and by tenant; directory-service.yml explains the keys. */
@ConfigurationProperties("rookery.directory.users")
record UserDirectoryProperties(
        @DefaultValue("true") boolean all, @DefaultValue Map<Integer, Boolean> tenants) {
    boolean all(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), all);
    }
}
