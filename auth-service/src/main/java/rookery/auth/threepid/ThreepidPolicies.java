// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.auth.threepid.ThreepidProperties.Policy;
import rookery.model.id.TenantId;
import rookery.platform.tenant.Setting;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** The policies of tenants: each setting of a tenant comes before the configuration of all. */
@Component
public class ThreepidPolicies {
    private final ThreepidProperties properties;
    private final Tenants tenants;

    public ThreepidPolicies(ThreepidProperties properties, Tenants tenants) {
        this.properties = properties;
        this.tenants = tenants;
    }

    public Policy of(TenantId tenant) {
        var all = properties.policy();
        return new Policy(
                tenants.setting(tenant, TenantSettings.ADDRESS_CHANGES, all.changes()),
                tenants.setting(tenant, TenantSettings.HIDE_KNOWN_ADDRESSES, all.hideKnownAddresses()),
                tenants.setting(tenant, TenantSettings.NEXT_LINK_HOSTS, all.nextLinkHosts()),
                pattern(tenant, TenantSettings.ALLOWED_EMAILS, all.allowedEmails()),
                pattern(tenant, TenantSettings.DENIED_EMAILS, all.deniedEmails()),
                pattern(tenant, TenantSettings.ALLOWED_PHONES, all.allowedPhones()),
                pattern(tenant, TenantSettings.DENIED_PHONES, all.deniedPhones()));
    }

    private @Nullable Pattern pattern(TenantId tenant, Setting<Pattern> setting, @Nullable Pattern ofAll) {
        var own = tenants.setting(tenant, setting);
        return own == null ? ofAll : own;
    }
}
