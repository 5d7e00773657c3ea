// SPDX-License-Identifier: Apache-2.0
package rookery.platform.ratelimit;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The rate limit of tenants without a limit of their own; every key is explained in platform.yml. */
@ConfigurationProperties("rookery.rate-limit")
public record RateLimitProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("100") int maxRequests,
        @DefaultValue("60s") Duration window,
        @DefaultValue List<String> exemptIps,
        @DefaultValue("false") boolean perUser) {
    public RateLimitProperties {
        exemptIps = List.copyOf(exemptIps);
        if (maxRequests < 1) {
            throw new IllegalArgumentException(
                    "rookery.rate-limit.max-requests: set at least 1, or rookery.rate-limit.enabled=false");
        }
        if (window.toMillis() < 1) {
            throw new IllegalArgumentException("rookery.rate-limit.window: set a time such as 60s");
        }
    }
}
