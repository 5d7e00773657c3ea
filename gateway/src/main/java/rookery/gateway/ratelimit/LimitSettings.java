package rookery.gateway.ratelimit;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import rookery.model.ratelimit.RateLimit;
import rookery.platform.ratelimit.RateLimitProperties;

/** The limits set by administrators, and the configured limit for all other tenants. */
@Component
class LimitSettings {
    private final Limit configured;
    private volatile Map<Integer, Limit> set = Map.of();

    LimitSettings(RateLimitProperties properties) {
        configured = Limit.of(properties);
    }

    Limit of(int tenant) {
        return set.getOrDefault(tenant, configured);
    }

    /** Replaces all limits. */
    void set(List<RateLimit> all) {
        set = all.stream()
                .collect(Collectors.toUnmodifiableMap(one -> one.tenant().value(), Limit::of));
    }
}
