// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.platform.sql.RequiredColumn;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tenants in the schema of one service: the table {@code tenant_name}, of which no row is ever updated or deleted, and
 * {@code tenant_copy} with the last version of the registry.
 */
public final class TenantNames {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String COPY = "SELECT tenants FROM SCHEMA.tenant_copy";

    /** Of several instances the last one wins, which may have an older version: each instance repeats what it reads later. */
    private static final String STORE = """
            INSERT INTO SCHEMA.tenant_copy (id, tenants) VALUES (1, :tenants)
            ON CONFLICT (id) DO UPDATE SET tenants = excluded.tenants
            """;

    private static final String ALL = """
            SELECT tenant, coalesce(server_name, '') AS server_name FROM SCHEMA.tenant_name
            """;

    /** Allows concurrent reads and blocks concurrent writes: the second of two configurations is compared with the first. */
    private static final String LOCK = "LOCK TABLE SCHEMA.tenant_name IN SHARE ROW EXCLUSIVE MODE";

    private static final String ADD = """
            INSERT INTO SCHEMA.tenant_name (tenant, server_name) SELECT * FROM unnest(:numbers::int[], :names::text[])
            """;

    private final DatabaseClient db;
    private final TransactionalOperator tx;
    private final String service;
    private final String schema;

    /**
     * The tables of a service.
     *
     * @param service such as {@code room-service}, whose schema is {@code room}
     */
    public TenantNames(DatabaseClient db, String service) {
        this.db = db;
        this.tx = TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory()));
        this.service = service;
        this.schema = service.replace("-service", "");
    }

    /** Inserts the new tenants, all or none; an error if a tenant contradicts the table. */
    Mono<TenantRegister> bound(Collection<Tenant> configured) {
        return register()
                .flatMap(register ->
                        register.missing(configured, service).isEmpty() ? Mono.just(register) : completed(configured));
    }

    /** Stores a version of the registry, and the numbers and names that are new. An error if a tenant contradicts the table. */
    public Mono<Void> store(TenantList list) {
        var tenants = new TenantIndex(list.tenants()).all();
        return bound(tenants)
                .then(Mono.defer(() -> db.sql(sql(STORE))
                        .bind("tenants", JSON.writeValueAsString(list))
                        .then()));
    }

    /** The stored version of the registry; empty before the first. */
    Mono<TenantList> copy() {
        return db.sql(sql(COPY))
                .map(row -> JSON.readValue(RequiredColumn.of(row, "tenants", String.class), TenantList.class))
                .one();
    }

    private Mono<TenantRegister> completed(Collection<Tenant> configured) {
        return db.sql(sql(LOCK))
                .then()
                .then(Mono.defer(this::register))
                .flatMap(register -> added(register.missing(configured, service)))
                .then(Mono.defer(this::register))
                .as(tx::transactional);
    }

    private Mono<Void> added(List<Tenant> tenants) {
        return db.sql(sql(ADD))
                .bind(
                        "numbers",
                        tenants.stream().map(tenant -> tenant.id().value()).toArray(Integer[]::new))
                .bind(
                        "names",
                        tenants.stream()
                                .map(tenant -> tenant.serverName().value())
                                .toArray(String[]::new))
                .then();
    }

    private Mono<TenantRegister> register() {
        return db.sql(sql(ALL))
                .map(TenantNames::row)
                .all()
                .collectList()
                .map(rows -> TenantRegister.of(rows.stream().collect(Collectors.toMap(Row::tenant, Row::serverName))));
    }

    private record Row(int tenant, String serverName) {}

    private static Row row(Readable row) {
        return new Row(
                RequiredColumn.of(row, "tenant", Integer.class), RequiredColumn.of(row, "server_name", String.class));
    }

    private String sql(String text) {
        return text.replace("SCHEMA", schema);
    }
}
