// SPDX-License-Identifier: Apache-2.0
package rookery.auth.deactivation;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.runtime.DueWork;
import rookery.platform.sql.RequiredColumn;

/** The queue of deactivated users whose rooms are still to be left. */
@Component
class Departures {
    private static final String ADD = """
            INSERT INTO auth.departure AS d (tenant, user_id, erase, created_at, due_at)
            VALUES (:tenant, :user, :erase, :now, :now)
                ON CONFLICT (tenant, user_id)
                DO UPDATE SET erase = d.erase OR excluded.erase, due_at = excluded.due_at, attempts = 0
            """;

    /** A claim is a lease until due_at; then another instance may claim the row. Concurrent claims skip locked rows. */
    private static final String TAKE = """
            UPDATE auth.departure d
               SET due_at = :until, attempts = d.attempts + 1
              FROM (SELECT tenant, user_id FROM auth.departure
                     WHERE due_at <= :now
                     ORDER BY due_at LIMIT :limit
                       FOR UPDATE SKIP LOCKED) AS due
             WHERE d.tenant = due.tenant AND d.user_id = due.user_id
            RETURNING d.tenant, d.user_id, d.erase, d.attempts
            """;

    /** Keeps the row if a later deactivation has reset the attempts or asked to erase. */
    private static final String DONE = """
            DELETE FROM auth.departure
             WHERE tenant = :tenant AND user_id = :user AND erase = :erase AND attempts = :attempts
            """;

    private static final String POSTPONE = """
            UPDATE auth.departure SET due_at = :due
             WHERE tenant = :tenant AND user_id = :user AND attempts = :attempts
            """;

    private final DatabaseClient db;
    private final Clock clock;
    private final DueWork added;

    Departures(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
        this.added = new DueWork(clock);
    }

    /** To be called after the transaction of {@link #add}. */
    void noteAdded() {
        added.note();
    }

    Mono<Void> add(TenantId tenant, UserId user, boolean erase) {
        return db.sql(ADD)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("erase", erase)
                .bind("now", clock.instant())
                .then();
    }

    /** Claims due rows for the duration of the lease. */
    Mono<List<Departure>> take(int limit, Duration lease) {
        return added.look(limit, Mono.defer(() -> takenNow(limit, lease)));
    }

    private Mono<List<Departure>> takenNow(int limit, Duration lease) {
        var now = clock.instant();
        return db.sql(TAKE)
                .bind("now", now)
                .bind("until", now.plus(lease))
                .bind("limit", limit)
                .map(Departures::departure)
                .all()
                .collectList();
    }

    Mono<Void> done(Departure departure) {
        return db.sql(DONE)
                .bind("tenant", departure.tenant)
                .bind("user", departure.user)
                .bind("erase", departure.erase)
                .bind("attempts", departure.attempts)
                .then();
    }

    Mono<Void> postpone(Departure departure, Duration wait) {
        added.note(wait);
        return db.sql(POSTPONE)
                .bind("tenant", departure.tenant)
                .bind("user", departure.user)
                .bind("attempts", departure.attempts)
                .bind("due", clock.instant().plus(wait))
                .then();
    }

    /** @param attempts the number of claims, this one included */
    record Departure(TenantId tenant, UserId user, boolean erase, int attempts) {}

    private static Departure departure(Readable row) {
        return new Departure(
                RequiredColumn.of(row, "tenant", TenantId.class),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "erase", Boolean.class),
                RequiredColumn.of(row, "attempts", Integer.class));
    }
}
