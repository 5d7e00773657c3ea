// SPDX-License-Identifier: Apache-2.0
package rookery.auth.device;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The addresses that devices connected from (contract.md 5.2): the newest 20 of each device, for 28 days. */
@Component
public class DeviceConnections {
    /**
     * A deletion of the device locks its row first: afterwards the UPDATE matches no row and nothing is inserted. A nameless
     * device gets the name derived from its User-Agent.
     */
    private static final String SEEN = """
            WITH device AS (UPDATE auth.device
                               SET last_seen_at = :now, last_seen_ip = :ip,
                                   display_name = coalesce(nullif(display_name, :noName), :name, display_name)
                             WHERE tenant = :tenant AND user_id = :user AND device_id = :device
                            RETURNING tenant, user_id, device_id)
            INSERT INTO auth.device_connection (tenant, user_id, device_id, ip, user_agent, last_seen_at)
            SELECT tenant, user_id, device_id, :ip, :agent, :now FROM device
                ON CONFLICT (tenant, user_id, device_id, ip)
                DO UPDATE SET user_agent = excluded.user_agent, last_seen_at = excluded.last_seen_at
            """;

    private static final String TRIM = """
            DELETE FROM auth.device_connection
             WHERE tenant = :tenant AND user_id = :user AND device_id = :device
               AND ip IN (SELECT ip FROM auth.device_connection
                           WHERE tenant = :tenant AND user_id = :user AND device_id = :device
                           ORDER BY last_seen_at DESC, ip OFFSET :most)
            """;

    private static final String OF_USER = """
            SELECT device_id, ip, user_agent, last_seen_at
              FROM auth.device_connection
             WHERE tenant = :tenant AND user_id = :user AND last_seen_at > :oldest
             ORDER BY last_seen_at DESC, ip
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.device_connection WHERE last_seen_at <= :oldest
            """;

    private static final int MOST = 20;
    private static final Duration KEPT = Duration.ofDays(28);

    private final DatabaseClient db;
    private final TransactionalOperator tx;
    private final Clock clock;

    DeviceConnections(DatabaseClient db, TransactionalOperator tx, Clock clock) {
        this.db = db;
        this.tx = tx;
        this.clock = clock;
    }

    /** Records the time and the address of a device's use. */
    public Mono<Void> seen(TenantId tenant, UserId user, DeviceId device, Connection from) {
        var name = DeviceName.ofUserAgent(from.userAgent);
        return db.sql(SEEN)
                .bind("noName", DeviceName.NONE)
                .bind("name", Devices.text(name))
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("device", device)
                .bind("ip", from.ip)
                .bind("agent", from.userAgent)
                .bind("now", clock.instant())
                .then()
                .then(Mono.defer(() -> trimmed(tenant, user, device)))
                .as(tx::transactional);
    }

    /** The connections of each of the user's devices, the newest first. */
    public Mono<Map<DeviceId, List<Sighting>>> of(TenantId tenant, UserId user) {
        return db.sql(OF_USER)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("oldest", clock.instant().minus(KEPT))
                .map(DeviceConnections::seen)
                .all()
                .collect(Collectors.groupingBy(Sighting::device, LinkedHashMap::new, Collectors.toList()));
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() ->
                db.sql(DELETE_OLD).bind("oldest", clock.instant().minus(KEPT)).then());
    }

    private Mono<Void> trimmed(TenantId tenant, UserId user, DeviceId device) {
        return db.sql(TRIM)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("device", device)
                .bind("most", MOST)
                .then();
    }

    /** The address and the User-Agent of a client. */
    public record Connection(String ip, String userAgent) {
        private static final int CHARS_MAX = 256;

        /** Truncates both; drops U+0000 and unpaired surrogates, which PostgreSQL does not store. */
        public static Connection of(String ip, @Nullable String userAgent) {
            return new Connection(storable(ip), userAgent == null ? "" : storable(userAgent));
        }

        private static String storable(String text) {
            return text.codePoints()
                    .filter(c -> c >= ' ' && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE))
                    .limit(CHARS_MAX)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }
    }

    /** The last use of a device from a connection. */
    public record Sighting(DeviceId device, Connection from, Instant at) {}

    private static Sighting seen(Readable row) {
        return new Sighting(
                RequiredColumn.of(row, "device_id", DeviceId.class),
                new Connection(
                        RequiredColumn.of(row, "ip", String.class), RequiredColumn.of(row, "user_agent", String.class)),
                RequiredColumn.of(row, "last_seen_at", Instant.class));
    }
}
