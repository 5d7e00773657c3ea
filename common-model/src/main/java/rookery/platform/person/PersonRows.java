// SPDX-License-Identifier: Apache-2.0
package rookery.platform.person;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.instance.OwnInstanceProperties;
import rookery.platform.sql.RequiredColumn;

/**
 * Reads the rows of one person in this service, in pages by key: no statement and no connection waits for the reader of the export
 * (decision 0019).
 */
@Component
public final class PersonRows {
    /** A page may exceed this by one row. */
    private static final int BYTES_MAX = 256 << 10;

    private static final int ROWS_MAX = 200;
    /** Rows of other people cost an index entry and a row each, and are not sent. */
    private static final int SCANNED_MAX = 2_000;

    private static final String PAGE = """
            WITH part AS (
                 SELECT row_number() OVER (ORDER BY KEYS) AS number,
                        CAST((SELECT row_to_json(k) FROM (SELECT KEYS) k) AS text) AS key,
                        CASE WHEN MATCH THEN CAST((SELECT row_to_json(c) FROM (SELECT COLUMNS) c) AS text) END AS line
                   FROM (SELECT * FROM SOURCE t WHERE WITHIN AFTER ORDER BY KEYS LIMIT ROWS) t),
                 sized AS (
                 SELECT number, key, line,
                        sum(coalesce(octet_length(line), 0)) OVER (ORDER BY number) - coalesce(octet_length(line), 0) AS before
                   FROM part),
                 fitting AS (SELECT number, key, line FROM sized WHERE before < BYTES)
            SELECT key, line FROM fitting
             WHERE line IS NOT NULL OR number = (SELECT max(number) FROM fitting)
             ORDER BY number
            """;

    private static final String AFTER = """
             AND (KEYS) > (SELECT KEYS FROM json_populate_record(CAST(NULL AS SOURCE), CAST(:after AS json)))
            """;

    private final DatabaseClient db;
    private final String schema;
    private final List<PersonSource> sources;

    PersonRows(DatabaseClient db, OwnInstanceProperties own) {
        this.db = db;
        this.schema = own.service().replace("-service", "");
        this.sources = PersonSource.of(own.service());
    }

    /**
     * A kind of data.
     *
     * @param ofRoom whether the rows are those of one room
     */
    public record Source(String name, String title, boolean ofRoom) {}

    /**
     * A page to read.
     *
     * @param room null for a source that is not of a room
     * @param after the key of the page before; null for the first page
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PageRequest(
            TenantId tenant,
            UserId user,
            String source,
            @Nullable RoomId room,
            @Nullable String after) {
        /** The page after another one. */
        public PageRequest after(String key) {
            return new PageRequest(tenant, user, source, room, key);
        }
    }

    /**
     * A part of the rows.
     *
     * @param lines objects in JSON, possibly none though more pages follow
     * @param after the key of the next page; null after the last page
     */
    public record Page(List<String> lines, @Nullable String after) {}

    /** All kinds of data in this service. */
    public List<Source> sources() {
        return sources.stream()
                .map(source -> new Source(source.name(), source.title(), source.isOfRoom()))
                .toList();
    }

    /** The page; M_NOT_FOUND for an unknown source. */
    public Mono<Page> page(PageRequest request) {
        var source = sources.stream()
                .filter(each -> each.name().equals(request.source))
                .findFirst()
                .orElseThrow(() -> new ApiException(ErrorCode.M_NOT_FOUND, "this service has no such data"));
        var sql = sql(source, request.after != null);
        var statement = db.sql(sql);
        statement = bound(statement, sql, "tenant", request.tenant.value());
        statement = bound(statement, sql, "user", request.user.value());
        statement = bound(statement, sql, "shard", Shards.of(request.user));
        statement = bound(statement, sql, "room", request.room == null ? "" : request.room.value());
        statement = bound(statement, sql, "after", Objects.requireNonNullElse(request.after, ""));
        return statement.map(Row::of).all().collectList().map(PersonRows::page);
    }

    private static DatabaseClient.GenericExecuteSpec bound(
            DatabaseClient.GenericExecuteSpec statement, String sql, String name, Object value) {
        return sql.contains(":" + name) ? statement.bind(name, value) : statement;
    }

    private String sql(PersonSource source, boolean goesOn) {
        return PAGE.replace("AFTER", goesOn ? AFTER.strip() : "")
                .replace("WITHIN", source.within())
                .replace("MATCH", source.match())
                .replace("COLUMNS", source.columns())
                .replace("ROWS", Integer.toString(source.isScan() ? SCANNED_MAX : ROWS_MAX))
                .replace("BYTES", Integer.toString(BYTES_MAX))
                .replace("SOURCE", schema + "." + source.table())
                .replace("KEYS", String.join(", ", source.keys()));
    }

    private record Row(String key, @Nullable String line) {
        static Row of(Readable row) {
            return new Row(RequiredColumn.of(row, "key", String.class), row.get("line", String.class));
        }
    }

    private static Page page(List<Row> rows) {
        var lines = rows.stream().map(Row::line).filter(Objects::nonNull).collect(Collectors.toList());
        return new Page(lines, rows.isEmpty() ? null : rows.getLast().key);
    }
}
