package rookery.room.media;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.media.RoomMediaProperties.Quota;

/** How much users and tenants have uploaded, and whether it may be more; each file counts, also one that others uploaded before. */
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

    /** How many bytes the user may still upload; maybe less than 0. */
    Mono<Long> left(TenantId tenant, UserId user, Quota quota) {
        return db.sql(LEFT)
                .bind("tenant", tenant.value())
                .bind("uploader", user.value())
                .bind("userMax", quota.userBytes())
                .bind("tenantMax", quota.tenantBytes())
                .map(row -> RequiredColumn.of(row, "bytes", Long.class))
                .one();
    }

    /** Counts a file; false if it is too much for either quota, and then the transaction must not be committed. */
    Mono<Boolean> add(TenantId tenant, UserId user, long size, Quota quota) {
        return add(tenant, ALL, size, quota.tenantBytes())
                .flatMap(fits -> fits ? add(tenant, user.value(), size, quota.userBytes()) : Mono.just(false));
    }

    private Mono<Boolean> add(TenantId tenant, String uploader, long size, long max) {
        return db.sql(ADD)
                .bind("tenant", tenant.value())
                .bind("uploader", uploader)
                .bind("size", size)
                .bind("max", max)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** Until the end of the transaction nobody else uploads or reserves for the user. */
    Mono<Void> lock(TenantId tenant, UserId user) {
        return db.sql(LOCK)
                .bind("tenant", tenant.value())
                .bind("uploader", user.value())
                .fetch()
                .rowsUpdated()
                .then();
    }
}
