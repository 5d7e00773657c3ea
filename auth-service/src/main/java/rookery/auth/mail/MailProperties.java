package rookery.auth.mail;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/**
 * How mail leaves; every key is explained in auth-service.yml.
 *
 * @param folder where mails are written when there is no mail server, or null for nowhere
 * @param tenants what differs for tenants, by their numbers
 */
@ConfigurationProperties("rookery.mail")
record MailProperties(
        @DefaultValue("Rookery <no-reply@localhost>") String from,
        @Nullable Path folder,
        @DefaultValue("8s") Duration timeout,
        @DefaultValue("4") int threads,
        @DefaultValue("100") int waitingMax,
        @DefaultValue Map<Integer, Sender> tenants) {
    /** A tenant's own sender; null for the common one. */
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
