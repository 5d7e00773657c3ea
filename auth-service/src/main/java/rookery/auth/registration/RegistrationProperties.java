// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Registration modes, reserved names and terms, in general and by tenant; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.registration")
record RegistrationProperties(
        @DefaultValue("open") Mode mode,
        @DefaultValue("true") boolean warnsIfOpen,
        @DefaultValue("_.*") Pattern reserved,
        @DefaultValue("true") boolean asksForTerms,
        @DefaultValue Map<String, Policy> terms,
        @DefaultValue Map<Integer, TenantSettings> tenants) {
    /** The stages of a registration; {@code terms} add a stage. */
    enum Mode {
        OPEN,
        TOKEN,
        EMAIL,
        TOKEN_EMAIL,
        APPROVAL,
        CLOSED
    }

    /** A document to agree to: the version, and the title and URL by language. */
    record Policy(String version, @DefaultValue Map<String, Text> texts) {}

    record Text(String name, String url) {}

    /** Overrides of one tenant; null keeps the general value. */
    record TenantSettings(
            @Nullable Mode mode,
            @Nullable Pattern reserved,
            @Nullable Boolean asksForTerms,
            @Nullable Map<String, Policy> terms) {}

    /** The settings of one tenant; without terms if {@code asksForTerms} is false. */
    record Settings(Mode mode, Pattern reserved, Map<String, Policy> terms) {}

    Settings of(TenantId tenant) {
        var own = tenants.get(tenant.value());
        return own == null
                ? settings(mode, reserved, asksForTerms, terms)
                : settings(
                        own.mode == null ? mode : own.mode,
                        own.reserved == null ? reserved : own.reserved,
                        own.asksForTerms == null ? asksForTerms : own.asksForTerms,
                        own.terms == null ? terms : own.terms);
    }

    private static Settings settings(Mode mode, Pattern reserved, boolean asksForTerms, Map<String, Policy> terms) {
        return new Settings(mode, reserved, asksForTerms ? terms : Map.of());
    }
}
