// SPDX-License-Identifier: Apache-2.0
package rookery.auth.lease;

import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.sql.RequiredColumn;

/**
 * The table of leases under which gateways keep sessions in memory (decision 0028). A lease is renewed every second and lasts for
 * four seconds of the database's time; its gateway counts three seconds from before the request. A broken lease is never renewed,
 * so at most four seconds later no session is kept under that lease.
 */
@Component
class GatewayLeases {
    /** An address that was silent gets no lease for a minute, so that one gateway delays few answers. */
    private static final String BEGIN = """
            INSERT INTO auth.gateway_lease (lease_id, address, lease_until)
            SELECT :id, :address, clock_timestamp() + interval '4 s'
             WHERE NOT EXISTS (SELECT 1 FROM auth.gateway_lease
                                WHERE address = :address AND silent_at > clock_timestamp() - interval '60 s')
                ON CONFLICT DO NOTHING
            """;

    /** A lease that was late for half of the time in which {@link #OPEN} finds its row is not renewed. */
    private static final String RENEW = """
            UPDATE auth.gateway_lease SET lease_until = clock_timestamp() + interval '4 s'
             WHERE lease_id = :id AND NOT broken AND lease_until > clock_timestamp() - interval '30 s'
            """;

    /** Leases that ended within the last minute are included: the clock of the database may have been set. */
    private static final String OPEN = """
            SELECT lease_id, address
              FROM auth.gateway_lease
             WHERE silent_at IS NULL AND lease_until > clock_timestamp() - interval '60 s'
            """;

    private static final String BREAK = """
            UPDATE auth.gateway_lease SET broken = true WHERE lease_id = :id
            """;

    private static final String BREAK_ALL = """
            UPDATE auth.gateway_lease SET broken = true WHERE NOT broken
            """;

    private static final String SILENT = """
            UPDATE auth.gateway_lease SET silent_at = clock_timestamp() WHERE lease_id = :id
            """;

    private static final String END = """
            DELETE FROM auth.gateway_lease WHERE lease_id = :id
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.gateway_lease WHERE lease_until < clock_timestamp() - interval '5 min'
            """;

    private final DatabaseClient db;
    private final AtomicBoolean hasBrokenAll = new AtomicBoolean();

    GatewayLeases(DatabaseClient db) {
        this.db = db;
    }

    /** Begins a lease with a new ID; false if the address was silent lately. */
    Mono<Boolean> begin(String id, String address) {
        return db.sql(BEGIN)
                .bind("id", id)
                .bind("address", address)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** False if the lease is broken or unknown. */
    Mono<Boolean> renew(String id) {
        return changed(RENEW, id);
    }

    /** Every lease under which a gateway may keep a session, in a new statement: after the commit of the caller's change. */
    Mono<List<OpenLease>> open() {
        return db.sql(OPEN).map(GatewayLeases::lease).all().collectList();
    }

    /** On completion, the lease is not renewed any more. */
    Mono<Void> breakLease(String id) {
        return changed(BREAK, id).then();
    }

    /** Notes that a broken lease has ended without a confirmation. */
    Mono<Void> noteSilence(String id) {
        return changed(SILENT, id).then();
    }

    Mono<Void> end(String id) {
        return changed(END, id).then();
    }

    /**
     * Deletes old rows. The first run breaks all leases: the process before may have died between the commit of a session's end and
     * the notice to the gateways.
     */
    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> hasBrokenAll.get()
                ? db.sql(DELETE_OLD).then()
                : db.sql(BREAK_ALL).then().doOnSuccess(_ -> hasBrokenAll.set(true)));
    }

    private Mono<Boolean> changed(String sql, String id) {
        return db.sql(sql).bind("id", id).fetch().rowsUpdated().map(rows -> rows == 1);
    }

    private static OpenLease lease(Readable row) {
        return new OpenLease(
                RequiredColumn.of(row, "lease_id", String.class), RequiredColumn.of(row, "address", String.class));
    }

    /** @param address of the gateway, {@code host:port} */
    record OpenLease(String id, String address) {}
}
