// SPDX-License-Identifier: Apache-2.0
package rookery.platform.erasure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.instance.OwnInstanceProperties;
import rookery.platform.sql.TenantTables;
import rookery.platform.sql.TenantTables.Table;

/**
 * Deletes all rows of a tenant from the schema of this service: from every table with a column {@code tenant}, which PostgreSQL's
 * catalog names, so that no new table can be forgotten. First the service's files, then the tables, those with references to others
 * first. A portion is one short transaction, and committed portions stay deleted. The caller keeps the cursor, so that another
 * instance can go on after a crash.
 */
@Component
public final class TenantErasure {
    /** The tables of the registry, which keep names and numbers for ever. */
    private static final List<String> KEPT = List.of("tenant_name", "tenant", "tenant_host", "tenant_deletion");

    private static final int ROWS_MAX = 2_000;
    private static final int STATEMENTS_MAX = 20;

    private static final String DELETE = """
            DELETE FROM TABLE WHERE ctid = ANY (ARRAY(SELECT ctid FROM TABLE WHERE tenant = :tenant LIMIT ROWS))
            """;

    /** Reads a range of the table: no index of a log begins with the tenant. */
    private static final String DELETE_IN_BLOCKS = """
            DELETE FROM TABLE WHERE RANGE AND tenant = :tenant
            """;

    private final DatabaseClient db;
    private final String schema;
    private final TenantTables tables;
    private final List<TenantFiles> files;

    TenantErasure(DatabaseClient db, OwnInstanceProperties own, ObjectProvider<TenantFiles> files) {
        this.db = db;
        this.schema = own.service().replace("-service", "");
        this.tables = new TenantTables(db, schema);
        this.files = files.orderedStream().toList();
    }

    /**
     * The result of a portion.
     *
     * @param deleted rows and files
     * @param next the cursor of the next portion; null at the end
     */
    public record Portion(long deleted, @Nullable Cursor next) {}

    /**
     * Where a portion begins.
     *
     * @param table empty before the first one, while files are deleted
     */
    public record Cursor(String table, long block) {
        /** Before the first portion. */
        public static final Cursor START = new Cursor("", 0);
    }

    /** Deletes a portion of the tenant's data. */
    public Mono<Portion> portion(TenantId tenant, Cursor cursor) {
        return cursor.table.isEmpty() ? ofFiles(tenant) : tables().flatMap(tables -> ofTable(tenant, tables, cursor));
    }

    private Mono<Portion> ofFiles(TenantId tenant) {
        return Flux.fromIterable(files)
                .concatMap(each -> each.erase(tenant))
                .reduce(0L, Long::sum)
                .flatMap(deleted -> deleted > 0
                        ? Mono.just(new Portion(deleted, Cursor.START))
                        : tables().map(tables -> new Portion(0, after(tables, -1))));
    }

    private Mono<List<Table>> tables() {
        return tables.all()
                .map(all -> all.stream()
                        .filter(table -> !KEPT.contains(table.name()))
                        .toList());
    }

    private static @Nullable Cursor after(List<Table> tables, int index) {
        return index + 1 < tables.size() ? new Cursor(tables.get(index + 1).name(), 0) : null;
    }

    /** A table may be gone after an upgrade: then the cursor starts again. */
    private Mono<Portion> ofTable(TenantId tenant, List<Table> tables, Cursor cursor) {
        int index = tables.stream().map(Table::name).toList().indexOf(cursor.table);
        if (index < 0) {
            return Mono.just(new Portion(0, after(tables, -1)));
        }
        var table = tables.get(index);
        var next = after(tables, index);
        return table.hasIndex()
                ? byIndex(tenant, table).map(rows -> new Portion(rows, rows == 0 ? next : cursor))
                : byBlocks(tenant, table, cursor, next);
    }

    private Mono<Long> byIndex(TenantId tenant, Table table) {
        var sql = DELETE.replace("TABLE", schema + "." + table.name()).replace("ROWS", Integer.toString(ROWS_MAX));
        return deleted(tenant, sql)
                .repeat(STATEMENTS_MAX - 1)
                .takeUntil(rows -> rows == 0)
                .reduce(0L, Long::sum);
    }

    private Mono<Portion> byBlocks(TenantId tenant, Table table, Cursor cursor, @Nullable Cursor next) {
        var all = table.ranges(cursor.block);
        var some = all.subList(0, Math.min(STATEMENTS_MAX, all.size()));
        var following = all.size() > some.size()
                ? new Cursor(table.name(), all.get(some.size()).first())
                : next;
        return Flux.fromIterable(some)
                .concatMap(range -> deleted(
                        tenant,
                        DELETE_IN_BLOCKS
                                .replace("TABLE", schema + "." + table.name())
                                .replace("RANGE", range.condition())))
                .reduce(0L, Long::sum)
                .map(rows -> new Portion(rows, following));
    }

    private Mono<Long> deleted(TenantId tenant, String sql) {
        return Mono.defer(
                () -> db.sql(sql).bind("tenant", tenant.value()).fetch().rowsUpdated());
    }
}
