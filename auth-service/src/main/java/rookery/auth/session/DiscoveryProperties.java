package rookery.auth.session;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/**
 * Where clients are told to connect to once they are logged in; explained in auth-service.yml.
 *
 * @param baseUrl null to leave them where they are
 * @param tenants those of tenants, by their numbers, that have one of their own
 */
@ConfigurationProperties("rookery.auth.discovery")
public record DiscoveryProperties(
        @Nullable URI baseUrl, @DefaultValue Map<Integer, URI> tenants) {
    /** What a session result says of it, or null for nothing. */
    @Nullable
    WellKnown of(TenantId tenant) {
        var url = tenants.getOrDefault(tenant.value(), baseUrl);
        return url == null ? null : new WellKnown(url);
    }
}
