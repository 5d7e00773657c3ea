// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.media.RoomMediaProperties.Quota;

/**
 * The table {@code room.media_usage}: files and bytes uploaded by each user and tenant, checked against quotas. Each file counts,
 * also where an equal content is stored already.
 */
@Component
class MediaUsage {
    private static final String ALL = "";

    private static final String LEFT = """
            SELECT least(:userMax::bigint - COALESCE(sum(bytes) FILTER (WHERE uploader <> ''), 0),
                         :tenantMax::bigint - COALESCE(sum(bytes) FILTER (WHERE uploader = ''), 0))::bigint AS bytes
              FROM room.media_usage
             WHERE tenant = :tenant AND uploader IN (:uploader, '')
            """;

    private static final String ADD = """
            INSERT INTO room.media_usage AS u (tenant, uploader, files, bytes)
            SELECT :tenant, :uploader, 1, :size::bigint WHERE :size::bigint <= :max::bigint
            ON CONFLICT (tenant, uploader) DO UPDATE SET files = u.files + 1, bytes = u.bytes + EXCLUDED.bytes
             WHERE u.bytes <= :max::bigint - EXCLUDED.bytes
            """;

    private static final String LOCK = """
            INSERT INTO room.media_usage AS u (tenant, uploader, files, bytes) VALUES (:tenant, :uploader, 0, 0)
            ON CONFLICT (tenant, uploader) DO UPDATE SET files = u.files
            """;

    private final DatabaseClient db;

    MediaUsage(DatabaseClient db) {
        this.db = db;
    }

    /** Bytes that the user may still upload; may be negative. */
    Mono<Long> bytesLeft(TenantId tenant, UserId user, Quota quota) {
        return db.sql(LEFT)
                .bind("tenant", tenant)
                .bind("uploader", user)
                .bind("userMax", quota.userBytes())
                .bind("tenantMax", quota.tenantBytes())
                .map(row -> RequiredColumn.of(row, "bytes", Long.class))
                .one();
    }

    /** Counts a file; false if a quota is exceeded, and then the caller must roll back. */
    Mono<Boolean> add(TenantId tenant, UserId user, long size, Quota quota) {
        return add(tenant, ALL, size, quota.tenantBytes())
                .flatMap(fits -> fits ? add(tenant, user.value(), size, quota.userBytes()) : Mono.just(false));
    }

    private Mono<Boolean> add(TenantId tenant, String uploader, long size, long max) {
        return db.sql(ADD)
                .bind("tenant", tenant)
                .bind("uploader", uploader)
                .bind("size", size)
                .bind("max", max)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** Locks the user's row until the end of the transaction, so that other uploads and reservations of the user wait. */
    Mono<Void> lock(TenantId tenant, UserId user) {
        return db.sql(LOCK)
                .bind("tenant", tenant)
                .bind("uploader", user)
                .fetch()
                .rowsUpdated()
                .then();
    }
}
