// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.token.TokenOwner;
import rookery.platform.sql.RequiredColumn;

/**
 * The table {@code sync.connection}: states of connections by number. An answer that changes the state writes a new one, which
 * belongs to the answer's {@code pos}. The state before stays until a request comes with the newer {@code pos}: until then the client
 * may not have the answer, and repeats the request with the older one.
 */
@Component
public class Connections {
    /** States of answers to the same request, of which the client has received at most one. */
    private static final int SIBLINGS_MAX = 4;

    private static final int OF_DEVICE_MAX = 10;
    private static final long NUMBERS = 1L << 48;
    private static final Duration KEPT_FOR = Duration.ofDays(30);
    private static final Duration TOUCHED_AFTER = Duration.ofDays(1);

    private static final String OWN = """
             tenant = :tenant AND user_id = :user AND device_id = :device AND conn_id = :conn
            """;

    private static final String FIND = """
            SELECT state, used_ms FROM sync.connection WHERE OWN AND number = :number
            """.replace("OWN", OWN);

    private static final String TOUCH = """
            UPDATE sync.connection SET used_ms = :now WHERE OWN AND number = :number
            """.replace("OWN", OWN);

    private static final String WRITE = """
            WITH others AS (
              DELETE FROM sync.connection c
               WHERE tenant = :tenant AND user_id = :user AND device_id = :device AND conn_id <> :conn
                 AND :base = 0
                 AND conn_id NOT IN (SELECT o.conn_id FROM sync.connection o
                                      WHERE o.tenant = :tenant AND o.user_id = :user AND o.device_id = :device
                                        AND o.conn_id <> :conn
                                      GROUP BY o.conn_id ORDER BY max(o.used_ms) DESC LIMIT :others)
            ), older AS (
              DELETE FROM sync.connection
               WHERE OWN AND number <> :base
                 AND number NOT IN (SELECT number FROM sync.connection
                                     WHERE OWN AND base = :base ORDER BY used_ms DESC LIMIT :siblings)
            )
            INSERT INTO sync.connection (tenant, user_id, device_id, conn_id, number, base, state, used_ms)
            VALUES (:tenant, :user, :device, :conn, :number, :base, :state, :now)
            """.replace("OWN", OWN);

    private static final String DELETE_ALL = "DELETE FROM sync.connection WHERE tenant = :tenant AND user_id = :user";

    private static final String DELETE_OLD = "DELETE FROM sync.connection WHERE used_ms < :before";

    private final DatabaseClient db;
    private final Clock clock;
    private final RandomGenerator random;

    Connections(DatabaseClient db, Clock clock, RandomGenerator random) {
        this.db = db;
        this.clock = clock;
        this.random = random;
    }

    /**
     * A state of a connection, as in the table.
     *
     * @param number in tokens; 0 before the first answer
     */
    public record StoredState(long number, ConnectionState state) {
        static final StoredState NONE = new StoredState(0, ConnectionState.EMPTY);
    }

    /** The state with this number; M_UNKNOWN_POS if the client has to begin anew. */
    Mono<StoredState> find(ConnectionKey key, long number) {
        return bound(FIND, key)
                .bind("number", number)
                .map(row -> new FoundState(state(row), RequiredColumn.of(row, "used_ms", Long.class)))
                .one()
                .cache() // completes even if the client disconnects: cancelling a query can spoil its connection
                .delayUntil(found -> touched(key, number, found.usedMs))
                .mapNotNull(found -> found.state)
                .map(state -> new StoredState(number, state))
                .switchIfEmpty(Mono.error(Connections::unknownPos));
    }

    private record FoundState(@Nullable ConnectionState state, long usedMs) {}

    private static @Nullable ConnectionState state(Readable row) {
        return ConnectionBytes.read(RequiredColumn.of(row, "state", byte[].class));
    }

    private Mono<Void> touched(ConnectionKey key, long number, long usedMs) {
        long now = clock.millis();
        return now - usedMs < TOUCHED_AFTER.toMillis()
                ? Mono.empty()
                : bound(TOUCH, key)
                        .bind("number", number)
                        .bind("now", now)
                        .then()
                        .cache();
    }

    static ApiException unknownPos() {
        return new ApiException(
                ErrorCode.M_UNKNOWN_POS, "this connection cannot be continued, begin a new one without pos");
    }

    /** Writes the state of an answer to a request with the state {@code base}, and returns the new state's number. */
    Mono<StoredState> write(ConnectionKey key, StoredState base, ConnectionState state) {
        return Mono.defer(() -> {
            long number = random.nextLong(1, NUMBERS);
            return bound(WRITE, key)
                    .bind("base", base.number)
                    .bind("number", number)
                    .bind("state", ConnectionBytes.write(state))
                    .bind("now", clock.millis())
                    .bind("siblings", SIBLINGS_MAX - 1)
                    .bind("others", OF_DEVICE_MAX - 1)
                    .then()
                    .cache()
                    .thenReturn(new StoredState(number, state));
        });
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, ConnectionKey key) {
        return db.sql(sql)
                .bind("tenant", key.user().tenant())
                .bind("user", key.user().user())
                .bind("device", key.device().value())
                .bind("conn", key.name());
    }

    /** Deletes the connections of a deactivated user. */
    public Mono<Void> deleteAll(TokenOwner owner) {
        return db.sql(DELETE_ALL)
                .bind("tenant", owner.tenant())
                .bind("user", owner.user())
                .then();
    }

    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1H")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD)
                        .bind("before", clock.millis() - KEPT_FOR.toMillis())
                        .then())
                .onErrorComplete(); // the next round tries again
    }
}
