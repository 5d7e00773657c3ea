// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.removal;

import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.room.media.RoomMediaProperties;

/**
 * Deletes the files of redacted messages after {@code keepFor} (contract.md 13.4). Several instances may do so at once. A message
 * sent at the same moment may refer to a deleted file.
 */
@Component
class RedactedMedia {
    private static final Logger log = LoggerFactory.getLogger(RedactedMedia.class);

    /** A small portion, so that locks are short. */
    private static final int PORTION = 500;

    private final MediaRemoval removal;
    private final TransactionalOperator tx;
    private final RoomMediaProperties.RedactedFiles properties;
    private final Clock clock;

    RedactedMedia(MediaRemoval removal, TransactionalOperator tx, RoomMediaProperties properties, Clock clock) {
        this.removal = removal;
        this.tx = tx;
        this.properties = properties.redacted();
        this.clock = clock;
    }

    @Scheduled(
            initialDelayString = "${rookery.room.media.redacted.interval:PT1M}",
            fixedDelayString = "${rookery.room.media.redacted.interval:PT1M}")
    Mono<Void> remove() {
        return Mono.defer(() -> removePortions(
                        clock.instant().minus(properties.keepFor()).toEpochMilli()))
                .doOnError(failure -> log.atWarn()
                        .addKeyValue("cause", failure.toString())
                        .log("files of redacted messages stay until the next try"))
                .onErrorComplete();
    }

    private Mono<Void> removePortions(long beforeMillis) {
        return portion(beforeMillis).flatMap(count -> count == 0 ? Mono.empty() : removePortions(beforeMillis));
    }

    private Mono<Integer> portion(long beforeMillis) {
        return removal.takeRedacted(beforeMillis, PORTION)
                .delayUntil(redacted -> redacted.isEmpty() ? Mono.empty() : removal.removeUnused(redacted))
                .map(redacted -> redacted.size())
                .as(tx::transactional);
    }
}
