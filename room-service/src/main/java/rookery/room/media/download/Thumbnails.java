// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import io.r2dbc.spi.Readable;
import java.nio.ByteBuffer;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.media.ContentHash;
import rookery.room.media.MediaFile.Stored;

/** The table {@code room.media_thumbnail}: thumbnails by the picture's content hash and the dimensions. */
@Component
public class Thumbnails {
    private static final String FIND = """
            SELECT thumbnail, size, type FROM room.media_thumbnail
             WHERE tenant = :tenant AND sha256 = :hash AND dimensions = :dimensions
            """;

    /** Concurrent makers of a thumbnail write equal rows. */
    private static final String INSERT = """
            INSERT INTO room.media_thumbnail (tenant, sha256, dimensions, thumbnail, size, type)
            VALUES (:tenant, :hash, :dimensions, :thumbnail, :size, :type)
            ON CONFLICT (tenant, sha256, dimensions) DO NOTHING
            """;

    private final DatabaseClient db;

    public Thumbnails(DatabaseClient db) {
        this.db = db;
    }

    /** Empty if the thumbnail was not made yet. */
    Mono<Stored> find(TenantId tenant, ContentHash content, Dimensions dimensions) {
        return db.sql(FIND)
                .bind("tenant", tenant)
                .bind("hash", ByteBuffer.wrap(content.bytes()))
                .bind("dimensions", dimensions.text())
                .map(Thumbnails::stored)
                .one();
    }

    /** Does nothing if the row exists. */
    public Mono<Void> insert(TenantId tenant, ContentHash content, Dimensions dimensions, Stored thumbnail) {
        return db.sql(INSERT)
                .bind("tenant", tenant)
                .bind("hash", ByteBuffer.wrap(content.bytes()))
                .bind("dimensions", dimensions.text())
                .bind("thumbnail", ByteBuffer.wrap(thumbnail.hash().bytes()))
                .bind("size", thumbnail.size())
                .bind("type", thumbnail.type())
                .fetch()
                .rowsUpdated()
                .then();
    }

    private static Stored stored(Readable row) {
        return new Stored(
                ContentHash.of(RequiredColumn.of(row, "thumbnail", byte[].class)),
                RequiredColumn.of(row, "size", Long.class),
                RequiredColumn.of(row, "type", String.class),
                null,
                null);
    }
}
