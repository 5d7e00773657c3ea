// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import rookery.auth.registration.RegistrationProperties.Mode;
import rookery.auth.registration.RegistrationProperties.Policy;
import rookery.auth.registration.RegistrationProperties.Settings;
import rookery.auth.registration.RegistrationProperties.Text;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The registration of a tenant: a mode that an operator has set comes before the configured one. */
@Component
class RegistrationSettings {
    private final RegistrationProperties properties;
    private final Tenants tenants;

    RegistrationSettings(RegistrationProperties properties, Tenants tenants) {
        this.properties = properties;
        this.tenants = tenants;
    }

    Settings of(TenantId tenant) {
        var terms = tenants.setting(tenant, TenantSettings.TERMS);
        return new Settings(
                mode(tenant),
                tenants.setting(tenant, TenantSettings.RESERVED_NAMES, properties.reserved()),
                terms == null ? properties.askedTerms() : policies(terms));
    }

    /** A mode of a later release, whose administrators have set it during an upgrade, admits nobody here. */
    private Mode mode(TenantId tenant) {
        if (tenants.settings(tenant).isUnreadable(TenantSettings.REGISTRATION)) {
            return Mode.CLOSED;
        }
        var word = tenants.setting(tenant, TenantSettings.REGISTRATION);
        return word == null
                ? properties.mode()
                : Mode.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Documents in the format of {@code m.login.terms}. */
    private static Map<String, Policy> policies(ObjectNode terms) {
        return terms.properties().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, document -> policy(document.getValue())));
    }

    private static Policy policy(JsonNode document) {
        var texts = document.properties().stream()
                .filter(text -> text.getValue().isObject())
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        text -> new Text(
                                text.getValue().path("name").stringValue(),
                                text.getValue().path("url").stringValue())));
        return new Policy(document.path("version").stringValue(), texts);
    }
}
