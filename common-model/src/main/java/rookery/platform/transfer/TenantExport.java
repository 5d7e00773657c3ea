// SPDX-License-Identifier: Apache-2.0
package rookery.platform.transfer;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.instance.OwnInstanceProperties;
import rookery.platform.sql.RequiredColumn;
import rookery.platform.sql.TenantTables;
import rookery.platform.sql.TenantTables.Range;
import rookery.platform.sql.TenantTables.Table;
import rookery.platform.transfer.TransferTable.Kind;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes all rows of a tenant in this service as lines of JSON, as they are at one moment: in one transaction with one snapshot,
 * which lasts as long as the reader reads. First a line with the service and the version of its schema, then the rows, last the
 * number of rows. An answer without that last line is incomplete.
 */
@Component
public final class TenantExport {
    /** The version of the lines. */
    static final int FORMAT = 1;

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int FETCHED = 200;

    private static final String ROWS = """
            SELECT '{"table":"TABLE","row":' || row_to_json(t) || '}' AS line FROM SCHEMA.TABLE t
             WHERE tenant = :tenant AND RANGE
            """;

    private static final String VERSION = """
            SELECT version FROM SCHEMA.flyway_schema_history WHERE success ORDER BY installed_rank DESC LIMIT 1
            """;

    private final DatabaseClient db;
    private final TransactionalOperator snapshot;
    private final String service;
    private final String schema;
    private final List<TransferTable> tables;

    TenantExport(DatabaseClient db, OwnInstanceProperties own) {
        this.db = db;
        var reading = new DefaultTransactionDefinition();
        reading.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        reading.setReadOnly(true);
        this.snapshot = TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory()), reading);
        this.service = own.service();
        this.schema = service.replace("-service", "");
        this.tables = TransferTable.of(service);
    }

    /** The name of the newest migration, which the other installation must have too. */
    Mono<String> version() {
        return db.sql(VERSION.replace("SCHEMA", schema))
                .map(row -> RequiredColumn.of(row, "version", String.class))
                .one();
    }

    /** The lines, each with a line feed. */
    public Flux<byte[]> lines(TenantId tenant) {
        return Flux.defer(() -> {
            var count = new AtomicLong();
            return Flux.concat(
                    version().map(version -> line(Map.of("service", service, "format", FORMAT, "schema", version))),
                    new TenantTables(db, schema)
                            .all()
                            .flatMapMany(known -> rows(tenant, known))
                            .doOnNext(_ -> count.incrementAndGet())
                            .as(snapshot::transactional),
                    Mono.fromSupplier(() -> line(Map.of("rows", count.get()))));
        });
    }

    private Flux<byte[]> rows(TenantId tenant, List<Table> known) {
        var byName = known.stream().collect(Collectors.toMap(Table::name, Function.identity()));
        return Flux.fromIterable(tables)
                .filter(table -> table.kind() != Kind.NEVER)
                .concatMap(table -> Flux.fromIterable(conditions(byName.get(table.name())))
                        .concatMap(condition -> rows(tenant, table.name(), condition)));
    }

    /** A log is read in ranges, since no statement may take as long as the whole log. A partitioned table has an index. */
    private static List<String> conditions(@Nullable Table table) {
        return table == null || table.hasIndex()
                ? List.of("true")
                : table.ranges(0).stream().map(Range::condition).toList();
    }

    private Flux<byte[]> rows(TenantId tenant, String table, String condition) {
        return db.sql(ROWS.replace("SCHEMA", schema).replace("TABLE", table).replace("RANGE", condition))
                .bind("tenant", tenant.value())
                .filter(statement -> statement.fetchSize(FETCHED))
                .map(row -> (RequiredColumn.of(row, "line", String.class) + "\n").getBytes(StandardCharsets.UTF_8))
                .all();
    }

    private static byte[] line(Map<String, ?> object) {
        return (JSON.writeValueAsString(object) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
