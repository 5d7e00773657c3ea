// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** Deletes batch numbers older than 30 days; no follower is more than 30 days behind. */
public final class BatchCleaner {
    private static final Logger log = LoggerFactory.getLogger(BatchCleaner.class);
    private static final Duration KEPT = Duration.ofDays(30);

    private final LogEntries entries;
    private final Clock clock;

    public BatchCleaner(LogEntries entries, Clock clock) {
        this.entries = entries;
        this.clock = clock;
    }

    /**
     * Spring calls this method once and subscribes to the Mono repeatedly, each time after the delay since its last completion.
     */
    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT10M")
    Mono<Void> clean() {
        return Mono.defer(
                        () -> entries.forgetBatches(clock.instant().minus(KEPT).toEpochMilli()))
                .then()
                .onErrorResume(failure -> {
                    log.atWarn().addKeyValue("cause", failure.getMessage()).log("old batches stay until the next try");
                    return Mono.empty();
                });
    }
}
