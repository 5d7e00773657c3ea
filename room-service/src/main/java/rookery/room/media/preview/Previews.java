// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.media.TenantMedia;

/** The table {@code room.preview}. Rows are deleted when they have expired, or earlier where a tenant has too many. */
@Component
class Previews {
    private static final String FIND = """
            SELECT answer, media_id FROM room.preview
             WHERE tenant = :tenant AND url_hash = :hash AND expires_ms > :now
            """;

    private static final String INSERT = """
            INSERT INTO room.preview (tenant, url_hash, answer, media_id, created_ms, expires_ms)
            VALUES (:tenant, :hash, :answer, :media, :now, :expires)
            ON CONFLICT (tenant, url_hash) DO NOTHING
            """;

    private static final String DELETE = """
            DELETE FROM room.preview WHERE tenant = :tenant AND url_hash = :hash AND expires_ms <= :now
            RETURNING tenant, media_id
            """;

    private static final String COUNT = """
            SELECT count(*) FROM (SELECT FROM room.preview WHERE tenant = :tenant LIMIT :most) p
            """;

    private static final String DELETE_EXPIRED = """
            DELETE FROM room.preview
             WHERE ctid = ANY (ARRAY(SELECT ctid FROM room.preview WHERE expires_ms <= :now
                                      ORDER BY expires_ms LIMIT :most FOR UPDATE SKIP LOCKED))
            RETURNING tenant, media_id
            """;

    private static final String DELETE_OLDEST = """
            DELETE FROM room.preview
             WHERE ctid = ANY (ARRAY(SELECT ctid FROM room.preview WHERE tenant = :tenant
                                      ORDER BY expires_ms LIMIT :most FOR UPDATE SKIP LOCKED))
            RETURNING tenant, media_id
            """;

    private final DatabaseClient db;
    private final Clock clock;

    Previews(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** The JSON of a preview, null if the page could not be fetched, and the stored picture named in the JSON. */
    record Preview(@Nullable String answer, @Nullable MediaId picture) {}

    /** Empty for an unknown or expired page. */
    Mono<Preview> find(TenantId tenant, PageUrl url) {
        return ofPage(FIND, tenant, url)
                .bind("now", clock.millis())
                .map(row -> new Preview(row.get("answer", String.class), media(row)))
                .one();
    }

    /** False if the page already has a row. */
    Mono<Boolean> insert(TenantId tenant, PageUrl url, Preview preview, Duration life) {
        long now = clock.millis();
        var picture = preview.picture();
        return ofPage(INSERT, tenant, url)
                .bind("answer", Parameters.in(R2dbcType.VARCHAR, preview.answer()))
                .bind("media", Parameters.in(R2dbcType.VARCHAR, picture == null ? null : picture.value()))
                .bind("now", now)
                .bind("expires", now + life.toMillis())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** Deleted rows, and their pictures, which are to be deleted with the rows. */
    record Deletion(int rows, List<TenantMedia> pictures) {}

    /** Deletes the row of a page if expired. */
    Mono<Deletion> deleteExpired(TenantId tenant, PageUrl url) {
        return deleted(ofPage(DELETE, tenant, url).bind("now", clock.millis()));
    }

    /** Deletes up to {@code most} expired rows. */
    Mono<Deletion> deleteExpired(int most) {
        return deleted(db.sql(DELETE_EXPIRED).bind("now", clock.millis()).bind("most", most));
    }

    /** Deletes up to {@code most} rows of a tenant, the earliest expiry first. */
    Mono<Deletion> deleteOldest(TenantId tenant, int most) {
        return deleted(db.sql(DELETE_OLDEST).bind("tenant", tenant).bind("most", most));
    }

    /** Whether a tenant has at least {@code most} rows. */
    Mono<Boolean> hasMany(TenantId tenant, int most) {
        return db.sql(COUNT)
                .bind("tenant", tenant)
                .bind("most", most)
                .mapValue(Long.class)
                .one()
                .map(rows -> rows >= most);
    }

    private GenericExecuteSpec ofPage(String sql, TenantId tenant, PageUrl url) {
        return db.sql(sql).bind("tenant", tenant).bind("hash", url.hash());
    }

    private static Mono<Deletion> deleted(GenericExecuteSpec delete) {
        return delete.map(Previews::picture)
                .all()
                .collectList()
                .map(rows -> new Deletion(
                        rows.size(), rows.stream().flatMap(Optional::stream).toList()));
    }

    private static Optional<TenantMedia> picture(Readable row) {
        var media = media(row);
        var tenant = RequiredColumn.of(row, "tenant", TenantId.class);
        return media == null ? Optional.empty() : Optional.of(new TenantMedia(tenant, media));
    }

    private static @Nullable MediaId media(Readable row) {
        String id = row.get("media_id", String.class);
        return id == null ? null : new MediaId(id);
    }
}
