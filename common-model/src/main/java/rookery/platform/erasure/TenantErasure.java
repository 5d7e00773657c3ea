// SPDX-License-Identifier: Apache-2.0
package rookery.platform.erasure;

import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.instance.OwnInstanceProperties;
import rookery.platform.sql.RequiredColumn;

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
    /** 2 MiB of a table. */
    private static final int BLOCKS_MAX = 256;

    private static final int STATEMENTS_MAX = 20;

    private static final String TABLES = """
            WITH RECURSIVE tenant_table AS (
                 SELECT c.oid, c.relname, a.attnum
                   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                  WHERE c.relnamespace = CAST(:schema AS regnamespace) AND c.relkind = 'r'
                    AND a.attname = 'tenant' AND NOT a.attisdropped AND NOT c.relname = ANY (:kept)),
                 reference AS (
                 SELECT oid, 0 AS distance FROM tenant_table
                  UNION
                 SELECT f.confrelid, r.distance + 1
                   FROM reference r
                   JOIN pg_constraint f ON f.conrelid = r.oid AND f.contype = 'f' AND f.confrelid <> f.conrelid)
            SELECT t.relname AS name,
                   EXISTS (SELECT FROM pg_index i
                            WHERE i.indrelid = t.oid AND i.indkey[0] = t.attnum AND i.indpred IS NULL) AS has_index,
                   pg_relation_size(t.oid) / CAST(current_setting('block_size') AS int) AS blocks
              FROM tenant_table t JOIN reference r ON r.oid = t.oid
             GROUP BY t.oid, t.relname, t.attnum
             ORDER BY max(r.distance), t.relname
            """;

    private static final String DELETE = """
            DELETE FROM TABLE WHERE ctid = ANY (ARRAY(SELECT ctid FROM TABLE WHERE tenant = :tenant LIMIT ROWS))
            """;

    /** Reads a range of the table: no index of a log begins with the tenant. */
    private static final String DELETE_IN_BLOCKS = """
            DELETE FROM TABLE WHERE ctid >= '(FROM_BLOCK,0)' AND ctid < '(TO_BLOCK,0)' AND tenant = :tenant
            """;

    private final DatabaseClient db;
    private final String schema;
    private final List<TenantFiles> files;

    TenantErasure(DatabaseClient db, OwnInstanceProperties own, ObjectProvider<TenantFiles> files) {
        this.db = db;
        this.schema = own.service().replace("-service", "");
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

    private record Table(String name, boolean hasIndex, long blocks) {}

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
        return db.sql(TABLES)
                .bind("schema", schema)
                .bind("kept", KEPT.toArray(String[]::new))
                .map(TenantErasure::table)
                .all()
                .collectList();
    }

    private static Table table(Readable row) {
        return new Table(
                RequiredColumn.of(row, "name", String.class),
                RequiredColumn.of(row, "has_index", Boolean.class),
                RequiredColumn.of(row, "blocks", Long.class));
    }

    private static @Nullable Cursor after(List<Table> tables, int index) {
        return index + 1 < tables.size() ? new Cursor(tables.get(index + 1).name, 0) : null;
    }

    /** A table may be gone after an upgrade: then the cursor starts again. */
    private Mono<Portion> ofTable(TenantId tenant, List<Table> tables, Cursor cursor) {
        int index = tables.stream().map(Table::name).toList().indexOf(cursor.table);
        if (index < 0) {
            return Mono.just(new Portion(0, after(tables, -1)));
        }
        var table = tables.get(index);
        var next = after(tables, index);
        return table.hasIndex
                ? byIndex(tenant, table).map(rows -> new Portion(rows, rows == 0 ? next : cursor))
                : byBlocks(tenant, table, cursor, next);
    }

    private Mono<Long> byIndex(TenantId tenant, Table table) {
        var sql = DELETE.replace("TABLE", schema + "." + table.name).replace("ROWS", Integer.toString(ROWS_MAX));
        return deleted(tenant, sql)
                .repeat(STATEMENTS_MAX - 1)
                .takeUntil(rows -> rows == 0)
                .reduce(0L, Long::sum);
    }

    private Mono<Portion> byBlocks(TenantId tenant, Table table, Cursor cursor, @Nullable Cursor next) {
        long end = Math.min(table.blocks, cursor.block + (long) BLOCKS_MAX * STATEMENTS_MAX);
        var statements = LongStream.iterate(cursor.block, from -> from < end, from -> from + BLOCKS_MAX)
                .mapToObj(from -> inBlocks(table, from, Math.min(end, from + BLOCKS_MAX)))
                .toList();
        return Flux.fromIterable(statements)
                .concatMap(sql -> deleted(tenant, sql))
                .reduce(0L, Long::sum)
                .map(rows -> new Portion(rows, end < table.blocks ? new Cursor(table.name, end) : next));
    }

    private String inBlocks(Table table, long from, long to) {
        return DELETE_IN_BLOCKS
                .replace("TABLE", schema + "." + table.name)
                .replace("FROM_BLOCK", Long.toString(from))
                .replace("TO_BLOCK", Long.toString(to));
    }

    private Mono<Long> deleted(TenantId tenant, String sql) {
        return Mono.defer(
                () -> db.sql(sql).bind("tenant", tenant.value()).fetch().rowsUpdated());
    }
}
