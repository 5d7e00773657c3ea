// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.room.media.preview.Previews.Deletion;
import rookery.room.media.removal.MediaRemoval;

/** Deletes previews with their pictures, in portions. Several instances may do so at once. */
@Component
class PreviewRemoval {
    private static final Logger log = LoggerFactory.getLogger(PreviewRemoval.class);

    /** A small portion, so that locks are short. */
    private static final int PORTION = 500;
    /** Rows deleted at a time of a tenant with too many. */
    private static final int OLDEST = 100;

    private final Previews previews;
    private final MediaRemoval media;
    private final TransactionalOperator tx;

    PreviewRemoval(Previews previews, MediaRemoval media, TransactionalOperator tx) {
        this.previews = previews;
        this.media = media;
        this.tx = tx;
    }

    @Scheduled(
            initialDelayString = "${rookery.room.media.preview.interval:PT10M}",
            fixedDelayString = "${rookery.room.media.preview.interval:PT10M}")
    Mono<Void> sweep() {
        return Mono.defer(this::removeExpired)
                .doOnError(failure -> log.atWarn()
                        .addKeyValue("cause", failure.toString())
                        .log("previews that have expired stay until the next try"))
                .onErrorComplete();
    }

    Mono<Void> removeExpired() {
        return portion(() -> previews.deleteExpired(PORTION))
                .repeat()
                .takeWhile(rows -> rows > 0)
                .then();
    }

    /** Deletes a portion of the tenant's previews, the oldest first. */
    Mono<Void> makeRoom(TenantId tenant) {
        return portion(() -> previews.deleteOldest(tenant, OLDEST)).then();
    }

    /** Deletes the row of a page if expired. Call within a transaction. */
    Mono<Void> removeExpired(TenantId tenant, PageUrl url) {
        return previews.deleteExpired(tenant, url)
                .flatMap(deleted -> media.remove(deleted.pictures()))
                .then();
    }

    private Mono<Integer> portion(Supplier<Mono<Deletion>> deletion) {
        return Mono.defer(deletion)
                .delayUntil(deleted -> media.remove(deleted.pictures()))
                .map(Deletion::rows)
                .as(tx::transactional);
    }
}
