package rookery.gateway.ratelimit;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.ratelimit.RateLimit;
import rookery.platform.http.ServiceClient;

/**
 * Asks admin-service every second which limits administrators have set. While it does not answer, those of before stay in force;
 * a gateway that starts meanwhile has the configured one (CONTRACT.md 5.3).
 */
@Component
class LimitFollower implements InitializingBean, DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(LimitFollower.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final ServiceClient services;
    private final LimitSettings settings;
    private @Nullable Disposable following;
    private boolean isAway;

    LimitFollower(ServiceClient services, LimitSettings settings) {
        this.services = services;
        this.settings = settings;
    }

    @Override
    public void afterPropertiesSet() {
        following = Flux.interval(Duration.ZERO, INTERVAL)
                .onBackpressureDrop()
                .concatMap(_ -> followed(), 1)
                .subscribe();
    }

    private Mono<Void> followed() {
        return services.get("admin-service", "rate-limits", "/internal/rate-limits", RateLimit[].class)
                .doOnNext(all -> {
                    settings.set(List.of(all));
                    isAway = false;
                })
                .then()
                .onErrorResume(failure -> {
                    if (!isAway) {
                        log.atInfo()
                                .addKeyValue("cause", failure.getMessage())
                                .log("rate limits stay as they were heard last");
                    }
                    isAway = true;
                    return Mono.empty();
                });
    }

    @Override
    public void destroy() {
        if (following != null) {
            following.dispose();
        }
    }
}
