package rookery.directory.alias;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Settles abandoned reservations at an interval. */
@Component
class AliasCleaner {
    private final AliasRegistry registry;

    AliasCleaner(AliasRegistry registry) {
        this.registry = registry;
    }

    @Scheduled(
            fixedDelayString = "${rookery.directory.alias.cleaning-interval}",
            initialDelayString = "${rookery.directory.alias.cleaning-interval}")
    Mono<Void> clean() {
        return Mono.defer(registry::settleAbandoned);
    }
}
