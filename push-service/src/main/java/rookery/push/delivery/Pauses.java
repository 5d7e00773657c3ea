// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The table of users whose pushes are paused. Events during a pause are never pushed (contract.md 14). */
@Component
public class Pauses {
    private static final String PAUSE = """
            INSERT INTO push.pause (tenant, user_id, resumed_at)
            VALUES (:tenant, :user, NULL)
                ON CONFLICT (tenant, user_id) DO UPDATE SET resumed_at = NULL
            """;

    private static final String RESUME = """
            UPDATE push.pause SET resumed_at = :now WHERE tenant = :tenant AND user_id = :user AND resumed_at IS NULL
            """;

    private static final String RESUME_ALL = "UPDATE push.pause SET resumed_at = :now WHERE resumed_at IS NULL";

    private static final String FORGET = "DELETE FROM push.pause WHERE tenant = :tenant AND user_id = :user";

    private final DatabaseClient db;
    private final Units units;
    private final Clock clock;

    Pauses(DatabaseClient db, Units units, Clock clock) {
        this.db = db;
        this.units = units;
        this.clock = clock;
    }

    /** Begins or ends a pause; idempotent. Beginning a pause supersedes the user's pending units. */
    public Mono<Void> set(TenantId tenant, UserId user, boolean paused) {
        return paused
                ? db.sql(PAUSE).bind("tenant", tenant).bind("user", user).then().then(units.supersede(tenant, user))
                : db.sql(RESUME)
                        .bind("tenant", tenant)
                        .bind("user", user)
                        .bind("now", clock.instant())
                        .then();
    }

    /** Ends all pauses before the user log is followed anew. */
    public Mono<Void> endAll() {
        return db.sql(RESUME_ALL).bind("now", clock.instant()).then();
    }

    /** Deletes the pause of a deactivated account. */
    public Mono<Void> endOfAccount(TenantId tenant, UserId user) {
        return db.sql(FORGET).bind("tenant", tenant).bind("user", user).then();
    }
}
