// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;

/**
 * The table {@code room.media_put}: when each content was last put into the storage. The row is written before the content is
 * stored, and is locked while the content is deleted, so a concurrent upload of the same content is never deleted.
 */
@Component
class MediaPuts {
    private static final String NOTE = """
            INSERT INTO room.media_put AS p (tenant, sha256, put_ms) VALUES (:tenant, :hash, :now)
            ON CONFLICT (tenant, sha256) DO UPDATE SET put_ms = greatest(p.put_ms, EXCLUDED.put_ms)
            """;

    /** Ensures a row to lock. */
    private static final String ADD = """
            INSERT INTO room.media_put (tenant, sha256, put_ms) VALUES (:tenant, :hash, 0)
            ON CONFLICT (tenant, sha256) DO NOTHING
            """;

    private static final String HOLD =
            "SELECT put_ms FROM room.media_put WHERE tenant = :tenant AND sha256 = :hash FOR UPDATE";

    private static final String FORGET = """
            DELETE FROM room.media_put
             WHERE ctid IN (SELECT ctid FROM room.media_put WHERE put_ms < :before LIMIT 1000)
            """;

    private final DatabaseClient db;
    private final TransactionalOperator tx;
    private final MediaFiles files;
    private final Clock clock;

    MediaPuts(DatabaseClient db, TransactionalOperator tx, MediaFiles files, Clock clock) {
        this.db = db;
        this.tx = tx;
        this.files = files;
        this.clock = clock;
    }

    /** Protects the content from deletion for a sweep interval from now on. Waits for a deletion under way. */
    Mono<Void> note(TenantId tenant, ContentHash hash) {
        return sql(NOTE, tenant, hash)
                .bind("now", clock.millis())
                .fetch()
                .rowsUpdated()
                .then();
    }

    /** Runs the deletion of a content, unless a row refers to the content or it was put again since {@code before}. */
    Mono<Void> delete(TenantId tenant, ContentHash hash, Instant before, Mono<Void> deletion) {
        return sql(ADD, tenant, hash)
                .fetch()
                .rowsUpdated()
                .then(sql(HOLD, tenant, hash)
                        .map(row -> RequiredColumn.of(row, "put_ms", Long.class))
                        .one())
                .filter(put -> put < before.toEpochMilli())
                .flatMap(_ -> files.unknown(tenant, List.of(hash)))
                .filter(unknown -> !unknown.isEmpty())
                .flatMap(_ -> deletion)
                .as(tx::transactional);
    }

    /** Deletes up to 1,000 rows of contents put before that instant; returns the number. */
    Mono<Long> forget(Instant before) {
        return db.sql(FORGET).bind("before", before.toEpochMilli()).fetch().rowsUpdated();
    }

    private DatabaseClient.GenericExecuteSpec sql(String sql, TenantId tenant, ContentHash hash) {
        return db.sql(sql).bind("tenant", tenant).bind("hash", ByteBuffer.wrap(hash.bytes()));
    }
}
