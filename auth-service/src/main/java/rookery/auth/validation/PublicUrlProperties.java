// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.net.URI;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/**
 * The public base URL of the server; auth-service.yml explains both keys.
 *
 * @param publicBaseUrls base URLs by tenant ID
 */
@ConfigurationProperties("rookery.auth")
record PublicUrlProperties(
        @DefaultValue("http://localhost:8008") URI publicBaseUrl,
        @DefaultValue Map<Integer, URI> publicBaseUrls) {
    URI base(TenantId tenant) {
        return publicBaseUrls.getOrDefault(tenant.value(), publicBaseUrl);
    }
}
