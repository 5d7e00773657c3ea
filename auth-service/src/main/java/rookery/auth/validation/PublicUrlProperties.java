// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.net.URI;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The public base URL of tenants without one of their own.
 *
 * @param publicBaseUrl in which {@code {server-name}} stands for the tenant's server name without its port
 */
@ConfigurationProperties("rookery.auth")
record PublicUrlProperties(
        @DefaultValue("http://localhost:8008") String publicBaseUrl) {
    private static final String SERVER_NAME = "{server-name}";

    PublicUrlProperties {
        if (URI.create(publicBaseUrl.replace(SERVER_NAME, "chat.example")).getHost() == null) {
            throw new IllegalArgumentException(
                    "rookery.auth.public-base-url: write a URL such as https://chat.example or https://{server-name}");
        }
    }

    URI base(String host) {
        return URI.create(publicBaseUrl.replace(SERVER_NAME, host));
    }
}
