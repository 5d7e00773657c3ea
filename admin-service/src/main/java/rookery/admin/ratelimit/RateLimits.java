// SPDX-License-Identifier: Apache-2.0
package rookery.admin.ratelimit;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.ratelimit.RateLimit;
import rookery.platform.ratelimit.RateLimitProperties;
import rookery.platform.sql.RequiredColumn;

/** The table of rate limits. */
@Component
class RateLimits {
    private static final String FIND = """
            SELECT enabled, max_requests, window_seconds, exempt_ips, per_user, updated_at, updated_by
              FROM admin.rate_limit WHERE tenant = :tenant
            """;

    private static final String ALL = """
            SELECT tenant, enabled, max_requests, window_seconds, exempt_ips, per_user, updated_at FROM admin.rate_limit
            """;

    /** Serializes concurrent changes: the second transaction reads the result of the first. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtext('admin.rate_limit'), :tenant)";

    private static final String PUT = """
            INSERT INTO admin.rate_limit (tenant, enabled, max_requests, window_seconds, exempt_ips, per_user, updated_at, updated_by)
            VALUES (:tenant, :enabled, :requests, :seconds, :exempt, :perUser, :now, :by)
                ON CONFLICT (tenant) DO UPDATE
               SET enabled = excluded.enabled, max_requests = excluded.max_requests,
                   window_seconds = excluded.window_seconds, exempt_ips = excluded.exempt_ips, per_user = excluded.per_user,
                   updated_at = excluded.updated_at, updated_by = excluded.updated_by
            """;

    private final DatabaseClient db;
    private final TransactionalOperator tx;
    private final RateLimitProperties configured;
    private final Clock clock;

    RateLimits(DatabaseClient db, TransactionalOperator tx, RateLimitProperties configured, Clock clock) {
        this.db = db;
        this.tx = tx;
        this.configured = configured;
        this.clock = clock;
    }

    /** The tenant's limit, or the configured limit if the tenant has none. */
    Mono<ShownLimit> find(TenantId tenant) {
        return db.sql(FIND)
                .bind("tenant", tenant)
                .map(RateLimits::shown)
                .one()
                .defaultIfEmpty(ShownLimit.of(configured));
    }

    Mono<ShownLimit> change(TenantId tenant, LimitChange change, UserId by) {
        return db.sql(LOCK)
                .bind("tenant", tenant)
                .then()
                .then(Mono.defer(() -> find(tenant)))
                .map(before -> change.appliedTo(before, clock.millis(), by))
                .flatMap(after -> put(tenant, after).thenReturn(after))
                .as(tx::transactional);
    }

    private Mono<Void> put(TenantId tenant, ShownLimit limit) {
        return db.sql(PUT)
                .bind("tenant", tenant)
                .bind("enabled", limit.enabled())
                .bind("requests", limit.maxRequests())
                .bind("seconds", limit.windowSeconds())
                .bind("exempt", limit.exemptIps().toArray(String[]::new))
                .bind("perUser", limit.perUser())
                .bind("now", Instant.ofEpochMilli(Objects.requireNonNull(limit.updatedAt())))
                .bind("by", Objects.requireNonNull(limit.updatedBy()))
                .then();
    }

    /** The limits of all tenants that have set one. */
    Mono<List<RateLimit>> all() {
        return db.sql(ALL).map(RateLimits::limit).all().collectList();
    }

    private static ShownLimit shown(Readable row) {
        return new ShownLimit(
                RequiredColumn.of(row, "enabled", Boolean.class),
                RequiredColumn.of(row, "max_requests", Integer.class),
                RequiredColumn.of(row, "window_seconds", Integer.class),
                ShownLimit.SCOPE,
                List.of(RequiredColumn.of(row, "exempt_ips", String[].class)),
                RequiredColumn.of(row, "per_user", Boolean.class),
                RequiredColumn.of(row, "updated_at", Instant.class).toEpochMilli(),
                RequiredColumn.of(row, "updated_by", UserId.class));
    }

    private static RateLimit limit(Readable row) {
        return new RateLimit(
                RequiredColumn.of(row, "tenant", TenantId.class),
                RequiredColumn.of(row, "enabled", Boolean.class),
                RequiredColumn.of(row, "max_requests", Integer.class),
                RequiredColumn.of(row, "window_seconds", Integer.class),
                List.of(RequiredColumn.of(row, "exempt_ips", String[].class)),
                RequiredColumn.of(row, "per_user", Boolean.class),
                RequiredColumn.of(row, "updated_at", Instant.class).toEpochMilli());
    }
}
