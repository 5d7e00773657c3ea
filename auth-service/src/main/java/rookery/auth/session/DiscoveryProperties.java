// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.platform.json.StrictJson;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The discovery document for clients; the answer to a login contains its base URL too. auth-service.yml explains every key.
 *
 * @param baseUrl null for no document
 * @param tenants base URLs by tenant ID
 * @param keys further keys of the document beside {@code m.homeserver}: the text of a JSON object, or null
 * @param tenantKeys further keys by tenant ID, instead of the general ones
 */
@ConfigurationProperties("rookery.auth.discovery")
record DiscoveryProperties(
        @Nullable URI baseUrl,
        @DefaultValue Map<Integer, URI> tenants,
        @Nullable String keys,
        @DefaultValue Map<Integer, String> tenantKeys) {
    static final String HOMESERVER = "m.homeserver";
    /** The transports of calls, at the name at which clients from before their own endpoint look. */
    static final String TRANSPORTS = "org.matrix.msc4143.rtc_foci";

    DiscoveryProperties {
        if (keys != null) {
            var _ = parsed("rookery.auth.discovery.keys", keys);
        }
        tenantKeys.forEach((tenant, text) -> parsed("rookery.auth.discovery.tenant-keys." + tenant, text));
    }

    private static ObjectNode parsed(String key, String text) {
        try {
            var json = StrictJson.object(text);
            if (!json.has(HOMESERVER)
                    && (!json.has(TRANSPORTS) || json.path(TRANSPORTS).isArray())) {
                return json;
            }
        } catch (ApiException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                key + ": write a JSON object without " + HOMESERVER
                        + ", such as {\"org.matrix.msc4143.rtc_foci\":[]} with a list of transports; base-url is the setting for the base URL");
    }

    @Nullable
    URI base(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), baseUrl);
    }

    /** The further keys of the tenant's document. */
    ObjectNode further(TenantId tenant) {
        String text = tenantKeys.getOrDefault(tenant.value(), keys);
        return text == null ? JsonNodeFactory.instance.objectNode() : StrictJson.object(text);
    }
}
