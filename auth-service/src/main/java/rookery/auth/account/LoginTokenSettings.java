// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import org.springframework.stereotype.Component;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** Which tenants have login tokens. */
@Component
public class LoginTokenSettings {
    private final LoginTokenProperties properties;
    private final Tenants tenants;

    LoginTokenSettings(LoginTokenProperties properties, Tenants tenants) {
        this.properties = properties;
        this.tenants = tenants;
    }

    /** True if users of the tenant may create login tokens. */
    public boolean isEnabled(TenantId tenant) {
        return tenants.setting(tenant, TenantSettings.LOGIN_TOKENS, properties.enabled());
    }

    /** True if GET /login lists the flow {@code m.login.token} for the tenant (contract.md 1, D6). */
    public boolean isAdvertised(TenantId tenant) {
        return tenants.setting(tenant, TenantSettings.LOGIN_TOKENS_ADVERTISED, properties.advertised());
    }
}
