// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.removal;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.media.TenantMedia;

/**
 * Deletes files: their rows, their usage, and their thumbnails unless another file has the same content. {@code MediaSweeper}
 * deletes the bytes. Call every method within a transaction.
 */
@Component
public class MediaRemoval {
    private static final String TAKE_REDACTED = """
            DELETE FROM room.media_reference
             WHERE ctid = ANY (ARRAY(SELECT ctid FROM room.media_reference WHERE redacted_ms < :before
                                      ORDER BY redacted_ms LIMIT :most FOR UPDATE SKIP LOCKED))
            RETURNING tenant, media_id, sender
            """;

    /**
     * Only redactions of the uploader's own events count, so that naming a file in a message cannot delete another user's file.
     */
    private static final String RETRACT = """
            UPDATE room.media m SET retracted = true
              FROM unnest(:tenants::int[], :ids::text[], :senders::text[]) AS k (tenant, id, sender)
             WHERE m.tenant = k.tenant AND m.id = k.id AND m.uploader = k.sender
            """;

    /** Uploads lock in the same order: the tenant's row, then the user's. */
    private static final String LOCK_USAGE = """
            SELECT FROM room.media_usage WHERE tenant = ANY (:tenants::int[]) AND uploader = '' ORDER BY tenant FOR UPDATE
            """;

    private static final String REMOVE = """
            WITH gone AS (
                 DELETE FROM room.media m USING unnest(:tenants::int[], :ids::text[]) AS k (tenant, id)
                  WHERE m.tenant = k.tenant AND m.id = k.id AND CONDITION
                 RETURNING m.tenant, m.id, m.uploader, m.size, m.sha256),
                 freed AS (
                 SELECT tenant, uploader, count(*) AS files, sum(size) AS bytes
                   FROM gone WHERE sha256 IS NOT NULL GROUP BY tenant, uploader
                  UNION ALL
                 SELECT tenant, '', count(*), sum(size) FROM gone WHERE sha256 IS NOT NULL GROUP BY tenant),
                 usage AS (
                 UPDATE room.media_usage u SET files = u.files - f.files, bytes = u.bytes - f.bytes
                   FROM freed f WHERE u.tenant = f.tenant AND u.uploader = f.uploader),
                 thumbnails AS (
                 DELETE FROM room.media_thumbnail t USING gone g
                  WHERE t.tenant = g.tenant AND t.sha256 = g.sha256
                    AND NOT EXISTS (SELECT FROM room.media o
                                     WHERE o.tenant = g.tenant AND o.sha256 = g.sha256
                                       AND NOT EXISTS (SELECT FROM gone n WHERE n.tenant = o.tenant AND n.id = o.id)))
            SELECT count(*) AS files FROM gone
            """;

    private static final String UNUSED = """
            m.retracted AND NOT m.quarantined
              AND NOT EXISTS (SELECT FROM room.media_reference r WHERE r.tenant = m.tenant AND r.media_id = m.id)
              AND NOT EXISTS (SELECT FROM room.profile p WHERE p.tenant = m.tenant AND p.avatar_media = m.id)
            """;

    private final DatabaseClient db;

    MediaRemoval(DatabaseClient db) {
        this.db = db;
    }

    /** A file named by a redacted event of {@code sender}. */
    record RedactedReference(TenantId tenant, MediaId media, UserId sender) {}

    /** Takes up to {@code most} references of events redacted before that time. */
    Mono<List<RedactedReference>> takeRedacted(long beforeMillis, int most) {
        return db.sql(TAKE_REDACTED)
                .bind("before", beforeMillis)
                .bind("most", most)
                .map(row -> new RedactedReference(
                        RequiredColumn.of(row, "tenant", TenantId.class),
                        RequiredColumn.of(row, "media_id", MediaId.class),
                        RequiredColumn.of(row, "sender", UserId.class)))
                .all()
                .collectList();
    }

    /**
     * Deletes the files whose uploaders have redacted their own references, unless other events or avatars still refer to the
     * file; returns the number of files.
     */
    Mono<Long> removeUnused(List<RedactedReference> redacted) {
        var tenants = redacted.stream().map(row -> row.tenant.value()).toArray(Integer[]::new);
        var ids = redacted.stream().map(row -> row.media.value()).toArray(String[]::new);
        var retract = db.sql(RETRACT)
                .bind("tenants", tenants)
                .bind("ids", ids)
                .bind(
                        "senders",
                        redacted.stream().map(row -> row.sender.value()).toArray(String[]::new))
                .then();
        return retract.then(remove(tenants, ids, UNUSED));
    }

    /** Deletes files regardless of references; returns the number of files. */
    public Mono<Long> remove(List<TenantMedia> files) {
        return files.isEmpty()
                ? Mono.just(0L)
                : remove(
                        files.stream().map(file -> file.tenant().value()).toArray(Integer[]::new),
                        files.stream().map(file -> file.media().value()).toArray(String[]::new),
                        "true");
    }

    /** Deletes a file regardless of references; false for an unknown file. */
    Mono<Boolean> remove(TenantId tenant, MediaId media) {
        return remove(List.of(new TenantMedia(tenant, media))).map(files -> files > 0);
    }

    private Mono<Long> remove(Integer[] tenants, String[] ids, String condition) {
        var remove = db.sql(REMOVE.replace("CONDITION", condition))
                .bind("tenants", tenants)
                .bind("ids", ids)
                .mapValue(Long.class)
                .one();
        return db.sql(LOCK_USAGE).bind("tenants", tenants).then().then(remove);
    }
}
