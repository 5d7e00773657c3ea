// SPDX-License-Identifier: Apache-2.0
package rookery.push.notification;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** Reads a user's notifications, from the user's cohorts and exceptions. */
@Component
class NotificationRows {
    private static final String FIND = """
            WITH ignored AS MATERIALIZED (
                SELECT ignored FROM push.ignored WHERE tenant = :tenant AND user_id = :user),
            reads AS MATERIALIZED (
                SELECT room_id, thread, pos FROM push.read_position WHERE tenant = :tenant AND user_id = :user),
            segment AS MATERIALIZED (
                SELECT room_id, cohort, cohort_from AS from_pos, NULL::bigint AS upto_pos
                  FROM push.member WHERE tenant = :tenant AND user_id = :user
                 UNION ALL
                SELECT room_id, cohort, from_pos, upto_pos
                  FROM push.member_past WHERE tenant = :tenant AND user_id = :user),
            notification AS (
                SELECT n.* FROM segment s
                 CROSS JOIN LATERAL (
                       SELECT n.room_id, n.pos, n.event_id, n.ts, n.actions, READ AS is_read
                         FROM push.noted n
                         LEFT JOIN reads w ON w.room_id = n.room_id AND w.thread = ''
                         LEFT JOIN reads t ON t.room_id = n.room_id AND t.thread = n.thread
                        WHERE n.tenant = :tenant AND n.room_id = s.room_id AND n.cohort = s.cohort
                          AND n.pos > s.from_pos AND (s.upto_pos IS NULL OR n.pos <= s.upto_pos)
                          AND NOT n.withdrawn AND n.sender <> :user AND FILTER
                          AND NOT EXISTS (SELECT 1 FROM push.exception e
                                           WHERE e.tenant = :tenant AND e.user_id = :user
                                             AND e.room_id = n.room_id AND e.pos = n.pos)
                        ORDER BY n.ts DESC, n.pos DESC LIMIT :limit) n
                 UNION ALL
                SELECT n.room_id, n.pos, n.event_id, n.ts, n.actions, READ
                  FROM push.exception n
                  LEFT JOIN reads w ON w.room_id = n.room_id AND w.thread = ''
                  LEFT JOIN reads t ON t.room_id = n.room_id AND t.thread = n.thread
                 WHERE n.tenant = :tenant AND n.user_id = :user AND n.notify AND FILTER)
            SELECT * FROM notification ORDER BY ts DESC, room_id DESC, pos DESC LIMIT :limit
            """.replace("READ", "(n.pos <= coalesce(greatest(w.pos, t.pos), 0))")
            .replace("FILTER", """
                n.sender NOT IN (SELECT ignored FROM ignored)
                AND n.ts >= CASE WHEN n.highlight THEN :highlightsSince ELSE :since END
                AND (n.ts, n.room_id, n.pos) < (:ts, :room, :pos) AND ONLY
                """);

    private static final String FIND_ALL = FIND.replace("ONLY", "true");
    private static final String FIND_HIGHLIGHTS = FIND.replace("ONLY", "n.highlight");
    private static final String FIND_UNREAD = FIND.replace("ONLY", "n.pos > coalesce(greatest(w.pos, t.pos), 0)");

    private final DatabaseClient db;

    NotificationRows(DatabaseClient db) {
        this.db = db;
    }

    /** The filter of the list. */
    enum NotificationFilter {
        EVERYTHING(FIND_ALL),
        HIGHLIGHT(FIND_HIGHLIGHTS),
        UNREAD(FIND_UNREAD);

        private final String sql;

        NotificationFilter(String sql) {
            this.sql = sql;
        }
    }

    /** The oldest listed times in ms; highlights are listed longer. */
    record ListedSince(long ordinary, long highlights) {}

    record Notification(RoomId room, long pos, EventId event, long ts, String actionsJson, boolean read) {}

    /** Newest first. */
    Mono<List<Notification>> find(
            TenantId tenant, UserId user, NotificationFilter only, PageEnd from, ListedSince since, int limit) {
        return db.sql(only.sql)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("ts", from.ts())
                .bind("room", from.room())
                .bind("pos", from.pos())
                .bind("since", since.ordinary)
                .bind("highlightsSince", since.highlights)
                .bind("limit", limit)
                .map(NotificationRows::row)
                .all()
                .collectList();
    }

    private static Notification row(Readable row) {
        return new Notification(
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "pos", Long.class),
                RequiredColumn.of(row, "event_id", EventId.class),
                RequiredColumn.of(row, "ts", Long.class),
                RequiredColumn.of(row, "actions", String.class),
                RequiredColumn.of(row, "is_read", Boolean.class));
    }
}
