package rookery.gateway.ratelimit;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.ratelimit.RateLimit;
import rookery.platform.http.ServiceClient;

/**
 * Polls the administrators' limits from admin-service every second. While admin-service is unavailable, the latest limits stay; a
 * gateway that starts in this time uses the configured limit (contract.md 5.3).
 */
@Component
class LimitFollower {
    private static final Logger log = LoggerFactory.getLogger(LimitFollower.class);

    private final ServiceClient services;
    private final LimitSettings settings;
    private volatile boolean isAway;

    LimitFollower(ServiceClient services, LimitSettings settings) {
        this.services = services;
        this.settings = settings;
    }

    /** Spring resubscribes after each completion plus the delay. */
    @Scheduled(fixedDelayString = "PT1S")
    Mono<Void> follow() {
        return Mono.defer(
                        () -> services.get("admin-service", "rate-limits", "/internal/rate-limits", RateLimit[].class))
                .doOnNext(all -> {
                    settings.set(List.of(all));
                    isAway = false;
                })
                .then()
                .onErrorResume(failure -> {
                    if (!isAway) {
                        log.atInfo()
                                .addKeyValue("cause", failure.getMessage())
                                .log("rate limits could not be read, the latest ones stay");
                    }
                    isAway = true;
                    return Mono.empty();
                });
    }
}
