package rookery.directory.person;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Who is found in the user directory, in general and by tenant; every key is explained in directory-service.yml. */
@ConfigurationProperties("rookery.directory.users")
record UserDirectoryProperties(
        @DefaultValue("true") boolean all, @DefaultValue Map<Integer, Boolean> tenants) {
    boolean all(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), all);
    }
}
