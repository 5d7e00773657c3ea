// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Single-use login tokens, in general and by tenant; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.login-token")
public record LoginTokenProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("false") boolean advertised,
        @DefaultValue("2m") Duration life,
        @DefaultValue Map<Integer, TenantSettings> tenants) {
    /** Overrides of one tenant; null keeps the general value. */
    public record TenantSettings(
            @Nullable Boolean enabled, @Nullable Boolean advertised) {}

    /** True if users of the tenant may create login tokens. */
    public boolean isEnabled(TenantId tenant) {
        var own = tenants.get(tenant.value());
        return (own == null || own.enabled == null) ? enabled : own.enabled;
    }

    /** True if GET /login lists the flow {@code m.login.token} for the tenant (contract.md 1, D6). */
    public boolean isAdvertised(TenantId tenant) {
        var own = tenants.get(tenant.value());
        return (own == null || own.advertised == null) ? advertised : own.advertised;
    }
}
