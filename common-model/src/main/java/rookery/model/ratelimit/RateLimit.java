package rookery.model.ratelimit;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import rookery.model.id.TenantId;

/**
 * The limit that an administrator has set for a tenant (contract.md 5.2).
 *
 * @param exemptIps networks that are not counted, such as {@code 10.1.0.0/16}
 * @param updatedAt when, in ms; every change begins all windows anew
 */
public record RateLimit(
        TenantId tenant,
        boolean enabled,
        @JsonProperty("max_requests") int maxRequests,
        @JsonProperty("window_seconds") int windowSeconds,
        @JsonProperty("exempt_ips") List<String> exemptIps,
        @JsonProperty("updated_at") long updatedAt) {
    /** Networks are copied. */
    public RateLimit {
        exemptIps = List.copyOf(exemptIps);
    }
}
