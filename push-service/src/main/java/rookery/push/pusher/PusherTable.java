// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import io.r2dbc.spi.Readable;
import java.net.URI;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.push.gateway.GatewayUrl;

/** The table of pushers. */
@Component
class PusherTable {
    /**
     * Advisory locks until the transaction ends, taken in one order to prevent deadlocks. A hash collision only causes a
     * longer wait.
     */
    private static final String LOCK = """
            SELECT pg_advisory_xact_lock(number)
              FROM (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest(:names::text[]) AS name ORDER BY 1) AS n
            """;

    private static final String OF_USER = """
            SELECT tenant, user_id, device_id, app_id, pushkey, url, described
              FROM push.pusher
             WHERE tenant = :tenant AND user_id = :user
             ORDER BY id
            """;

    private static final String OTHERS = """
            SELECT user_id FROM push.pusher
             WHERE tenant = :tenant AND app_id = :app AND pushkey = :pushkey AND user_id <> :user
            """;

    private static final String UPSERT = """
            INSERT INTO push.pusher (tenant, user_id, app_id, pushkey, device_id, url, gateway, described, created_at, set_at)
            VALUES (:tenant, :user, :app, :pushkey, :device, :url, :gateway, :described, :now, :now)
                ON CONFLICT (tenant, user_id, app_id, pushkey) DO UPDATE
               SET device_id = excluded.device_id, url = excluded.url, gateway = excluded.gateway,
                   described = excluded.described, set_at = excluded.set_at
            RETURNING xmax = 0 AS is_new
            """;

    private static final String COUNT = "SELECT count(*) FROM push.pusher WHERE tenant = :tenant AND user_id = :user";

    private static final String COUNT_ALL = "SELECT count(*) FROM push.pusher WHERE tenant = :tenant";

    private static final String DELETE_OF = """
            DELETE FROM push.pusher
             WHERE tenant = :tenant AND app_id = :app AND pushkey = :pushkey AND user_id = ANY (:users)
            """;

    private static final String DELETE_KEY = """
            DELETE FROM push.pusher
             WHERE tenant = :tenant AND user_id = :user AND pushkey = :pushkey AND (:app::text IS NULL OR app_id = :app)
            """;

    private static final String DELETE_DEVICE =
            "DELETE FROM push.pusher WHERE tenant = :tenant AND user_id = :user AND device_id = :device";

    private static final String DELETE_ALL = "DELETE FROM push.pusher WHERE tenant = :tenant AND user_id = :user";

    private static final String DELETE =
            "DELETE FROM push.pusher WHERE tenant = :tenant AND user_id = :user AND id = :id";

    private final DatabaseClient db;
    private final Clock clock;

    PusherTable(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Serializes changes of one key until the transaction ends. Must be taken before locks on users. */
    Mono<Void> lockKey(TenantId tenant, PusherKey key) {
        return lock(Stream.of("pusher of %d: %s %s".formatted(tenant.value(), key.appId(), key.pushkey())));
    }

    /** Serializes changes of these users' pushers until the transaction ends. */
    Mono<Void> lockUsers(TenantId tenant, Collection<UserId> users) {
        return lock(users.stream().map(user -> "pushers of %d: %s".formatted(tenant.value(), user.value())));
    }

    private Mono<Void> lock(Stream<String> names) {
        return db.sql(LOCK).bind("names", names.toArray(String[]::new)).then();
    }

    Mono<List<Pusher>> of(TenantId tenant, UserId user) {
        return ofUser(OF_USER, tenant, user).map(PusherTable::pusher).all().collectList();
    }

    /** Other users with the pusher's key. */
    Mono<List<UserId>> others(Pusher pusher) {
        return keyed(ofUser(OTHERS, pusher.tenant(), pusher.user()), pusher.key())
                .map(row -> RequiredColumn.of(row, "user_id", UserId.class))
                .all()
                .collectList();
    }

    /** Whether the pusher is new. */
    Mono<Boolean> upsert(Pusher pusher) {
        return keyed(ofUser(UPSERT, pusher.tenant(), pusher.user()), pusher.key())
                .bind("device", pusher.device())
                .bind("url", pusher.url().toString())
                .bind("gateway", pusher.url().gateway())
                .bind("described", pusher.described())
                .bind("now", clock.instant())
                .map(row -> RequiredColumn.of(row, "is_new", Boolean.class))
                .one();
    }

    Mono<Long> count(TenantId tenant, UserId user) {
        return ofUser(COUNT, tenant, user)
                .map(row -> RequiredColumn.of(row, "count", Long.class))
                .one();
    }

    /** Number of the tenant's pushers. */
    Mono<Long> count(TenantId tenant) {
        return db.sql(COUNT_ALL)
                .bind("tenant", tenant)
                .map(row -> RequiredColumn.of(row, "count", Long.class))
                .one();
    }

    Mono<Long> deleteOf(TenantId tenant, Collection<UserId> users, PusherKey key) {
        return keyed(db.sql(DELETE_OF).bind("tenant", tenant), key)
                .bind("users", users.stream().map(UserId::value).toArray(String[]::new))
                .fetch()
                .rowsUpdated();
    }

    Mono<Long> deleteKey(TenantId tenant, UserId user, String pushkey, @Nullable String appId) {
        var statement = ofUser(DELETE_KEY, tenant, user).bind("pushkey", pushkey);
        return (appId == null ? statement.bindNull("app", String.class) : statement.bind("app", appId))
                .fetch()
                .rowsUpdated();
    }

    Mono<Long> deleteDevice(TenantId tenant, UserId user, DeviceId device) {
        return ofUser(DELETE_DEVICE, tenant, user)
                .bind("device", device)
                .fetch()
                .rowsUpdated();
    }

    Mono<Long> deleteAll(TenantId tenant, UserId user) {
        return ofUser(DELETE_ALL, tenant, user).fetch().rowsUpdated();
    }

    Mono<Long> delete(TenantId tenant, UserId user, long id) {
        return ofUser(DELETE, tenant, user).bind("id", id).fetch().rowsUpdated();
    }

    private GenericExecuteSpec ofUser(String sql, TenantId tenant, UserId user) {
        return db.sql(sql).bind("tenant", tenant).bind("user", user);
    }

    private static GenericExecuteSpec keyed(GenericExecuteSpec statement, PusherKey key) {
        return statement.bind("app", key.appId()).bind("pushkey", key.pushkey());
    }

    private static Pusher pusher(Readable row) {
        return new Pusher(
                RequiredColumn.of(row, "tenant", TenantId.class),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "device_id", DeviceId.class),
                new PusherKey(
                        RequiredColumn.of(row, "app_id", String.class),
                        RequiredColumn.of(row, "pushkey", String.class)),
                new GatewayUrl(URI.create(RequiredColumn.of(row, "url", String.class))),
                RequiredColumn.of(row, "described", String.class));
    }
}
