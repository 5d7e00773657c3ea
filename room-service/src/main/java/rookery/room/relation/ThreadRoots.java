// SPDX-License-Identifier: Apache-2.0
package rookery.room.relation;

import io.r2dbc.spi.Readable;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.BoundedRows;
import rookery.room.table.EventRows;
import rookery.room.table.StoredEvent;

/** The threads of a room, ordered by their newest reply. */
@Component
public class ThreadRoots {
    // members who ignore no user get the stored newest reply
    private static final String BY_STORED_LATEST = BoundedRows.sql("""
            SELECT t.latest, e.pos, e.body
              FROM room.thread t
              JOIN room.event_text e ON e.tenant = t.tenant AND e.event_id = t.root
             WHERE t.tenant = :tenant AND t.room_id = :room AND t.latest <= :from
               AND (NOT :mine OR e.sender = :user
                    OR EXISTS (SELECT 1 FROM room.thread_sender s
                                WHERE s.tenant = t.tenant AND s.room_id = t.room_id AND s.root = t.root
                                  AND s.sender = :user))
             ORDER BY t.latest DESC LIMIT :limit
            """, "latest DESC");
    // other readers get the newest reply visible to them, searched in all threads of the room
    private static final String BY_VISIBLE_LATEST = BoundedRows.sql("""
            SELECT c.latest, e.pos, e.body
              FROM room.thread t
             CROSS JOIN LATERAL (SELECT v.pos AS latest FROM room.unredacted_event v
                                  WHERE v.tenant = t.tenant AND v.parent = t.root AND v.rel_type = 'm.thread'
                                    AND v.pos <= :upto AND v.sender <> ALL (:ignored::text[])
                                  ORDER BY v.pos DESC LIMIT 1) c
              JOIN room.event_text e ON e.tenant = t.tenant AND e.event_id = t.root
             WHERE t.tenant = :tenant AND t.room_id = :room AND c.latest <= :from
               AND (NOT :mine OR e.sender = :user
                    OR EXISTS (SELECT 1 FROM room.thread_sender s
                                WHERE s.tenant = t.tenant AND s.room_id = t.room_id AND s.root = t.root
                                  AND s.sender = :user))
             ORDER BY c.latest DESC LIMIT :limit
            """, "latest DESC");

    private final DatabaseClient db;

    ThreadRoots(DatabaseClient db) {
        this.db = db;
    }

    /** The root of a thread, and the position of the newest reply visible to the reader. */
    public record ThreadRoot(StoredEvent root, long latest) {}

    /**
     * Conditions on threads: {@code mine} for threads in which the user took part, {@code upto} for the last visible position,
     * {@code everything} for a user who sees the newest replies and ignores no user.
     */
    public record ThreadQuery(
            TenantRoom room, UserId user, boolean mine, long upto, boolean everything, Set<String> ignored) {}

    /** Threads whose newest reply is at or before the position, the newest first. */
    public Mono<BoundedRows<ThreadRoot>> stretch(ThreadQuery query, long from, int limit) {
        var sql = db.sql(query.everything ? BY_STORED_LATEST : BY_VISIBLE_LATEST)
                .bind("tenant", query.room.tenant())
                .bind("room", query.room.room())
                .bind("from", from)
                .bind("mine", query.mine)
                .bind("user", query.user)
                .bind("limit", limit);
        if (!query.everything) {
            sql = sql.bind("upto", query.upto).bind("ignored", query.ignored.toArray(String[]::new));
        }
        return EventRows.bounded(sql, ThreadRoots::root);
    }

    private static ThreadRoot root(Readable row) {
        return new ThreadRoot(EventRows.event(row), RequiredColumn.of(row, "latest", Long.class));
    }
}
