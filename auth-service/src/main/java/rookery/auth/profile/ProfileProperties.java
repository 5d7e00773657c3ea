package rookery.auth.profile;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Who may see profiles, in general and by tenant; every key is explained in auth-service.yml. */
@ConfigurationProperties("rookery.auth.profile")
record ProfileProperties(
        @DefaultValue("false") boolean requiresSharedRoom,
        @DefaultValue Map<Integer, Boolean> tenants) {
    boolean requiresSharedRoom(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), requiresSharedRoom);
    }
}
