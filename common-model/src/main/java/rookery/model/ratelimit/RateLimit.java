// SPDX-License-Identifier: Apache-2.0
package rookery.model.ratelimit;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;

/**
 * The rate limit that an administrator has set for a tenant (contract.md 5.2).
 *
 * @param exemptIps networks without a limit, such as {@code 10.1.0.0/16}
 * @param perUser whether requests with a token count for the user instead of the address; null from an admin-service before this
 *     field existed
 * @param updatedAt time of the change in ms; every change resets all windows
 */
public record RateLimit(
        TenantId tenant,
        boolean enabled,
        @JsonProperty("max_requests") int maxRequests,
        @JsonProperty("window_seconds") int windowSeconds,
        @JsonProperty("exempt_ips") List<String> exemptIps,
        @JsonProperty("per_user") @Nullable Boolean perUser,
        @JsonProperty("updated_at") long updatedAt) {
    public RateLimit {
        exemptIps = List.copyOf(exemptIps);
    }
}
