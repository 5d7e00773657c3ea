// SPDX-License-Identifier: Apache-2.0
package rookery.push.gateway;

import java.net.URI;
import java.util.Locale;

/** A permitted URL of a push gateway. */
public record GatewayUrl(URI uri) {
    /** Scheme, host and port: gateways with the same value fail together. */
    public String gateway() {
        boolean isSecure = uri.getScheme().equalsIgnoreCase("https");
        int port = uri.getPort() > 0 ? uri.getPort() : isSecure ? 443 : 80;
        return "%s://%s:%d"
                .formatted(isSecure ? "https" : "http", uri.getHost(), port)
                .toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
