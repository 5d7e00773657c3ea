package rookery.room.media;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.media.MediaFile.Reserved;
import rookery.room.media.MediaFile.Stored;

/** The table {@code room.media}: what was uploaded, and the ids to which something may be. */
@Component
class MediaFiles {
    private static final String FIND = """
            SELECT uploader, unused_until_ms, sha256, size, type, name FROM room.media
             WHERE tenant = :tenant AND id = :id AND NOT quarantined
            """;

    private static final String INSERT = """
            INSERT INTO room.media (tenant, id, uploader, created_ms, sha256, size, type, name)
            VALUES (:tenant, :id, :uploader, :now, :hash, :size, :type, :name)
            """;

    private final DatabaseClient db;

    MediaFiles(DatabaseClient db) {
        this.db = db;
    }

    /** Empty if there is none, or nobody is to see it. */
    Mono<MediaFile> find(TenantId tenant, MediaId id) {
        return db.sql(FIND)
                .bind("tenant", tenant.value())
                .bind("id", id.value())
                .map(MediaFiles::file)
                .one();
    }

    Mono<Void> insert(TenantId tenant, MediaId id, UserId uploader, Stored stored, long now) {
        return db.sql(INSERT)
                .bind("tenant", tenant.value())
                .bind("id", id.value())
                .bind("uploader", uploader.value())
                .bind("now", now)
                .bind("hash", ByteBuffer.wrap(stored.hash().bytes()))
                .bind("size", stored.size())
                .bind("type", stored.type())
                .bind("name", Parameters.in(R2dbcType.VARCHAR, stored.name()))
                .fetch()
                .rowsUpdated()
                .then();
    }

    private static MediaFile file(Readable row) {
        var unusedUntil = row.get("unused_until_ms", Long.class);
        return unusedUntil == null
                ? stored(row)
                : new Reserved(new UserId(RequiredColumn.of(row, "uploader", String.class)), unusedUntil);
    }

    private static Stored stored(Readable row) {
        return new Stored(
                ContentHash.of(RequiredColumn.of(row, "sha256", byte[].class)),
                RequiredColumn.of(row, "size", Long.class),
                RequiredColumn.of(row, "type", String.class),
                row.get("name", String.class));
    }
}
