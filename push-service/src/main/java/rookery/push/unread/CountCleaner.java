// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import java.time.Clock;
import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.push.count.BatchBarrier;
import rookery.push.count.Cohorts;

/** Deletes, at an interval, exceptions that are neither listed nor unread, and cohorts without members. */
@Component
class CountCleaner {
    /** Unread exceptions stay regardless of age, because they count. */
    private static final String CLEAN_EXCEPTIONS = """
            DELETE FROM push.exception
             WHERE ctid = ANY (ARRAY(
                   SELECT e.ctid FROM push.exception e
                    WHERE e.ts < :since AND (NOT e.highlight OR e.ts < :highlightsSince)
                      AND EXISTS (SELECT 1 FROM push.read_position r
                                   WHERE r.tenant = e.tenant AND r.user_id = e.user_id AND r.room_id = e.room_id
                                     AND r.thread IN ('', e.thread) AND r.pos >= e.pos)
                    ORDER BY e.ts LIMIT :most))
            """;

    private static final int MOST = 5_000;

    private final DatabaseClient db;
    private final Cohorts cohorts;
    private final BatchBarrier barrier;
    private final CountProperties properties;
    private final TransactionalOperator tx;
    private final Clock clock;

    CountCleaner(
            DatabaseClient db,
            Cohorts cohorts,
            BatchBarrier barrier,
            CountProperties properties,
            TransactionalOperator tx,
            Clock clock) {
        this.db = db;
        this.cohorts = cohorts;
        this.barrier = barrier;
        this.properties = properties;
        this.tx = tx;
        this.clock = clock;
    }

    @Scheduled(
            fixedDelayString = "${rookery.push.count.cleaning-interval}",
            initialDelayString = "${rookery.push.count.cleaning-interval}")
    Mono<Void> clean() {
        return Mono.defer(() -> exceptions().then(unusedCohorts()));
    }

    private Mono<Void> exceptions() {
        return Mono.defer(() -> db.sql(CLEAN_EXCEPTIONS)
                        .bind("since", ago(properties.keepFor()))
                        .bind("highlightsSince", ago(properties.keepHighlightsFor()))
                        .bind("most", MOST)
                        .fetch()
                        .rowsUpdated())
                .repeat()
                .takeUntil(deleted -> deleted < MOST)
                .then();
    }

    private Mono<Void> unusedCohorts() {
        return barrier.begin().then(cohorts.clean()).as(tx::transactional).then();
    }

    private long ago(Duration age) {
        return clock.instant().minus(age).toEpochMilli();
    }
}
