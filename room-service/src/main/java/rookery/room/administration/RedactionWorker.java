// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.EventTypes;
import rookery.model.id.EventId;
import rookery.room.administration.RedactionJobs.RoomJob;
import rookery.room.administration.RedactionJobs.Slice;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfRetraction;
import rookery.room.event.ContentCheck;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.WorkQueue;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Redacts the messages of users room by room, the newest first. A slice of messages is redacted before its position is stored, so a
 * crash repeats a slice; redacted events are skipped, so nothing is redacted twice.
 */
@Component
class RedactionWorker {
    private static final Logger log = LoggerFactory.getLogger(RedactionWorker.class);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(2);
    private static final int SLICE = 100;
    /** Redactions that share a commit. */
    private static final int AT_ONCE = 20;

    private final RedactionJobs jobs;
    private final RoomLog roomLog;
    private final RandomGenerator random;

    RedactionWorker(RedactionJobs jobs, RoomLog roomLog, RandomGenerator random) {
        this.jobs = jobs;
        this.roomLog = roomLog;
        this.random = random;
    }

    /** One slice: until its end no other scheduled method of the process runs, and delayed events must not wait for a whole job. */
    @Scheduled(initialDelayString = "PT0.5S", fixedDelayString = "PT0.2S")
    Mono<Void> work() {
        return Mono.defer(() -> jobs.claim(LEASE, 1))
                .flatMapIterable(rooms -> rooms)
                .concatMap(this::worked)
                .then()
                .onErrorResume(WorkQueue.logged(log, "claiming a redaction failed, next attempt follows"));
    }

    private Mono<Void> worked(RoomJob job) {
        var work = job.left() < 1 ? jobs.finish(job) : jobs.next(job, SLICE).flatMap(slice -> redacted(job, slice));
        return work.onErrorResume(failure -> {
            log.atWarn()
                    .addKeyValue("room", job.room().room().value())
                    .addKeyValue("cause", failure.toString())
                    .log("redacting the messages of a user failed, next attempt follows");
            return jobs.postpone(job, TRY_AGAIN);
        });
    }

    private Mono<Void> redacted(RoomJob job, Slice slice) {
        var reached = slice.reached();
        if (reached == null) {
            return jobs.finish(job);
        }
        var failures = new ConcurrentHashMap<>(job.failures());
        return Flux.fromIterable(slice.messages())
                .flatMap(event -> redacted(job, event, failures), AT_ONCE)
                .then(Mono.defer(
                        () -> jobs.advance(job, reached, slice.messages().size(), failures)));
    }

    /** A refusal is recorded for the event; other failures end the slice, which is repeated. */
    private Mono<Void> redacted(RoomJob job, EventId event, Map<String, String> failures) {
        return Mono.defer(() -> roomLog.append(draft(job, event)))
                .then()
                .onErrorResume(RedactionWorker::isRefusal, refusal -> {
                    failures.put(event.value(), String.valueOf(refusal.getMessage()));
                    return Mono.empty();
                });
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ApiException refusal
                && (refusal.code == ErrorCode.M_NOT_FOUND
                        || refusal.code == ErrorCode.M_FORBIDDEN
                        || refusal.code == ErrorCode.M_TOO_LARGE);
    }

    private OfRetraction draft(RoomJob job, EventId event) {
        var content = JsonNodeFactory.instance.objectNode().put("redacts", event.value());
        if (job.reason() != null) {
            content.put("reason", job.reason());
        }
        var id = EventLine.newId(random);
        var text = ContentCheck.checked(id, job.room(), EventTypes.REDACTION, null, job.by(), content);
        return new OfRetraction(job.room(), job.by(), event, id, content, text);
    }
}
