package rookery.admin.canary;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the canary; admin-service.yml explains the keys.
 *
 * @param url URL of the gateway or of the proxy in front; null turns the canary off
 */
@ConfigurationProperties("rookery.admin.canary")
record CanaryProperties(
        @Nullable URI url,
        @DefaultValue("30s") Duration interval,
        @DefaultValue("rookery-canary") String username) {}
