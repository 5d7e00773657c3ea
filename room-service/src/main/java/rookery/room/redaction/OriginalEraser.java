// SPDX-License-Identifier: Apache-2.0
package rookery.room.redaction;

import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Erases the originals of redacted events after {@code keepOriginalsFor} (contract.md 9.6). Several instances may do so at once.
 */
@Component
class OriginalEraser {
    private static final Logger log = LoggerFactory.getLogger(OriginalEraser.class);

    private final Originals originals;
    private final RedactionProperties properties;
    private final Clock clock;

    OriginalEraser(Originals originals, RedactionProperties properties, Clock clock) {
        this.originals = originals;
        this.properties = properties;
        this.clock = clock;
    }

    /**
     * Spring calls the method once, subscribes to the publisher again and again, and counts each delay from the end of
     * the last run.
     */
    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1M")
    Mono<Void> erase() {
        return Mono.defer(this::erasePortions)
                .doOnError(failure -> log.atWarn()
                        .addKeyValue("cause", failure.getMessage())
                        .log("old originals stay until the next try"))
                .onErrorComplete();
    }

    private Mono<Void> erasePortions() {
        long before = clock.instant().minus(properties.keepOriginalsFor()).toEpochMilli();
        return originals.erase(before).flatMap(erased -> erased == 0 ? Mono.empty() : erasePortions());
    }
}
