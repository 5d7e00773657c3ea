// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import java.time.Clock;
import java.util.UUID;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.TenantId;

/** The table of audit records: one row for each action of an administrator. */
@Component
class AuditRecords {
    private static final String INSERT = """
            INSERT INTO admin.audit_record (id, tenant, actor, action, target, ip, request_id, at)
            VALUES (:id, :tenant, :actor, :action, :target, :ip, :request, :now)
            """;

    private static final String CLOSE = """
            UPDATE admin.audit_record SET status = :status WHERE id = :id AND tenant = :tenant
            """;

    private static final String DELETE_OLD = """
            DELETE FROM admin.audit_record WHERE at < :before
            """;

    private final DatabaseClient db;
    private final AuditProperties properties;
    private final Clock clock;

    AuditRecords(DatabaseClient db, AuditProperties properties, Clock clock) {
        this.db = db;
        this.properties = properties;
        this.clock = clock;
    }

    Mono<Void> insert(UUID id, Caller caller, String action, String target) {
        return db.sql(INSERT)
                .bind("id", id)
                .bind("tenant", caller.tenant())
                .bind("actor", caller.user())
                .bind("action", action)
                .bind("target", target)
                .bind("ip", caller.ip())
                .bind("request", caller.requestId())
                .bind("now", clock.instant())
                .then();
    }

    Mono<Void> close(UUID id, TenantId tenant, int status) {
        return db.sql(CLOSE)
                .bind("id", id)
                .bind("tenant", tenant)
                .bind("status", status)
                .then();
    }

    @Scheduled(fixedDelayString = "${rookery.admin.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD)
                .bind("before", clock.instant().minus(properties.keptFor()))
                .then());
    }
}
