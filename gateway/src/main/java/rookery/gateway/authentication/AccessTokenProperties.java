package rookery.gateway.authentication;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.platform.tenant.Tenant;

/** Where an access token may be in a request; the keys are explained in gateway.yml. */
@ConfigurationProperties("rookery.access-token")
record AccessTokenProperties(
        @DefaultValue("false") boolean inQuery,
        @DefaultValue Map<Integer, OfTenant> tenants) {
    /** The setting of one tenant, by its number. */
    record OfTenant(@DefaultValue("false") boolean inQuery) {}

    /** Whether requests to that tenant, or for null to a host of no tenant, may have the token in the query. */
    boolean inQuery(@Nullable Tenant tenant) {
        var own = tenant == null ? null : tenants.get(tenant.id().value());
        return own == null ? inQuery : own.inQuery;
    }
}
