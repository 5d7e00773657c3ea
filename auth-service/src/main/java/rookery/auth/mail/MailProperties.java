// SPDX-License-Identifier: Apache-2.0
package rookery.auth.mail;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/**
 * Outgoing mail; auth-service.yml explains every key.
 *
 * @param folder the folder for mails if there is no mail server, or null
 * @param tenants overrides by tenant ID
 */
@ConfigurationProperties("rookery.mail")
record MailProperties(
        @DefaultValue("Rookery <no-reply@localhost>") String from,
        @Nullable Path folder,
        @DefaultValue("8s") Duration timeout,
        @DefaultValue("4") int threads,
        @DefaultValue("100") int waitingMax,
        @DefaultValue Map<Integer, Sender> tenants) {
    /** Overrides of one tenant; a null sender is the general one. */
    record Sender(
            @DefaultValue("true") boolean enabled, @Nullable String from) {}

    boolean isEnabled(TenantId tenant) {
        var own = tenants.get(tenant.value());
        return own == null || own.enabled;
    }

    String from(TenantId tenant) {
        var own = tenants.get(tenant.value());
        return own == null || own.from == null ? from : own.from;
    }
}
