// SPDX-License-Identifier: Apache-2.0
package rookery.platform.transfer;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.instance.OwnInstanceProperties;
import rookery.platform.log.append.LogEntries;
import rookery.platform.sql.RequiredColumn;
import rookery.platform.transfer.TransferApi.StoreRequest;
import rookery.platform.transfer.TransferTable.Kind;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stores exported rows of a tenant. Entries of the log get positions far above the ends of their shards, so that no follower reads
 * them and no append needs their positions, until {@link #finish} moves the ends behind them. Every step may be repeated.
 */
@Component
public final class TenantImport {
    /** More positions than a shard uses during an import. */
    private static final long DISTANCE = 1L << 32;

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String COLUMNS = """
            SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
             WHERE attrelid = CAST(:name AS regclass) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
               AND attidentity = ''
            """;

    private static final String INSERT = """
            INSERT INTO TABLE (COLUMNS)
            SELECT COLUMNS FROM json_populate_recordset(CAST(NULL AS TABLE), CAST(:rows AS json))
            """;

    /** Above the entries of an abandoned import too, which may not be erased yet. */
    private static final String BASES = """
            INSERT INTO SCHEMA.import_state (tenant, item, value)
            SELECT :tenant, 'base ' || s.shard,
                   greatest(s.pos, (SELECT max(l.pos) FROM SCHEMA.log l WHERE l.shard = s.shard)) + :distance
              FROM SCHEMA.shard s
            ON CONFLICT DO NOTHING
            """;

    private static final String READ_BASES = """
            SELECT s.shard, i.value AS base, max(s.epoch) OVER () AS epoch,
                   coalesce((SELECT max(l.pos) FROM SCHEMA.log l WHERE l.shard = s.shard AND l.pos > i.value), s.pos) AS top,
                   coalesce((SELECT max(l.pos) FROM SCHEMA.log l
                              WHERE l.shard = s.shard AND l.pos > i.value AND l.kind = 'event'), 0) AS last_event
              FROM SCHEMA.shard s JOIN SCHEMA.import_state i ON i.tenant = :tenant AND i.item = 'base ' || s.shard
             ORDER BY s.shard
            """;

    private static final String BATCH = """
            INSERT INTO SCHEMA.import_state (tenant, item, value) VALUES (:tenant, 'batch ' || :number, 0)
            ON CONFLICT DO NOTHING
            """;

    private static final String STORES_POSITIONS = """
            SELECT to_regclass(:name) IS NOT NULL AS stores
            """;

    private static final String BEHIND = """
            SELECT count(*) AS followed, count(*) FILTER (WHERE f.pos < t.top) AS behind
              FROM SCHEMA.follow f JOIN unnest(:shards::int[], :tops::bigint[]) AS t (shard, top) USING (shard)
             WHERE f.log = :log
            """;

    private final DatabaseClient db;
    private final TransactionalOperator tx;
    private final String schema;
    private final Map<String, TransferTable> tables;
    private final TenantExport export;
    private final @Nullable LogEntries log;
    private final List<ImportedTenant> afterwards;
    private final Clock clock;

    TenantImport(
            DatabaseClient db,
            OwnInstanceProperties own,
            TenantExport export,
            ObjectProvider<LogEntries> log,
            ObjectProvider<ImportedTenant> afterwards,
            Clock clock) {
        this.db = db;
        this.tx = TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory()));
        this.schema = own.service().replace("-service", "");
        this.tables = TransferTable.of(own.service()).stream()
                .collect(Collectors.toMap(
                        TransferTable::name, Function.identity(), (one, _) -> one, LinkedHashMap::new));
        this.export = export;
        this.log = log.getIfAvailable();
        this.afterwards = afterwards.orderedStream().toList();
        this.clock = clock;
    }

    /**
     * The position of the last imported event of each shard, 0 without events. Followers store this position as soon as they have
     * read the event, unlike positions of entries that do not concern them.
     */
    public record Ends(List<Long> ends) {}

    private record ShardOfImport(long base, long epoch, long top, long lastEvent) {}

    /**
     * Begins an import.
     *
     * @param version the version of the schema in the export; M_INVALID_PARAM for another one than here
     * @return empty for a service without a log
     */
    Mono<LogOffsets> begin(TenantId tenant, String version) {
        return export.version()
                .filter(version::equals)
                .switchIfEmpty(Mono.error(new ApiException(
                        ErrorCode.M_INVALID_PARAM,
                        "the export has version %s of the tables of %s, which are others here: upgrade the older installation"
                                .formatted(version, schema))))
                .then(log == null ? Mono.empty() : Mono.defer(() -> offsets(tenant)));
    }

    private Mono<LogOffsets> offsets(TenantId tenant) {
        return db.sql(sql(BASES))
                .bind("tenant", tenant.value())
                .bind("distance", DISTANCE)
                .then()
                .then(shards(tenant))
                .map(shards -> new LogOffsets(
                        shards.getFirst().epoch,
                        shards.stream().map(ShardOfImport::base).toList()));
    }

    private Mono<List<ShardOfImport>> shards(TenantId tenant) {
        return db.sql(sql(READ_BASES))
                .bind("tenant", tenant.value())
                .map(row -> new ShardOfImport(
                        RequiredColumn.of(row, "base", Long.class),
                        RequiredColumn.of(row, "epoch", Long.class),
                        RequiredColumn.of(row, "top", Long.class),
                        RequiredColumn.of(row, "last_event", Long.class)))
                .all()
                .collectList();
    }

    /** Stores the rows once, however often the batch with this number is sent. */
    Mono<Void> store(StoreRequest request) {
        var rows = byTable(request);
        var inserts = Flux.fromIterable(rows.entrySet())
                .concatMap(each -> insert(each.getKey(), each.getValue()))
                .then();
        return db.sql(sql(BATCH))
                .bind("tenant", request.tenant().value())
                .bind("number", (request.late() ? "late " : "") + request.number())
                .fetch()
                .rowsUpdated()
                .flatMap(isNew -> isNew > 0 ? inserts : Mono.empty())
                .as(tx::transactional);
    }

    private String ownLog() {
        return log == null ? "" : schema.equals("room") ? LogOffsets.ROOM_LOG : LogOffsets.USER_LOG;
    }

    private Map<String, ArrayNode> byTable(StoreRequest request) {
        var moved = new MovedRows(request.tenant(), ownLog(), request.logs());
        var rows = new LinkedHashMap<String, ArrayNode>();
        for (var line : request.lines()) {
            var table = tables.get(line.path("table").asString(""));
            if (table == null || table.kind() == Kind.NEVER || !(line.path("row") instanceof ObjectNode row)) {
                throw new ApiException(ErrorCode.M_BAD_JSON, "a line names no table of this service, or has no row");
            }
            if (isStored(table.kind(), request)) {
                moved.move(table, row);
                rows.computeIfAbsent(table.name(), _ -> JsonNodeFactory.instance.arrayNode())
                        .add(row);
            }
        }
        return rows;
    }

    private static boolean isStored(Kind kind, StoreRequest request) {
        return switch (kind) {
            case DATA -> !request.late();
            case SESSIONS -> !request.late() && request.sessions();
            case LATE -> request.late();
            case NEVER -> false;
        };
    }

    private Mono<Void> insert(String table, ArrayNode rows) {
        var name = schema + "." + table;
        return db.sql(COLUMNS)
                .bind("name", name)
                .map(row -> RequiredColumn.of(row, "columns", String.class))
                .one()
                .flatMap(columns -> db.sql(INSERT.replace("TABLE", name).replace("COLUMNS", columns))
                        .bind("rows", JSON.writeValueAsString(rows))
                        .then());
    }

    /** Moves the ends of the log behind the imported entries, and makes what the service derives from rows at once. */
    Mono<Ends> finish(TenantId tenant) {
        var ends =
                log == null ? Mono.just(new Ends(List.of())) : shards(tenant).flatMap(shards -> moveEnds(log, shards));
        return Flux.fromIterable(afterwards)
                .concatMap(each -> each.complete(tenant))
                .then(ends)
                .as(tx::transactional);
    }

    private Mono<Ends> moveEnds(LogEntries entries, List<ShardOfImport> shards) {
        var tops = new LinkedHashMap<Integer, Long>();
        var ends = new ArrayList<Long>();
        for (int shard = 0; shard < shards.size(); shard++) {
            var imported = shards.get(shard);
            ends.add(imported.lastEvent);
            if (imported.top > imported.base) {
                tops.put(shard, imported.top);
            }
        }
        return entries.moveEnds(tops, clock.millis()).thenReturn(new Ends(ends));
    }

    /**
     * Whether this service has followed the log up to those ends. M_INVALID_PARAM for a log of which the service stores no positions:
     * sync-service has them only in memory, and auth- and admin-service follow no log into tables.
     */
    Mono<Boolean> hasFollowed(String followed, Ends ends) {
        return db.sql(STORES_POSITIONS)
                .bind("name", schema + ".follow")
                .map(row -> RequiredColumn.of(row, "stores", Boolean.class))
                .one()
                .filter(stores -> stores)
                .flatMap(_ -> progress(followed, ends))
                .filter(progress -> progress.followed > 0)
                .switchIfEmpty(Mono.error(() -> new ApiException(
                        ErrorCode.M_INVALID_PARAM, "this service stores no positions of a log with this name")))
                .map(progress -> progress.behind == 0);
    }

    /** Of the shards of a log, how many a service follows, and how many of these have not reached their ends. */
    private record Progress(long followed, long behind) {}

    private Mono<Progress> progress(String followed, Ends ends) {
        var shards = new Integer[ends.ends.size()];
        for (int shard = 0; shard < shards.length; shard++) {
            shards[shard] = shard;
        }
        return db.sql(sql(BEHIND))
                .bind("log", followed)
                .bind("shards", shards)
                .bind("tops", Objects.requireNonNull(ends.ends).toArray(Long[]::new))
                .map(row -> new Progress(
                        RequiredColumn.of(row, "followed", Long.class), RequiredColumn.of(row, "behind", Long.class)))
                .one();
    }

    private String sql(String text) {
        return text.replace("SCHEMA", schema);
    }
}
