// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.stream.LongStream;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * The tables of a schema with a column {@code tenant}, from PostgreSQL's catalog, those with references to others first.
 * Partitions stand for their table.
 */
public final class TenantTables {
    /** 2 MiB of a table: a statement reads them in far less time than a statement may take. */
    private static final int BLOCKS = 256;

    private static final String ALL = """
            WITH RECURSIVE tenant_table AS (
                 SELECT c.oid, c.relname, a.attnum
                   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                  WHERE c.relnamespace = CAST(:schema AS regnamespace) AND c.relkind = 'r'
                    AND a.attname = 'tenant' AND NOT a.attisdropped),
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

    private final DatabaseClient db;
    private final String schema;

    /** @param schema the service's own schema, such as {@code room}; never user input */
    public TenantTables(DatabaseClient db, String schema) {
        this.db = db;
        this.schema = schema;
    }

    /**
     * A table.
     *
     * @param hasIndex whether an index begins with the tenant; otherwise all rows must be read
     * @param blocks the size of the table in blocks of PostgreSQL
     */
    public record Table(String name, boolean hasIndex, long blocks) {
        /** Conditions that divide the rows from a block on, each with its first block, in order. */
        public List<Range> ranges(long from) {
            return LongStream.iterate(from, first -> first < blocks, first -> first + BLOCKS)
                    .mapToObj(first -> new Range(first, Math.min(blocks, first + BLOCKS)))
                    .toList();
        }
    }

    /** A range of blocks of a table. */
    public record Range(long first, long end) {
        /** The condition in SQL. */
        public String condition() {
            return "ctid >= '(%d,0)' AND ctid < '(%d,0)'".formatted(first, end);
        }
    }

    /** The tables as they are now. */
    public Mono<List<Table>> all() {
        return db.sql(ALL).bind("schema", schema).map(TenantTables::table).all().collectList();
    }

    private static Table table(Readable row) {
        return new Table(
                RequiredColumn.of(row, "name", String.class),
                RequiredColumn.of(row, "has_index", Boolean.class),
                RequiredColumn.of(row, "blocks", Long.class));
    }
}
