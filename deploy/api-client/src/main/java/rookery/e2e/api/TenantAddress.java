// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.api;

import java.net.URI;

/**
 * The address of a tenant of a running Rookery.
 *
 * @param base the URL to connect to, such as {@code http://127.0.0.1:8008}
 * @param host the value of the Host header, which selects the tenant
 * @param prefix of all paths: {@link #NATIVE} or {@link #MATRIX}
 */
public record TenantAddress(URI base, String host, String prefix) {
    public static final String NATIVE = "/_api/client";
    public static final String MATRIX = "/_matrix/client";

    /** The tenant of a server name on a local port. */
    public static TenantAddress local(int port, String name) {
        return new TenantAddress(URI.create("http://127.0.0.1:" + port), name + ":" + port, NATIVE);
    }

    /** The tenant at a URL. */
    public static TenantAddress at(URI url, String prefix) {
        return new TenantAddress(url, url.getAuthority(), prefix);
    }

    public TenantAddress withPrefix(String other) {
        return new TenantAddress(base, host, other);
    }

    /** The full URI of a path such as {@code /v3/sync}. */
    public URI uri(String path) {
        return URI.create(base + prefix + path);
    }
}
