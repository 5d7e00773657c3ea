package rookery.auth.registration;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/** Who may register, and which names are kept, in general and by tenant; every key is explained in auth-service.yml. */
@ConfigurationProperties("rookery.auth.registration")
record RegistrationProperties(
        @DefaultValue("open") Mode mode,
        @DefaultValue("_.*") Pattern reserved,
        @DefaultValue("true") boolean asksForTerms,
        @DefaultValue Map<String, Policy> terms,
        @DefaultValue Map<Integer, TenantSettings> tenants) {
    /** What somebody must show who makes an account; {@code terms} come on top. */
    enum Mode {
        OPEN,
        TOKEN,
        EMAIL,
        TOKEN_EMAIL,
        CLOSED
    }

    /** A text that one must agree to: its version, and title and address by language. */
    record Policy(String version, @DefaultValue Map<String, Text> texts) {}

    record Text(String name, String url) {}

    /** What a tenant has otherwise; null is as in general. */
    record TenantSettings(
            @Nullable Mode mode,
            @Nullable Pattern reserved,
            @Nullable Boolean asksForTerms,
            @Nullable Map<String, Policy> terms) {}

    /** What holds for one tenant; no terms where they are not asked for. */
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
