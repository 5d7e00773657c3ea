// SPDX-License-Identifier: Apache-2.0
package rookery.room.delayed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;
import rookery.platform.instance.OwnShards;
import rookery.room.table.DelayedEvents.Finish;
import rookery.room.table.WorkQueue;

/**
 * Sends the events that are due. The events of a room are sent one after the other, and the next one only after the commit of the one
 * before, by whichever instance. A row is finished in the transaction of its entry, so neither a crash nor a second instance sends an
 * event twice; the division of the shards among the instances only saves work.
 */
@Component
class DelayedEventWorker {
    private static final Logger log = LoggerFactory.getLogger(DelayedEventWorker.class);
    private static final int AT_ONCE = 32;

    private final ScheduledEvents events;
    private final DelayedEventSender sender;
    private final OwnShards shards;
    private final DelayedEventProperties properties;

    DelayedEventWorker(
            ScheduledEvents events, DelayedEventSender sender, OwnShards shards, DelayedEventProperties properties) {
        this.events = events;
        this.sender = sender;
        this.shards = shards;
        this.properties = properties;
    }

    @Scheduled(initialDelayString = "PT0.5S", fixedDelayString = "${rookery.room.delayed-event.interval:PT0.5S}")
    Mono<Void> work() {
        return Mono.defer(() -> allDue(new HashSet<>()))
                .onErrorResume(WorkQueue.logged(log, "reading due events failed, next attempt follows"));
    }

    /** @param failed rooms in which sending failed, which are left for the next run */
    private Mono<Void> allDue(Set<RoomId> failed) {
        return Mono.defer(() -> events.due(shards.get(), failed, AT_ONCE))
                .flatMap(due -> sendAll(due, failed).thenReturn(due.size()))
                .repeat()
                .takeWhile(number -> number > 0)
                .then();
    }

    private Mono<Void> sendAll(List<ScheduledEvent> due, Set<RoomId> failed) {
        Map<RoomId, List<ScheduledEvent>> byRoom = new LinkedHashMap<>();
        due.forEach(event ->
                byRoom.computeIfAbsent(event.room(), _ -> new ArrayList<>()).add(event));
        return Flux.fromIterable(byRoom.entrySet())
                .flatMap(room -> sendInOrder(room.getValue()).onErrorResume(failure -> {
                    failed.add(room.getKey());
                    log.atWarn()
                            .addKeyValue("room", room.getKey().value())
                            .addKeyValue("cause", failure.toString())
                            .log("sending delayed events of a room failed, next attempt follows");
                    return Mono.empty();
                }))
                .then();
    }

    private Mono<Void> sendInOrder(List<ScheduledEvent> ofRoom) {
        return Flux.fromIterable(ofRoom).concatMap(this::send).then();
    }

    private Mono<Void> send(ScheduledEvent event) {
        return sender.send(event)
                .then()
                .onErrorResume(
                        ApiException.class,
                        refusal -> refusal.status < 500
                                ? events.refuse(event, Finish.refused(refusal))
                                : Mono.error(refusal));
    }

    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1H")
    Mono<Void> sweep() {
        return Mono.defer(() -> events.expire(properties.keepFinishedFor()))
                .repeat()
                .takeWhile(rows -> rows > 0)
                .then()
                .onErrorResume(WorkQueue.logged(log, "finished delayed events stay until the next run"));
    }
}
