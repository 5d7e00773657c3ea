package rookery.directory.listing;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Who may see the room directory, in general and by tenant; every key is explained in directory-service.yml. */
@ConfigurationProperties("rookery.directory.rooms")
record ListingProperties(
        @DefaultValue("false") boolean requiresToken,
        @DefaultValue Map<Integer, Boolean> tenants) {
    boolean requiresToken(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), requiresToken);
    }
}
