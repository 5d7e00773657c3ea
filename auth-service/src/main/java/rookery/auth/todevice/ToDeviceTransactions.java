// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import java.time.Clock;
import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The recipients that each request has reached, for 24 hours (contract.md 2.7): a repetition reaches only the others. */
@Component
class ToDeviceTransactions {
    private static final String IS_DONE = """
            SELECT 1 FROM auth.to_device_transaction
             WHERE tenant = :tenant AND recipient = :recipient AND request = :request
            """;

    private static final String INSERT = """
            INSERT INTO auth.to_device_transaction (tenant, recipient, request, created_at)
            VALUES (:tenant, :recipient, :request, :now)
                ON CONFLICT DO NOTHING
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.to_device_transaction WHERE created_at < :before
            """;

    private static final Duration KEPT = Duration.ofHours(24);
    private static final String EVERYBODY = "";

    private final DatabaseClient db;
    private final Clock clock;

    ToDeviceTransactions(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** True if the request has reached all recipients. */
    Mono<Boolean> isDone(TenantId tenant, byte[] request) {
        return of(IS_DONE, tenant, EVERYBODY, request)
                .mapValue(Integer.class)
                .one()
                .hasElement();
    }

    Mono<Void> done(TenantId tenant, byte[] request) {
        return of(INSERT, tenant, EVERYBODY, request)
                .bind("now", clock.instant())
                .then();
    }

    /** Records, in the transaction of the messages, that the request has reached the recipient; false if it had before. */
    Mono<Boolean> reach(TenantId tenant, UserId recipient, byte[] request) {
        return of(INSERT, tenant, recipient.value(), request)
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() ->
                db.sql(DELETE_OLD).bind("before", clock.instant().minus(KEPT)).then());
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, String recipient, byte[] request) {
        return db.sql(sql).bind("tenant", tenant).bind("recipient", recipient).bind("request", request);
    }
}
