// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The discovery of a tenant (contract.md 3.5): a public URL that an operator has set comes before the configured one. */
@Component
public class Discovery {
    private final DiscoveryProperties properties;
    private final Tenants tenants;

    Discovery(DiscoveryProperties properties, Tenants tenants) {
        this.properties = properties;
        this.tenants = tenants;
    }

    private @Nullable URI base(TenantId tenant) {
        var own = tenants.setting(tenant, TenantSettings.PUBLIC_URL);
        return own == null ? properties.baseUrl() : own;
    }

    /** The keys of the tenant's document beside the base URL. */
    private ObjectNode further(TenantId tenant) {
        return tenants.setting(tenant, TenantSettings.DISCOVERY_KEYS, properties.further());
    }

    /** The discovery document, or null if the tenant has none. */
    @Nullable
    JsonNode document(TenantId tenant) {
        var url = base(tenant);
        if (url == null) {
            return null;
        }
        var document = JsonNodeFactory.instance.objectNode();
        document.putObject(DiscoveryProperties.HOMESERVER).put("base_url", url.toString());
        return document.setAll(further(tenant));
    }

    /** The transports for calls among the further keys, also without a document; an empty list if the tenant has none. */
    public JsonNode transports(TenantId tenant) {
        var transports = further(tenant).get(DiscoveryProperties.TRANSPORTS);
        return transports == null ? JsonNodeFactory.instance.arrayNode() : transports;
    }

    /** The {@code well_known} of a session result, or null. */
    @Nullable
    WellKnown of(TenantId tenant) {
        var url = base(tenant);
        return url == null ? null : new WellKnown(url);
    }
}
