package rookery.admin.canary;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether and how delivery is tried; every key is explained in admin-service.yml.
 *
 * @param url of the gateway or of what stands before it; null for no canary
 */
@ConfigurationProperties("rookery.admin.canary")
record CanaryProperties(
        @Nullable URI url,
        @DefaultValue("30s") Duration interval,
        @DefaultValue("rookery-canary") String username) {}
