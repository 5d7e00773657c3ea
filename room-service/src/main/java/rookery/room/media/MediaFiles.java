// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.nio.ByteBuffer;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.media.MediaFile.Reserved;
import rookery.room.media.MediaFile.Stored;

/** The table {@code room.media}: uploaded files, and reserved ids without a file. */
@Component
public class MediaFiles {
    private static final String FIND = """
            SELECT uploader, unused_until_ms, sha256, size, type, declared_type, name FROM room.media
             WHERE tenant = :tenant AND id = :id AND NOT quarantined
            """;

    private static final String INSERT = """
            INSERT INTO room.media (tenant, id, uploader, created_ms, sha256, size, type, declared_type, name, quarantined)
            VALUES (:tenant, :id, :uploader, :now, :hash, :size, :type, :declaredType, :name, HIDDEN)
            """;

    private static final String RESERVE = """
            INSERT INTO room.media (tenant, id, uploader, created_ms, unused_until_ms)
            VALUES (:tenant, :id, :uploader, :now, :until)
            """;

    private static final String RESERVATIONS = """
            SELECT count(*) AS count, COALESCE(min(unused_until_ms), 0) AS first_end FROM room.media
             WHERE tenant = :tenant AND uploader = :uploader AND sha256 IS NULL AND unused_until_ms > :now
            """;

    private static final String FILL = """
            UPDATE room.media
               SET unused_until_ms = NULL, created_ms = :now, sha256 = :hash, size = :size, type = :type,
                   declared_type = :declaredType, name = :name, quarantined = HIDDEN
             WHERE tenant = :tenant AND id = :id AND uploader = :uploader AND sha256 IS NULL AND unused_until_ms > :now
            """;

    /** Whether a file of the same content is quarantined: a new upload of the content stays hidden. */
    private static final String HIDDEN = """
            EXISTS (SELECT FROM room.media h WHERE h.tenant = :tenant AND h.sha256 = :hash AND h.quarantined)""";

    private static final String EXPIRE = """
            DELETE FROM room.media
             WHERE ctid IN (SELECT ctid FROM room.media WHERE sha256 IS NULL AND unused_until_ms < :before LIMIT 1000)
            """;

    private static final String UNKNOWN = """
            SELECT k.hash FROM unnest(:hashes::text[]) AS k (hash)
             WHERE NOT EXISTS (SELECT FROM room.media m
                                WHERE m.tenant = :tenant AND m.sha256 = decode(k.hash, 'hex'))
               AND NOT EXISTS (SELECT FROM room.media_thumbnail t
                                WHERE t.tenant = :tenant AND t.thumbnail = decode(k.hash, 'hex'))
            """;

    private final DatabaseClient db;

    MediaFiles(DatabaseClient db) {
        this.db = db;
    }

    /** Empty for an unknown id and for a quarantined file. */
    public Mono<MediaFile> find(TenantId tenant, MediaId id) {
        return db.sql(FIND)
                .bind("tenant", tenant)
                .bind("id", id)
                .map(MediaFiles::file)
                .one();
    }

    Mono<Void> insert(TenantId tenant, MediaId id, UserId uploader, Stored stored, long now) {
        return write(INSERT, tenant, id, uploader, stored, now).then();
    }

    /** Reservations of a user that have not ended and have no file. */
    record Reservations(long count, long firstEndMillis) {}

    Mono<Reservations> reservations(TenantId tenant, UserId uploader, long now) {
        return db.sql(RESERVATIONS)
                .bind("tenant", tenant)
                .bind("uploader", uploader)
                .bind("now", now)
                .map(row -> new Reservations(
                        RequiredColumn.of(row, "count", Long.class), RequiredColumn.of(row, "first_end", Long.class)))
                .one();
    }

    Mono<Void> reserve(TenantId tenant, MediaId id, UserId uploader, long now, long until) {
        return db.sql(RESERVE)
                .bind("tenant", tenant)
                .bind("id", id)
                .bind("uploader", uploader)
                .bind("now", now)
                .bind("until", until)
                .fetch()
                .rowsUpdated()
                .then();
    }

    /** Stores the file under a reserved id; false if the id was used meanwhile, or the reservation has ended. */
    Mono<Boolean> fill(TenantId tenant, MediaId id, UserId uploader, Stored stored, long now) {
        return write(FILL, tenant, id, uploader, stored, now).map(rows -> rows > 0);
    }

    /** Deletes up to 1,000 reservations of all tenants that ended before; returns the number. */
    Mono<Long> expire(long beforeMillis) {
        return db.sql(EXPIRE).bind("before", beforeMillis).fetch().rowsUpdated();
    }

    /** The given contents to which neither a file nor a thumbnail refers. */
    Mono<List<ContentHash>> unknown(TenantId tenant, List<ContentHash> contents) {
        return db.sql(UNKNOWN)
                .bind("tenant", tenant)
                .bind("hashes", contents.stream().map(ContentHash::hex).toArray(String[]::new))
                .map(row -> new ContentHash(RequiredColumn.of(row, "hash", String.class)))
                .all()
                .collectList();
    }

    private Mono<Long> write(String sql, TenantId tenant, MediaId id, UserId uploader, Stored stored, long now) {
        return db.sql(sql.replace("HIDDEN", HIDDEN))
                .bind("tenant", tenant)
                .bind("id", id)
                .bind("uploader", uploader)
                .bind("now", now)
                .bind("hash", ByteBuffer.wrap(stored.hash().bytes()))
                .bind("size", stored.size())
                .bind("type", stored.type())
                .bind("declaredType", Parameters.in(R2dbcType.VARCHAR, stored.declaredType()))
                .bind("name", Parameters.in(R2dbcType.VARCHAR, stored.name()))
                .fetch()
                .rowsUpdated();
    }

    private static MediaFile file(Readable row) {
        var unusedUntil = row.get("unused_until_ms", Long.class);
        return unusedUntil == null
                ? stored(row)
                : new Reserved(RequiredColumn.of(row, "uploader", UserId.class), unusedUntil);
    }

    private static Stored stored(Readable row) {
        return new Stored(
                ContentHash.of(RequiredColumn.of(row, "sha256", byte[].class)),
                RequiredColumn.of(row, "size", Long.class),
                RequiredColumn.of(row, "type", String.class),
                row.get("declared_type", String.class),
                row.get("name", String.class));
    }
}
