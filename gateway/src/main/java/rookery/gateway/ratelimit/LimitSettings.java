package rookery.gateway.ratelimit;

import org.springframework.stereotype.Component;

/** Holds the limit in force, so that it can change while the gateway runs. */
@Component
class LimitSettings {
    private volatile Limit limit;

    LimitSettings(RateLimitProperties properties) {
        limit = new Limit(
                properties.enabled(),
                properties.maxRequests(),
                properties.window().toMillis(),
                properties.exemptIps().stream().map(Cidr::parse).toList());
    }

    Limit current() {
        return limit;
    }

    void change(Limit other) {
        limit = other;
    }
}
