// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.ratelimit.RateLimit;
import rookery.platform.http.ServiceClient;
import rookery.platform.ratelimit.RateLimitProperties;

/**
 * The limits set by administrators, polled from admin-service every second, and the configured limit for all other tenants.
 * While admin-service is unavailable, the latest limits stay; a gateway that starts in this time uses the configured limit
 * (contract.md 5.3).
 */
@Component
class LimitSettings {
    private static final Logger log = LoggerFactory.getLogger(LimitSettings.class);

    private final ServiceClient services;
    private final Limit configured;
    private volatile Map<Integer, Limit> set = Map.of();
    private volatile boolean isAway;

    LimitSettings(ServiceClient services, RateLimitProperties properties) {
        this.services = services;
        this.configured = Limit.of(properties);
    }

    Limit of(int tenant) {
        return set.getOrDefault(tenant, configured);
    }

    /** Spring resubscribes after each completion plus the delay. */
    @Scheduled(fixedDelayString = "PT1S")
    Mono<Void> follow() {
        return Mono.defer(
                        () -> services.get("admin-service", "rate-limits", "/internal/rate-limits", RateLimit[].class))
                .doOnNext(this::replace)
                .then()
                .onErrorResume(this::keep);
    }

    private void replace(RateLimit[] limits) {
        set = Arrays.stream(limits)
                .collect(Collectors.toUnmodifiableMap(limit -> limit.tenant().value(), Limit::of));
        isAway = false;
    }

    private Mono<Void> keep(Throwable failure) {
        if (!isAway) {
            log.atInfo()
                    .addKeyValue("cause", failure.getMessage())
                    .log("rate limits could not be read, the latest ones stay");
        }
        isAway = true;
        return Mono.empty();
    }
}
