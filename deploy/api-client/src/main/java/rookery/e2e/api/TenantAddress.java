package rookery.e2e.api;

import java.net.URI;

/**
 * A tenant of a running Rookery as its clients address it.
 *
 * @param base where to connect to, such as {@code http://127.0.0.1:8008}
 * @param host what the Host header says, which decides about the tenant
 * @param prefix of every path: {@link #NATIVE} or {@link #MATRIX}
 */
public record TenantAddress(URI base, String host, String prefix) {
    public static final String NATIVE = "/_api/client";
    public static final String MATRIX = "/_matrix/client";

    /** The tenant that answers to the name on this machine's port. */
    public static TenantAddress local(int port, String name) {
        return new TenantAddress(URI.create("http://127.0.0.1:" + port), name + ":" + port, NATIVE);
    }

    /** What a URL leads to. */
    public static TenantAddress at(URI url, String prefix) {
        return new TenantAddress(url, url.getAuthority(), prefix);
    }

    public TenantAddress withPrefix(String other) {
        return new TenantAddress(base, host, other);
    }

    /** Where a path is, such as {@code /v3/sync}. */
    public URI uri(String path) {
        return URI.create(base + prefix + path);
    }
}
