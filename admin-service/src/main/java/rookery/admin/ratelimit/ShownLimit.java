// SPDX-License-Identifier: Apache-2.0
package rookery.admin.ratelimit;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;
import rookery.platform.ratelimit.RateLimitProperties;

/**
 * The limit of a tenant as its administrators see it.
 *
 * @param perUser whether requests with a token count for the user instead of the address
 * @param updatedAt in ms; null while the configured limit applies, like {@code updatedBy}
 */
public record ShownLimit(
        boolean enabled,
        @JsonProperty("max_requests") int maxRequests,
        @JsonProperty("window_seconds") int windowSeconds,
        String scope,
        @JsonProperty("exempt_ips") List<String> exemptIps,
        @JsonProperty("per_user") boolean perUser,
        @JsonProperty("updated_at") @Nullable Long updatedAt,
        @JsonProperty("updated_by") @Nullable UserId updatedBy) {
    static final String SCOPE = "ip";

    public ShownLimit {
        exemptIps = List.copyOf(exemptIps);
    }

    static ShownLimit of(RateLimitProperties configured) {
        return new ShownLimit(
                configured.enabled(),
                configured.maxRequests(),
                (int) Math.max(1, configured.window().toSeconds()),
                SCOPE,
                configured.exemptIps(),
                configured.perUser(),
                null,
                null);
    }
}
