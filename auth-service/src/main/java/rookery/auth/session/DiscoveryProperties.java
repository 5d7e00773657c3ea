// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import rookery.platform.json.StrictJson;
import rookery.platform.tenant.TenantSettings;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The discovery document for clients; the answer to a login contains its base URL too. auth-service.yml explains every key.
 *
 * @param baseUrl null for no document
 * @param keys further keys of the document beside {@code m.homeserver}: the text of a JSON object, or null
 */
@ConfigurationProperties("rookery.auth.discovery")
record DiscoveryProperties(@Nullable URI baseUrl, @Nullable String keys) {
    static final String HOMESERVER = "m.homeserver";
    /** The transports of calls, at the name at which clients from before their own endpoint look. */
    static final String TRANSPORTS = "org.matrix.msc4143.rtc_foci";

    DiscoveryProperties {
        if (keys != null && TenantSettings.DISCOVERY_KEYS.valueOf(keys) == null) {
            throw new IllegalArgumentException(
                    "rookery.auth.discovery.keys: write a JSON object without " + HOMESERVER
                            + ", such as {\"org.matrix.msc4143.rtc_foci\":[]} with a list of transports; base-url is the setting for the base URL");
        }
    }

    /** The further keys of the documents of tenants without keys of their own. */
    ObjectNode further() {
        return keys == null ? JsonNodeFactory.instance.objectNode() : StrictJson.object(keys);
    }
}
