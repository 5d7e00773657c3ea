// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.platform.tenant.Tenant;

/** Whether an access token may be in the query; gateway.yml explains the keys. */
@ConfigurationProperties("rookery.access-token")
record AccessTokenProperties(
        @DefaultValue("false") boolean inQuery,
        @DefaultValue Map<Integer, OfTenant> tenants) {
    /** The setting of one tenant, by tenant number. */
    record OfTenant(@DefaultValue("false") boolean inQuery) {}

    /** Whether requests to the tenant may have the token in the query. Null is a host without tenant. */
    boolean inQuery(@Nullable Tenant tenant) {
        var own = tenant == null ? null : tenants.get(tenant.id().value());
        return own == null ? inQuery : own.inQuery;
    }
}
