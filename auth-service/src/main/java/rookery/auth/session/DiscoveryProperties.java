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
import tools.jackson.databind.JsonNode;
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
public record DiscoveryProperties(
        @Nullable URI baseUrl,
        @DefaultValue Map<Integer, URI> tenants,
        @Nullable String keys,
        @DefaultValue Map<Integer, String> tenantKeys) {
    private static final String HOMESERVER = "m.homeserver";
    /** The transports of calls, at the name at which clients from before their own endpoint look. */
    private static final String TRANSPORTS = "org.matrix.msc4143.rtc_foci";

    public DiscoveryProperties {
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

    /** The discovery document, or null if the tenant has none. */
    @Nullable
    JsonNode document(TenantId tenant) {
        var url = tenants.getOrDefault(tenant.value(), baseUrl);
        if (url == null) {
            return null;
        }
        var document = JsonNodeFactory.instance.objectNode();
        document.putObject(HOMESERVER).put("base_url", url.toString());
        String more = tenantKeys.getOrDefault(tenant.value(), keys);
        return more == null ? document : document.setAll(StrictJson.object(more));
    }

    /** The transports for calls among the further keys, also without a document; an empty list if the tenant has none. */
    public JsonNode transports(TenantId tenant) {
        String more = tenantKeys.getOrDefault(tenant.value(), keys);
        var transports = more == null ? null : StrictJson.object(more).get(TRANSPORTS);
        return transports == null ? JsonNodeFactory.instance.arrayNode() : transports;
    }

    /** The {@code well_known} of a session result, or null. */
    @Nullable
    WellKnown of(TenantId tenant) {
        var url = tenants.getOrDefault(tenant.value(), baseUrl);
        return url == null ? null : new WellKnown(url);
    }
}
