// SPDX-License-Identifier: Apache-2.0
package rookery.room.purge;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.http.ServiceClient;
import rookery.room.purge.PurgeQueue.PurgedRoom;
import rookery.room.table.PurgeProperties;
import rookery.room.table.WorkQueue;
import tools.jackson.databind.JsonNode;

/**
 * Deletes the rows of purged rooms here and at other services, until none are left. Each portion is a transaction of its own and
 * repeatable, so a crash between two portions loses no work. Directory-service learns of the purge from the log.
 */
@Component
class PurgeWorker {
    private static final Logger log = LoggerFactory.getLogger(PurgeWorker.class);
    private static final List<String> OWNERS = List.of("push-service", "auth-service");
    private static final Duration TRY_AGAIN = Duration.ofSeconds(2);
    private static final Duration SLICE = Duration.ofSeconds(1);

    private final PurgeQueue queue;
    private final PurgedRows rows;
    private final ServiceClient services;
    private final PurgeProperties properties;

    PurgeWorker(PurgeQueue queue, PurgedRows rows, ServiceClient services, PurgeProperties properties) {
        this.queue = queue;
        this.rows = rows;
        this.services = services.waiting(properties.lease());
        this.properties = properties;
    }

    @Scheduled(initialDelayString = "PT0.5S", fixedDelayString = "${rookery.room.purge.interval:PT0.5S}")
    Mono<Void> work() {
        return Mono.defer(() -> queue.claim(properties.lease(), 1))
                .flatMapIterable(rooms -> rooms)
                .concatMap(this::removed)
                .then()
                .onErrorResume(WorkQueue.logged(log, "claiming a purged room failed, next attempt follows"));
    }

    /** Deletes portions for a while: until its end no other scheduled method of the process runs, and delayed events wait. */
    private Mono<Void> removed(PurgedRoom room) {
        long endNanos = System.nanoTime() + SLICE.toNanos();
        return rows.count(room)
                .onErrorResume(_ -> rows.setUncounted(
                        room)) // a room too large to be counted in time is deleted without its progress
                .thenMany(Mono.defer(() -> rows.portion(room)).repeat())
                .takeUntil(count -> count == 0 || System.nanoTime() > endNanos)
                .last()
                .flatMap(count -> count == 0 ? removedElsewhere(room) : queue.postpone(room, Duration.ZERO))
                .onErrorResume(failure -> {
                    log.atWarn()
                            .addKeyValue("room", room.room().value())
                            .addKeyValue("cause", failure.toString())
                            .log("deleting a purged room failed, next attempt follows");
                    return queue.postpone(room, TRY_AGAIN);
                });
    }

    private Mono<Void> removedElsewhere(PurgedRoom room) {
        return Flux.fromIterable(OWNERS)
                .concatMap(owner -> purgeAt(owner, room))
                .then(Mono.defer(() -> queue.finish(room)))
                .doOnSuccess(_ -> log.atInfo()
                        .addKeyValue("tenant", room.tenant().value())
                        .addKeyValue("room", room.room().value())
                        .log("purged room deleted"));
    }

    private Mono<JsonNode> purgeAt(String owner, PurgedRoom room) {
        return services.post(owner, room.room().value(), "/internal/rooms/purge", room, JsonNode.class);
    }
}
