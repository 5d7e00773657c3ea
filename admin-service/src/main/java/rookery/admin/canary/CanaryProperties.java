// SPDX-License-Identifier: Apache-2.0
package rookery.admin.canary;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Settings of the canary, which a null {@code url} turns off; admin-service.yml explains the keys. */
@ConfigurationProperties("rookery.admin.canary")
record CanaryProperties(
        @Nullable URI url,
        @DefaultValue("30s") Duration interval,
        @DefaultValue("rookery-canary") String username) {}
