package rookery.auth.sms;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/**
 * The provider that sends text messages; every key is explained in auth-service.yml.
 *
 * @param url where messages are posted, or null when there is no provider
 * @param folder where messages are written when there is no provider, or null: then there are none
 * @param key sent as a bearer token, or null for none
 * @param body the JSON that is posted, with the placeholders {to} and {text} in its strings
 * @param tenantsWithout numbers of the tenants whose users are sent none
 */
@ConfigurationProperties("rookery.sms")
record SmsProperties(
        @Nullable URI url,
        @Nullable Path folder,
        @Nullable String key,

        @DefaultValue("{\"to\":\"{to}\",\"text\":\"{text}\"}")
        String body,

        @DefaultValue("8s") Duration timeout,
        @DefaultValue List<Integer> tenantsWithout) {
    boolean isOn(TenantId tenant) {
        return (url != null || folder != null) && !tenantsWithout.contains(tenant.value());
    }

    @Override
    public String toString() {
        return "SmsProperties"; // never the key
    }
}
