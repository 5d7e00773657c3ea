// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;

/**
 * Deletes ended reservations, files of uploads cut off by a crash, and contents that a crash left without a row. Anything younger
 * than the sweep interval stays, since its row may still be written. Several instances may sweep at once.
 */
@Component
class MediaSweeper {
    private static final Logger log = LoggerFactory.getLogger(MediaSweeper.class);

    private final MediaStore store;
    private final MediaFiles files;
    private final MediaPuts puts;
    private final RoomMediaProperties properties;
    private final Clock clock;

    MediaSweeper(MediaStore store, MediaFiles files, MediaPuts puts, RoomMediaProperties properties, Clock clock) {
        this.store = store;
        this.files = files;
        this.puts = puts;
        this.properties = properties;
        this.clock = clock;
    }

    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "${rookery.room.media.sweep-interval:PT1H}")
    Mono<Void> sweep() {
        return Mono.defer(() -> sweep(clock.instant().minus(properties.sweepInterval())))
                .doOnError(failure -> log.atWarn()
                        .addKeyValue("cause", failure.toString())
                        .log("leftovers of media stay until the next try"))
                .onErrorComplete();
    }

    /** Deletes leftovers from before that instant. */
    Mono<Void> sweep(Instant before) {
        return Flux.concat(
                        inPortions(() -> files.expire(clock.millis())),
                        store.clean(before),
                        store.older(before).concatMap(portion -> orphans(portion.getKey(), portion.getValue(), before)),
                        inPortions(() -> puts.forget(before)))
                .then();
    }

    private static Mono<Void> inPortions(Supplier<Mono<Long>> deletion) {
        return Mono.defer(deletion).repeat().takeWhile(rows -> rows > 0).then();
    }

    private Mono<Void> orphans(TenantId tenant, List<ContentHash> contents, Instant before) {
        return files.unknown(tenant, contents)
                .flatMapIterable(unknown -> unknown)
                .concatMap(hash -> puts.delete(tenant, hash, before, deleted(tenant, hash)))
                .then();
    }

    private Mono<Void> deleted(TenantId tenant, ContentHash hash) {
        return store.delete(tenant, hash)
                .doOnSuccess(
                        _ -> log.atInfo().addKeyValue("file", hash.hex()).log("a file that no row names was removed"));
    }
}
