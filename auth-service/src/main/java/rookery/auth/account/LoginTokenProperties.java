package rookery.auth.account;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Tokens that log in once, in general and by tenant; every key is explained in auth-service.yml. */
@ConfigurationProperties("rookery.auth.login-token")
public record LoginTokenProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("false") boolean advertised,
        @DefaultValue("2m") Duration life,
        @DefaultValue Map<Integer, TenantSettings> tenants) {
    /** What a tenant has otherwise; null is as in general. */
    public record TenantSettings(
            @Nullable Boolean enabled, @Nullable Boolean advertised) {}

    /** Whether users may make such tokens. */
    public boolean isEnabled(TenantId tenant) {
        var own = tenants.get(tenant.value());
        return (own == null || own.enabled == null) ? enabled : own.enabled;
    }

    /** Whether clients are told that one can log in with such a token (contract.md 1, D6). */
    public boolean isAdvertised(TenantId tenant) {
        var own = tenants.get(tenant.value());
        return (own == null || own.advertised == null) ? advertised : own.advertised;
    }
}
