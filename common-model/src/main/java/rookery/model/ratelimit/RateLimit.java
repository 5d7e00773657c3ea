package rookery.model.ratelimit;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;

/**
 * The limit that an administrator has set for a tenant (contract.md 5.2).
 *
 * @param exemptIps networks that are not counted, such as {@code 10.1.0.0/16}
 * @param perUser whether requests with a token are counted for its user and no more for their address; null from an admin-service
 *     of before there was this
 * @param updatedAt when, in ms; every change begins all windows anew
 */
public record RateLimit(
        TenantId tenant,
        boolean enabled,
        @JsonProperty("max_requests") int maxRequests,
        @JsonProperty("window_seconds") int windowSeconds,
        @JsonProperty("exempt_ips") List<String> exemptIps,
        @JsonProperty("per_user") @Nullable Boolean perUser,
        @JsonProperty("updated_at") long updatedAt) {
    /** Networks are copied. */
    public RateLimit {
        exemptIps = List.copyOf(exemptIps);
    }
}
