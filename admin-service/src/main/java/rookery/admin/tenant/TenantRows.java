// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.platform.sql.RequiredColumn;
import rookery.platform.tenant.RegisteredTenant;
import rookery.platform.tenant.RegisteredTenant.State;
import rookery.platform.tenant.TenantList;
import rookery.platform.tenant.TenantSettings;
import tools.jackson.databind.json.JsonMapper;

/** The tables of the registry. Every change begins with {@link #nextVersion}, which serializes the changes. */
@Component
class TenantRows {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String ALL = """
            SELECT r.version, t.tenant, t.server_name, t.state, t.settings, t.imported,
                   (SELECT array_agg(h.host ORDER BY h.host) FROM admin.tenant_host h WHERE h.tenant = t.tenant) AS hosts
              FROM admin.registry r LEFT JOIN admin.tenant t ON true
             ORDER BY t.tenant
            """;

    private static final String VERSION = "SELECT version FROM admin.registry";

    private static final String NEXT_VERSION = "UPDATE admin.registry SET version = version + 1 RETURNING version";

    private static final String CREATION_KEY =
            "SELECT coalesce(creation_key, '') AS key FROM admin.tenant WHERE server_name = :name";

    private static final String NEXT_NUMBER = """
            SELECT coalesce(max(tenant), 0) + 1 AS number FROM admin.tenant_name
            """;

    private static final String BIND = """
            INSERT INTO admin.tenant_name (tenant, server_name) VALUES (:tenant, :name)
            ON CONFLICT DO NOTHING
            """;

    private static final String INSERT = """
            INSERT INTO admin.tenant (tenant, server_name, state, settings, created_ms, creation_key, imported)
            VALUES (:tenant, :name, :state, :settings, :now, :key, :state = 'importing')
            """;

    private static final String ADD_HOST = """
            INSERT INTO admin.tenant_host (host, tenant) VALUES (:host, :tenant)
            ON CONFLICT (host) DO UPDATE SET tenant = excluded.tenant WHERE tenant_host.tenant = excluded.tenant
            """;

    private static final String REMOVE_HOST = "DELETE FROM admin.tenant_host WHERE host = :host AND tenant = :tenant";

    private static final String SETTINGS = "SELECT settings FROM admin.tenant WHERE tenant = :tenant";

    private static final String SET_STATE = """
            UPDATE admin.tenant SET state = :state WHERE tenant = :tenant AND state = ANY (:before)
            """;

    private static final String IMPORTED = "SELECT server_name FROM admin.tenant WHERE state = 'importing' LIMIT 1";

    private static final String REMOVE_HOSTS = "DELETE FROM admin.tenant_host WHERE tenant = :tenant";

    private static final String SET_SETTINGS = "UPDATE admin.tenant SET settings = :settings WHERE tenant = :tenant";

    private final DatabaseClient db;
    private final Clock clock;

    TenantRows(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    Mono<TenantList> all() {
        return db.sql(ALL).map(TenantRows::row).all().collectList().map(rows -> {
            var tenants = new ArrayList<RegisteredTenant>();
            rows.forEach(row -> tenants.addAll(row.tenant));
            return new TenantList(rows.getFirst().version, tenants);
        });
    }

    /** @param tenant empty in a registry without tenants */
    private record VersionedRow(long version, Collection<RegisteredTenant> tenant) {}

    private static VersionedRow row(Readable row) {
        long version = RequiredColumn.of(row, "version", Long.class);
        var number = row.get("tenant", Integer.class);
        if (number == null) {
            return new VersionedRow(version, List.of());
        }
        var hosts = row.get("hosts", String[].class);
        var tenant = new RegisteredTenant(
                number,
                RequiredColumn.of(row, "server_name", String.class),
                hosts == null ? List.of() : List.of(hosts),
                State.valueOf(RequiredColumn.of(row, "state", String.class).toUpperCase(Locale.ROOT)),
                settingsOf(row),
                RequiredColumn.of(row, "imported", Boolean.class) ? true : null);
        return new VersionedRow(version, List.of(tenant));
    }

    Mono<Long> version() {
        return number(VERSION, "version");
    }

    /** Locks the registry until the end of the transaction. */
    Mono<Long> nextVersion() {
        return number(NEXT_VERSION, "version");
    }

    /** A number that no tenant has ever had. */
    Mono<Integer> nextNumber() {
        return number(NEXT_NUMBER, "number").map(Long::intValue);
    }

    private Mono<Long> number(String sql, String column) {
        return db.sql(sql)
                .map(row -> RequiredColumn.of(row, column, Number.class).longValue())
                .one();
    }

    /** The Idempotency-Key of the request that created the tenant, or an empty text; empty for an unknown name. */
    Mono<String> creationKey(String serverName) {
        return db.sql(CREATION_KEY)
                .bind("name", serverName)
                .map(row -> RequiredColumn.of(row, "key", String.class))
                .one();
    }

    /** Inserts a tenant with its hosts. False, with a part inserted, for a number, name or host that another tenant has or had. */
    Mono<Boolean> insert(RegisteredTenant tenant, @Nullable String creationKey) {
        var insert = db.sql(INSERT)
                .bind("tenant", tenant.number())
                .bind("name", tenant.serverName())
                .bind("state", tenant.state().word())
                .bind("settings", JSON.writeValueAsString(tenant.settings()))
                .bind("now", clock.millis());
        var inserted = creationKey == null ? insert.bindNull("key", String.class) : insert.bind("key", creationKey);
        return inserted.then()
                .thenMany(Flux.fromIterable(tenant.hosts()))
                .concatMap(host -> addHost(tenant.number(), host))
                .reduce(true, Boolean::logicalAnd);
    }

    /** Binds a number and a name for ever; false if either is bound to another one. */
    Mono<Boolean> bind(int number, String serverName) {
        return db.sql(BIND)
                .bind("tenant", number)
                .bind("name", serverName)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** False for a host of another tenant. */
    Mono<Boolean> addHost(int tenant, String host) {
        return db.sql(ADD_HOST)
                .bind("host", host)
                .bind("tenant", tenant)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    Mono<Boolean> removeHost(int tenant, String host) {
        return db.sql(REMOVE_HOST)
                .bind("host", host)
                .bind("tenant", tenant)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    Mono<TenantSettings> settings(int tenant) {
        return db.sql(SETTINGS)
                .bind("tenant", tenant)
                .map(TenantRows::settingsOf)
                .one();
    }

    private static TenantSettings settingsOf(Readable row) {
        return JSON.readValue(RequiredColumn.of(row, "settings", String.class), TenantSettings.class);
    }

    /** False if the tenant is in none of the states before. */
    Mono<Boolean> setState(int tenant, State state, Set<State> before) {
        return db.sql(SET_STATE)
                .bind("state", state.word())
                .bind("tenant", tenant)
                .bind("before", before.stream().map(State::word).toArray(String[]::new))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** The server name of the tenant that is being imported; empty without one. */
    Mono<String> imported() {
        return db.sql(IMPORTED)
                .map(row -> RequiredColumn.of(row, "server_name", String.class))
                .one();
    }

    Mono<Void> removeHosts(int tenant) {
        return db.sql(REMOVE_HOSTS).bind("tenant", tenant).then();
    }

    Mono<Void> setSettings(int tenant, TenantSettings settings) {
        return db.sql(SET_SETTINGS)
                .bind("settings", JSON.writeValueAsString(settings))
                .bind("tenant", tenant)
                .then();
    }
}
