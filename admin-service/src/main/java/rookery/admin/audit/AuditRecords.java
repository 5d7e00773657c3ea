// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import io.r2dbc.spi.Parameter;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.audit.Audit.OpenRecord;
import rookery.platform.sql.RequiredColumn;

/** The table of audit records: one row for each action of an administrator or operator. */
@Component
class AuditRecords {
    private static final String INSERT = """
            INSERT INTO admin.audit_record (id, tenant, actor, action, target, ip, request_id, at)
            VALUES (:id, :tenant, :actor, :action, :target, :ip, :request, :now)
            """;

    private static final String CLOSE = """
            UPDATE admin.audit_record SET status = :status, target = :target WHERE id = :id AND tenant = :tenant
            """;

    private static final String PAGE = """
            SELECT id, (extract(epoch FROM at) * 1000000)::bigint AS micros, actor, action, coalesce(target, '') AS target, ip,
                   request_id, status
              FROM admin.audit_record
             WHERE tenant = :tenant AND (at, id) < (to_timestamp(0) + :micros * interval '1 microsecond', :id)
               AND (:actor::text IS NULL OR actor = :actor) AND (:action::text IS NULL OR action = :action)
               AND (:target::text IS NULL OR target = :target)
             ORDER BY at DESC, id DESC
             LIMIT :limit
            """;

    private static final String DELETE_OLD = """
            DELETE FROM admin.audit_record WHERE at < :before
            """;

    private static final long MICROS = 1_000;

    private final DatabaseClient db;
    private final AuditProperties properties;
    private final Clock clock;

    AuditRecords(DatabaseClient db, AuditProperties properties, Clock clock) {
        this.db = db;
        this.properties = properties;
        this.clock = clock;
    }

    Mono<Void> insert(UUID id, Actor actor, String action, String target) {
        return db.sql(INSERT)
                .bind("id", id)
                .bind("tenant", actor.tenant())
                .bind("actor", actor.name())
                .bind("action", action)
                .bind("target", target)
                .bind("ip", actor.ip())
                .bind("request", actor.requestId())
                .bind("now", clock.instant())
                .then();
    }

    Mono<Void> close(OpenRecord record, int status) {
        return db.sql(CLOSE)
                .bind("id", record.id())
                .bind("tenant", record.tenant())
                .bind("target", record.target())
                .bind("status", status)
                .then();
    }

    /** The records of the filter after the key, the newest first. */
    Flux<AuditRecord> page(AuditFilter filter, AuditKey after, int limit) {
        return db.sql(PAGE)
                .bind("tenant", filter.tenant())
                .bind("micros", after.micros())
                .bind("id", after.id())
                .bind("actor", text(filter.actor()))
                .bind("action", text(filter.action()))
                .bind("target", text(filter.target()))
                .bind("limit", limit)
                .map(AuditRecords::record)
                .all();
    }

    private static Parameter text(@Nullable String value) {
        return Parameters.in(R2dbcType.VARCHAR, value);
    }

    private static AuditRecord record(Readable row) {
        long micros = RequiredColumn.of(row, "micros", Long.class);
        return new AuditRecord(
                RequiredColumn.of(row, "id", UUID.class),
                micros / MICROS,
                RequiredColumn.of(row, "actor", String.class),
                RequiredColumn.of(row, "action", String.class),
                RequiredColumn.of(row, "target", String.class),
                RequiredColumn.of(row, "ip", String.class),
                RequiredColumn.of(row, "request_id", String.class),
                row.get("status", Integer.class),
                micros);
    }

    @Scheduled(fixedDelayString = "${rookery.admin.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD)
                .bind("before", clock.instant().minus(properties.keptFor()))
                .then());
    }
}
