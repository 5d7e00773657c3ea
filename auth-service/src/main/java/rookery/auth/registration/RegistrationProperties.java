// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Registration modes, reserved names and terms; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.registration")
record RegistrationProperties(
        @DefaultValue("open") Mode mode,
        @DefaultValue("true") boolean warnsIfOpen,
        @DefaultValue("_.*") Pattern reserved,
        @DefaultValue("true") boolean asksForTerms,
        @DefaultValue Map<String, Policy> terms) {
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

    /** The settings of one tenant. */
    record Settings(Mode mode, Pattern reserved, Map<String, Policy> terms) {}

    /** The documents to agree to, of tenants without documents of their own. */
    Map<String, Policy> askedTerms() {
        return asksForTerms ? terms : Map.of();
    }
}
