// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.removal;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Readable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ListOrder;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.RowOrder;

/** Files of a tenant, for administrators (contract.md 5.2). */
@Component
class MediaList {
    private static final String COUNT = """
            SELECT count(*) FROM room.media WHERE tenant = :tenant AND sha256 IS NOT NULL MATCHING
            """;

    private static final String PAGE = """
            SELECT id, uploader, created_ms, encode(sha256, 'hex') AS hash, size, type, name, quarantined
              FROM room.media
             WHERE tenant = :tenant AND sha256 IS NOT NULL MATCHING
             ORDER BY COLUMNS LIMIT :limit
            """;

    private static final String PLACE = """
            SELECT KEY FROM room.media
             WHERE tenant = :tenant AND sha256 IS NOT NULL MATCHING
             ORDER BY COLUMNS OFFSET :skipped LIMIT 1
            """;

    private static final String QUARANTINE = """
            UPDATE room.media m SET quarantined = :quarantined
              FROM room.media k
             WHERE k.tenant = :tenant AND k.id = :id AND m.tenant = k.tenant AND m.sha256 = k.sha256
            """;

    /** In portions, so that no statement takes long. */
    private static final String QUARANTINE_OF_USER = """
            UPDATE room.media SET quarantined = true WHERE tenant = :tenant AND id = ANY (ARRAY(
                   SELECT m.id FROM room.media m
                    WHERE m.tenant = :tenant AND NOT m.quarantined
                      AND m.sha256 IN (SELECT k.sha256 FROM room.media k
                                        WHERE k.tenant = :tenant AND k.uploader = :uploader AND k.sha256 IS NOT NULL)
                    LIMIT 1000))
            """;

    private final DatabaseClient db;

    MediaList(DatabaseClient db) {
        this.db = db;
    }

    /** Conditions on files; null matches every file. */
    record FileFilter(
            TenantId tenant,
            @Nullable UserId uploader,
            @Nullable Boolean quarantined,
            @Nullable MediaId id) {}

    /** A file; times in ms, sizes in bytes. */
    record ListedFile(
            @JsonProperty("media_id") MediaId id,
            @JsonProperty("user_id") UserId uploader,
            @JsonProperty("created_ts") long createdMillis,
            String sha256,
            long size,
            String type,
            @Nullable String name,
            boolean quarantined) {
        /** The next page of a list in this order begins after this key. */
        String key(RowOrder order) {
            return order.key("size".equals(order.number()) ? size : createdMillis, id.value());
        }
    }

    Mono<Long> count(FileFilter filter) {
        return bound(COUNT, "", filter).mapValue(Long.class).one();
    }

    /** M_INVALID_PARAM for an order that the list does not have; null for the newest first. */
    static RowOrder order(@Nullable ListOrder order) {
        if (order == null) {
            return new RowOrder("created_ms", "id", true);
        }
        var number = switch (order.by()) {
            case "created_ts" -> "created_ms";
            case "size" -> "size";
            default -> throw RowOrder.unknown("created_ts and size");
        };
        return new RowOrder(number, "id", order.backwards());
    }

    /** The key of the last of that many files, at least one; empty if there are fewer. */
    Mono<String> place(FileFilter filter, RowOrder order, int skipped) {
        return bound(PLACE.replace("KEY", order.key()).replace("COLUMNS", order.columns()), "", filter)
                .bind("skipped", skipped - 1)
                .mapValue(String.class)
                .one();
    }

    /** The files after a key. M_INVALID_PARAM for a malformed key. */
    Mono<List<ListedFile>> after(FileFilter filter, RowOrder order, String key, int limit) {
        var page = bound(PAGE.replace("COLUMNS", order.columns()), order.condition(key), filter);
        return order.bound(page, key)
                .bind("limit", limit)
                .map(MediaList::row)
                .all()
                .collectList();
    }

    private GenericExecuteSpec bound(String sql, String more, FileFilter filter) {
        var matching = more
                + (filter.uploader == null ? "" : " AND uploader = :uploader")
                + (filter.quarantined == null ? "" : " AND quarantined = :quarantined")
                + (filter.id == null ? "" : " AND id = :id");
        var query = db.sql(sql.replace("MATCHING", matching)).bind("tenant", filter.tenant);
        query = filter.uploader == null ? query : query.bind("uploader", filter.uploader.value());
        query = filter.quarantined == null ? query : query.bind("quarantined", filter.quarantined);
        return filter.id == null ? query : query.bind("id", filter.id.value());
    }

    /** Hides a file and all others of equal content, or shows them again; false for an unknown file. */
    Mono<Boolean> quarantine(TenantId tenant, MediaId id, boolean quarantined) {
        return db.sql(QUARANTINE)
                .bind("tenant", tenant)
                .bind("id", id)
                .bind("quarantined", quarantined)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** Hides all files of a user, and all others of equal content; returns their number. */
    Mono<Long> quarantineAll(TenantId tenant, UserId uploader) {
        return Mono.defer(() -> db.sql(QUARANTINE_OF_USER)
                        .bind("tenant", tenant)
                        .bind("uploader", uploader)
                        .fetch()
                        .rowsUpdated())
                .repeat()
                .takeUntil(rows -> rows == 0)
                .reduce(0L, Long::sum);
    }

    private static ListedFile row(Readable row) {
        return new ListedFile(
                RequiredColumn.of(row, "id", MediaId.class),
                RequiredColumn.of(row, "uploader", UserId.class),
                RequiredColumn.of(row, "created_ms", Long.class),
                RequiredColumn.of(row, "hash", String.class),
                RequiredColumn.of(row, "size", Long.class),
                RequiredColumn.of(row, "type", String.class),
                row.get("name", String.class),
                RequiredColumn.of(row, "quarantined", Boolean.class));
    }
}
