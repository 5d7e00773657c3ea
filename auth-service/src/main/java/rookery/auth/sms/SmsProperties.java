// SPDX-License-Identifier: Apache-2.0
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
 * The SMS provider; auth-service.yml explains every key.
 *
 * @param url the provider's URL, or null
 * @param folder the folder for messages if there is no provider, or null
 * @param key the bearer token for the provider, or null for none
 * @param body the JSON body, with the placeholders {to} and {text} in its strings
 * @param tenantsWithout IDs of the tenants without text messages
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
        return "SmsProperties"; // without the key
    }
}
