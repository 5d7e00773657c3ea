// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.tenant.Tenants;

/** Hosts in requests of operators. */
final class TenantHosts {
    /** The most hosts of a tenant. */
    static final int MOST = 100;

    private static final int LENGTH_MAX = 255;
    private static final String HOST = "[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\\[[0-9a-f:]+]";

    private TenantHosts() {}

    static String canonical(String host) {
        return Tenants.canonical(host);
    }

    /** The host in its canonical spelling; M_INVALID_PARAM for what no Host header can say. */
    static String of(String text) {
        var host = canonical(text);
        if (host.length() > LENGTH_MAX || !host.matches(HOST)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a host is a name such as chat.example, without a port");
        }
        return host;
    }

    static ApiException tooMany() {
        return new ApiException(ErrorCode.M_INVALID_PARAM, "a tenant has at most " + MOST + " hosts");
    }
}
