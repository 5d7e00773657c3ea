// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.Locale;
import org.springframework.stereotype.Component;
import rookery.auth.registration.RegistrationProperties.Mode;
import rookery.auth.registration.RegistrationProperties.Settings;
import rookery.model.id.TenantId;
import rookery.platform.tenant.Tenants;

/** The registration of a tenant: a mode that an operator has set comes before the configured one. */
@Component
class RegistrationSettings {
    private final RegistrationProperties properties;
    private final Tenants tenants;

    RegistrationSettings(RegistrationProperties properties, Tenants tenants) {
        this.properties = properties;
        this.tenants = tenants;
    }

    /** A mode of a later version, whose administrators have set it during an upgrade, admits nobody here. */
    private static Mode mode(String word) {
        try {
            return Mode.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException _) {
            return Mode.CLOSED;
        }
    }

    Settings of(TenantId tenant) {
        var configured = properties.of(tenant);
        var mode = tenants.settings(tenant).registration();
        return mode == null ? configured : new Settings(mode(mode), configured.reserved(), configured.terms());
    }
}
