// SPDX-License-Identifier: Apache-2.0
package rookery.auth.sms;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The SMS provider; auth-service.yml explains every key.
 *
 * @param url the provider's URL, or null
 * @param folder the folder for messages if there is no provider, or null
 * @param key the bearer token for the provider, or null for none
 * @param body the JSON body, with the placeholders {to} and {text} in its strings
 */
@ConfigurationProperties("rookery.sms")
record SmsProperties(
        @Nullable URI url,
        @Nullable Path folder,
        @Nullable String key,

        @DefaultValue("{\"to\":\"{to}\",\"text\":\"{text}\"}")
        String body,

        @DefaultValue("8s") Duration timeout) {
    boolean hasOutlet() {
        return url != null || folder != null;
    }

    @Override
    public String toString() {
        return "SmsProperties"; // without the key
    }
}
