// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.sql.RequiredColumn;

/** Ends abandoned units, deletes old rows and measures the queue, for all tenants together. */
@Component
class DeliveryCleaner {
    private static final Logger log = LoggerFactory.getLogger(DeliveryCleaner.class);
    private static final Duration PENDING_MAX = Duration.ofDays(1);
    private static final Duration EVENT_KEPT = Duration.ofDays(2);
    private static final int AT_ONCE = 10_000;
    /** Counting stops here, because a more precise number is not needed and counting takes long. */
    private static final int DEPTH_MAX = 100_000;

    /** Ends units whose last attempt has no recorded outcome, and units that have waited for more than a day. */
    static final String END = """
            UPDATE push.unit SET outcome = 'failed'
             WHERE (outcome <> 'pending') IS FALSE AND due_at <= :now AND (attempts >= :attemptsMax OR created_at < :old)
            """;

    /** No unit is due so far in the future, unless the clock was set back. */
    static final String HASTEN = """
            UPDATE push.unit SET due_at = :latest WHERE (outcome <> 'pending') IS FALSE AND due_at > :latest
            """;

    private static final String DELETE_UNITS = """
            DELETE FROM push.unit
             WHERE id IN (SELECT id FROM push.unit WHERE created_at < :old ORDER BY created_at LIMIT :most)
            """;

    private static final String DELETE_EVENTS = """
            DELETE FROM push.pushed_event
             WHERE (tenant, event_id) IN
                   (SELECT tenant, event_id FROM push.pushed_event WHERE created_at < :old ORDER BY created_at LIMIT :most)
            """;

    private static final String DELETE_DEFERRED = """
            DELETE FROM push.deferred_event
             WHERE (tenant, id) IN
                   (SELECT tenant, id FROM push.deferred_event WHERE created_at < :old ORDER BY created_at LIMIT :most)
            """;

    private static final String DELETE_PAUSES = "DELETE FROM push.pause WHERE resumed_at < :old";

    static final String OLDEST = """
            SELECT least(coalesce(min(due_at), :now), (SELECT min(created_at) FROM push.deferred_event)) AS oldest,
                   (SELECT count(*) FROM (SELECT FROM push.unit WHERE (outcome <> 'pending') IS FALSE LIMIT :most) AS waiting)
                   + (SELECT count(*) FROM (SELECT FROM push.deferred_event LIMIT :most) AS deferred) AS depth
              FROM push.unit WHERE (outcome <> 'pending') IS FALSE
            """;

    private final DatabaseClient db;
    private final Clock clock;
    private final DeliveryProperties properties;
    private final DeliveryMeters meters;

    DeliveryCleaner(DatabaseClient db, Clock clock, DeliveryProperties properties, DeliveryMeters meters) {
        this.db = db;
        this.clock = clock;
        this.properties = properties;
        this.meters = meters;
    }

    @Scheduled(fixedDelayString = "${rookery.push.delivery.cleaning-interval}")
    Mono<Void> clean() {
        return Mono.defer(() -> cleaned(clock.instant())).onErrorResume(failure -> {
            log.atWarn().addKeyValue("cause", failure.toString()).log("old pushes stay until the next try");
            return Mono.empty();
        });
    }

    private Mono<Void> cleaned(Instant now) {
        return ended(now)
                .then(db.sql(HASTEN)
                        .bind("latest", now.plus(UnitQueue.INTERVAL.multipliedBy(2)))
                        .then())
                .then(deleted(DELETE_DEFERRED, now.minus(PENDING_MAX)))
                .then(deleted(DELETE_UNITS, now.minus(properties.keptFor())))
                .then(deleted(DELETE_EVENTS, now.minus(EVENT_KEPT)))
                .then(db.sql(DELETE_PAUSES).bind("old", now.minus(EVENT_KEPT)).then());
    }

    private Mono<Void> ended(Instant now) {
        return db.sql(END)
                .bind("now", now)
                .bind("old", now.minus(PENDING_MAX))
                .bind("attemptsMax", UnitQueue.ATTEMPTS_MAX)
                .then();
    }

    private Mono<Void> deleted(String sql, Instant old) {
        return db.sql(sql).bind("old", old).bind("most", AT_ONCE).then();
    }

    @Scheduled(fixedDelayString = "${rookery.push.delivery.watching-interval}")
    Mono<Void> watch() {
        return Mono.defer(() -> oldest(clock.instant())).onErrorResume(_ -> Mono.empty());
    }

    private Mono<Void> oldest(Instant now) {
        return db.sql(OLDEST)
                .bind("now", now)
                .bind("most", DEPTH_MAX)
                .map(row -> {
                    var oldest = RequiredColumn.of(row, "oldest", Instant.class);
                    meters.overdue(Math.max(0, Duration.between(oldest, now).toMillis()));
                    meters.depth(RequiredColumn.of(row, "depth", Long.class));
                    return true;
                })
                .one()
                .then();
    }
}
