// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import io.r2dbc.spi.Readable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;

/** Counts over a tenant's rooms, events and files. */
@Component
class RoomFacts {
    private static final String STATS = """
            SELECT (SELECT count(*) FROM room.room WHERE tenant = :tenant) AS rooms,
                   (SELECT count(*) FROM room.current_state
                     WHERE tenant = :tenant AND type = 'm.room.encryption' AND state_key = '') AS encrypted,
                   (SELECT count(*) FROM room.event WHERE tenant = :tenant) AS events,
                   (SELECT count(*) FROM room.event WHERE tenant = :tenant AND ts >= :since) AS recent,
                   COALESCE(u.files, 0) AS files, COALESCE(u.bytes, 0) AS bytes
              FROM (SELECT) AS one
              LEFT JOIN room.media_usage u ON u.tenant = :tenant AND u.uploader = ''
            """;

    private final DatabaseClient db;

    RoomFacts(DatabaseClient db) {
        this.db = db;
    }

    record Counts(long rooms, long encrypted, long events, long recent, long files, long bytes) {}

    Mono<Counts> counts(TenantId tenant, long sinceMillis) {
        return db.sql(STATS)
                .bind("tenant", tenant)
                .bind("since", sinceMillis)
                .map(RoomFacts::counts)
                .one();
    }

    private static Counts counts(Readable row) {
        return new Counts(
                RequiredColumn.of(row, "rooms", Long.class),
                RequiredColumn.of(row, "encrypted", Long.class),
                RequiredColumn.of(row, "events", Long.class),
                RequiredColumn.of(row, "recent", Long.class),
                RequiredColumn.of(row, "files", Long.class),
                RequiredColumn.of(row, "bytes", Long.class));
    }
}
