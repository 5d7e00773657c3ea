package rookery.auth.validation;

import java.net.URI;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/**
 * Where people outside reach us; both keys are explained in auth-service.yml.
 *
 * @param publicBaseUrls those of tenants, by their numbers, that have one of their own
 */
@ConfigurationProperties("rookery.auth")
record PublicUrlProperties(
        @DefaultValue("http://localhost:8008") URI publicBaseUrl,
        @DefaultValue Map<Integer, URI> publicBaseUrls) {
    URI base(TenantId tenant) {
        return publicBaseUrls.getOrDefault(tenant.value(), publicBaseUrl);
    }
}
