// SPDX-License-Identifier: Apache-2.0
package rookery.auth.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;

/** Counts over the accounts and devices of a tenant. */
@Component
class Counts {
    private static final String COUNT = """
            SELECT count(*) AS total,
                   count(*) FILTER (WHERE NOT a.deactivated AND NOT a.blocked) AS active,
                   count(*) FILTER (WHERE a.deactivated) AS deactivated,
                   count(*) FILTER (WHERE a.blocked AND NOT a.deactivated) AS blocked,
                   count(*) FILTER (WHERE d.seen > :day) AS active_24h,
                   count(*) FILTER (WHERE d.seen > :month) AS active_30d,
                   coalesce(sum(d.devices), 0)::bigint AS devices
              FROM auth.account a
              LEFT JOIN (SELECT user_id, count(*) AS devices, max(last_seen_at) AS seen
                           FROM auth.device WHERE tenant = :tenant GROUP BY user_id) d USING (user_id)
             WHERE a.tenant = :tenant
            """;

    private final DatabaseClient db;
    private final Clock clock;

    Counts(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    Mono<AccountCounts> of(TenantId tenant) {
        var now = clock.instant();
        return db.sql(COUNT)
                .bind("tenant", tenant)
                .bind("day", now.minus(Duration.ofDays(1)))
                .bind("month", now.minus(Duration.ofDays(30)))
                .map(Counts::counted)
                .one();
    }

    /** Users by state, recently active users, and devices. */
    record AccountCounts(Users users, Devices devices) {}

    record Users(
            long total,
            long active,
            long deactivated,
            long blocked,
            @JsonProperty("active_24h") long active24h,
            @JsonProperty("active_30d") long active30d) {}

    record Devices(long total) {}

    private static AccountCounts counted(Readable row) {
        return new AccountCounts(
                new Users(
                        RequiredColumn.of(row, "total", Long.class),
                        RequiredColumn.of(row, "active", Long.class),
                        RequiredColumn.of(row, "deactivated", Long.class),
                        RequiredColumn.of(row, "blocked", Long.class),
                        RequiredColumn.of(row, "active_24h", Long.class),
                        RequiredColumn.of(row, "active_30d", Long.class)),
                new Devices(RequiredColumn.of(row, "devices", Long.class)));
    }
}
