// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Single-use login tokens; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.login-token")
public record LoginTokenProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("false") boolean advertised,
        @DefaultValue("2m") Duration life) {}
