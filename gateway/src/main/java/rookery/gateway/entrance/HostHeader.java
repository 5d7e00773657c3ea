// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.tenant.Tenant;
import rookery.platform.tenant.Tenants;

/** Determines the tenant from the Host header alone; forwarded-host headers are ignored. */
@Component
class HostHeader {
    private final Tenants tenants;

    HostHeader(Tenants tenants) {
        this.tenants = tenants;
    }

    /** M_USER_SUSPENDED for a tenant that an operator has suspended. */
    void requireServed(@Nullable Tenant tenant) {
        if (tenant != null && tenants.isSuspended(tenant.id())) {
            throw ApiException.tenantSuspended();
        }
    }

    /** The tenant of the host, or null for an unknown host. */
    @Nullable
    Tenant tenant(HttpHeaders headers) {
        var hosts = headers.getOrDefault(HttpHeaders.HOST, List.of());
        if (hosts.size() > 1) {
            throw new ApiException(ErrorCode.M_UNKNOWN, "send one Host header").withStatus(400);
        }
        return tenants.ofHost(hosts.isEmpty() ? null : hosts.getFirst());
    }
}
