// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import java.time.Clock;
import java.util.UUID;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.admin.audit.Audit.OpenRecord;

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

    @Scheduled(fixedDelayString = "${rookery.admin.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD)
                .bind("before", clock.instant().minus(properties.keptFor()))
                .then());
    }
}
