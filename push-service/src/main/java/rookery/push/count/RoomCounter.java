// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.topic.RoomLogRecord;
import rookery.platform.log.follow.Derivation.News;
import rookery.push.count.CohortNotifications.NotificationRows;
import rookery.push.count.Evaluation.Outcome;
import rookery.push.delivery.ReadUpTo;

/**
 * Counts a batch of the room log. The number of statements grows by a few for each 1,000 rows and by two for each redaction.
 */
@Component
public class RoomCounter {
    private final MemberUpdater memberUpdater;
    private final Evaluation evaluation;
    private final CohortNotifications notifications;
    private final Exceptions exceptions;
    private final ReadPositions positions;
    private final CountedRows rows;
    private final RoomNames names;
    private final PushTargets targets;
    private final PushSink sink;
    private final CountTables tables;

    RoomCounter(
            MemberUpdater memberUpdater,
            Evaluation evaluation,
            CohortNotifications notifications,
            Exceptions exceptions,
            ReadPositions positions,
            CountedRows rows,
            RoomNames names,
            PushTargets targets,
            PushSink sink,
            CountTables tables) {
        this.memberUpdater = memberUpdater;
        this.evaluation = evaluation;
        this.notifications = notifications;
        this.exceptions = exceptions;
        this.positions = positions;
        this.rows = rows;
        this.names = names;
        this.targets = targets;
        this.sink = sink;
        this.tables = tables;
    }

    /** Runs inside the transaction that moves the log position. */
    public Mono<Void> count(List<News<RoomLogRecord>> news) {
        var batch = Batch.of(news);
        return memberUpdater
                .update(batch)
                .flatMap(shown -> names.change(batch.events).then(evaluation.of(batch, shown)))
                .flatMap(outcome -> written(batch, outcome));
    }

    private Mono<Void> written(Batch batch, Outcome outcome) {
        var readings = batch.readings();
        return rows.write(
                        NotificationRows.of(outcome.notifications, outcome.facts.heads()), outcome.exceptions, readings)
                .flatMap(reads -> pushed(batch, outcome, reads))
                .then(Mono.defer(() -> positions.forget(readings)))
                .then(Mono.defer(() -> redacted(batch.events)));
    }

    private Mono<Void> pushed(Batch batch, Outcome outcome, List<ReadUpTo> reads) {
        var rooms = batch.roomsOfRedacted();
        reads.forEach(read -> rooms.add(new TenantRoom(read.tenant(), read.room())));
        return (rooms.isEmpty() ? Mono.<Void>empty() : sink.lock(rooms))
                .then(Mono.defer(() -> targets.of(outcome)))
                .flatMap(pushes -> pushes.isEmpty() ? Mono.empty() : sink.add(pushes))
                // a user may have read the event of a push of the same batch
                .then(Mono.defer(() -> reads.isEmpty() ? Mono.empty() : sink.read(reads)));
    }

    private Mono<Void> redacted(List<LoggedEvent> events) {
        var positionsOfRedacted = new ArrayList<RoomPosition>();
        var redactions = new ArrayList<Mono<Void>>();
        for (var event : events) {
            var redacts = event.meta().redacts();
            if (redacts != null && redacts.pos() != null) {
                positionsOfRedacted.add(new RoomPosition(event.room(), redacts.pos()));
                redactions.add(sink.redacted(event.room().tenant(), redacts.eventId()));
            }
        }
        return notifications
                .withdraw(positionsOfRedacted)
                .then(exceptions.withdraw(positionsOfRedacted))
                .then(names.withdraw(positionsOfRedacted))
                .thenMany(Flux.concat(redactions))
                .then();
    }

    /** Deletes all counts before the log is followed from its beginning. */
    public Mono<Void> drop() {
        return tables.drop();
    }
}
