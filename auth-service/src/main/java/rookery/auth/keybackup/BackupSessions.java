// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.keybackup.BackupSession.Data;
import rookery.model.id.RoomId;
import rookery.platform.json.JsonText;
import rookery.platform.sql.RequiredColumn;

/** The table of sessions in key backups; contains the best uploaded key of each session. */
@Component
class BackupSessions {
    /**
     * A verified key is better; then the key with the lower first index; then the key with the lower forwarded count. The CTE
     * before reads the snapshot at the start of the statement: the caller's transaction has locked the backup, so no other
     * request changes the rows in between. OFFSET 0 forces one index lookup per key, even if the planner's statistics are older
     * than the growth of the backup.
     */
    private static final String PUT = """
            WITH before AS MATERIALIZED (
                 SELECT p.room_id, p.session_id, s.bytes
                   FROM unnest(:rooms::text[], :sessions::text[]) AS p (room_id, session_id)
                  CROSS JOIN LATERAL (SELECT octet_length(o.session_data) AS bytes
                                        FROM auth.key_backup_session o
                                       WHERE o.tenant = :tenant AND o.user_id = :user AND o.version = :version
                                         AND o.room_id = p.room_id AND o.session_id = p.session_id
                                      OFFSET 0) s),
                 kept AS (INSERT INTO auth.key_backup_session AS s (tenant, user_id, version, room_id, session_id,
                                                                    first_message_index, forwarded_count, is_verified,
                                                                    session_data)
                          SELECT :tenant, :user, :version, u.*
                            FROM unnest(:rooms::text[], :sessions::text[], :indexes::bigint[], :forwarded::bigint[],
                                        :verified::boolean[], :data::text[]) AS u
                              ON CONFLICT (tenant, user_id, version, room_id, session_id) DO UPDATE
                             SET first_message_index = excluded.first_message_index,
                                 forwarded_count = excluded.forwarded_count,
                                 is_verified = excluded.is_verified, session_data = excluded.session_data
                           WHERE (excluded.is_verified, -excluded.first_message_index, -excluded.forwarded_count)
                                 > (s.is_verified, -s.first_message_index, -s.forwarded_count)
                          RETURNING room_id, session_id, octet_length(session_data) AS bytes)
            SELECT count(*) AS changed, count(*) FILTER (WHERE before.bytes IS NULL) AS sessions,
                   coalesce(sum(kept.bytes - coalesce(before.bytes, 0)), 0)::bigint AS bytes
              FROM kept
              LEFT JOIN before USING (room_id, session_id)
            """;

    /** A page ends with the session that fills the byte limit; row_count is the number of rows before that cut. */
    private static final String PAGE = """
            SELECT room_id, session_id, first_message_index, forwarded_count, is_verified, session_data, row_count
              FROM (SELECT f.*, count(*) OVER () AS row_count,
                           sum(octet_length(session_data)) OVER (ORDER BY room_id, session_id)
                               - octet_length(session_data) AS before
                      FROM (SELECT room_id, session_id, first_message_index, forwarded_count, is_verified, session_data
                              FROM auth.key_backup_session
                             WHERE tenant = :tenant AND user_id = :user AND version = :version
                               AND (:room = '' OR room_id = :room) AND (:session = '' OR session_id = :session)
                               AND (room_id, session_id) > (:afterRoom, :afterSession)
                             ORDER BY room_id, session_id
                             LIMIT :limit) f) p
             WHERE before < :bytes
             ORDER BY room_id, session_id
            """;

    private static final String DELETE = """
            WITH gone AS (DELETE FROM auth.key_backup_session
                           WHERE tenant = :tenant AND user_id = :user AND version = :version
                             AND (:room = '' OR room_id = :room) AND (:session = '' OR session_id = :session)
                          RETURNING octet_length(session_data) AS bytes)
            SELECT count(*) AS changed, -count(*) AS sessions, -coalesce(sum(bytes), 0)::bigint AS bytes FROM gone
            """;

    private static final int PAGE_ROWS = 500;
    /** The bytes read at once for a client that may be slow; exceeded by at most one session. */
    static final int PAGE_BYTES = 256 << 10;

    private final DatabaseClient db;

    BackupSessions(DatabaseClient db) {
        this.db = db;
    }

    /** Stores each session that is new or better than the stored one. */
    Mono<Change> put(BackupVersion version, List<BackupSession> sessions) {
        return of(PUT, version)
                .bind("rooms", sessions.stream().map(BackupSession::room).toArray(RoomId[]::new))
                .bind("sessions", array(sessions, BackupSession::id))
                .bind(
                        "indexes",
                        sessions.stream().map(s -> s.data().firstMessageIndex()).toArray(Long[]::new))
                .bind(
                        "forwarded",
                        sessions.stream().map(s -> s.data().forwardedCount()).toArray(Long[]::new))
                .bind(
                        "verified",
                        sessions.stream().map(s -> s.data().isVerified()).toArray(Boolean[]::new))
                .bind(
                        "data",
                        array(sessions, session -> session.data().sessionData().text()))
                .map(Change::of)
                .one();
    }

    /** The next page in the order of rooms and sessions; contains at least one session if any is left after the last page. */
    Mono<Page> page(BackupVersion version, Part part, @Nullable BackupSession after) {
        return of(PAGE, version, part)
                .bind("afterRoom", after == null ? "" : after.room().value())
                .bind("afterSession", after == null ? "" : after.id())
                .bind("limit", PAGE_ROWS)
                .bind("bytes", PAGE_BYTES)
                .map(SessionRow::of)
                .all()
                .collectList()
                .map(rows -> Page.of(after, rows));
    }

    Mono<Change> delete(BackupVersion version, Part part) {
        return of(DELETE, version, part).map(Change::of).one();
    }

    private GenericExecuteSpec of(String sql, BackupVersion version, Part part) {
        return of(sql, version)
                .bind("room", part.room == null ? "" : part.room.value())
                .bind("session", part.session == null ? "" : part.session);
    }

    private GenericExecuteSpec of(String sql, BackupVersion version) {
        return db.sql(sql)
                .bind("tenant", version.tenant())
                .bind("user", version.user())
                .bind("version", version.number());
    }

    private static String[] array(List<BackupSession> sessions, Function<BackupSession, String> field) {
        return sessions.stream().map(field).toArray(String[]::new);
    }

    /** All of a backup, one room, or one session of a room. */
    record Part(@Nullable RoomId room, @Nullable String session) {
        static final Part ALL = new Part(null, null);
    }

    /**
     * The effect of a statement on a backup.
     *
     * @param changed the number of inserted, updated or deleted sessions
     * @param sessions the change of the number of sessions; {@code bytes} likewise
     */
    record Change(long changed, long sessions, long bytes) {
        static final Change NONE = new Change(0, 0, 0);

        Change and(Change next) {
            return new Change(changed + next.changed, sessions + next.sessions, bytes + next.bytes);
        }

        static Change of(Readable row) {
            return new Change(
                    RequiredColumn.of(row, "changed", Long.class),
                    RequiredColumn.of(row, "sessions", Long.class),
                    RequiredColumn.of(row, "bytes", Long.class));
        }
    }

    /** A page, with the last session of the page before. */
    record Page(@Nullable BackupSession after, List<BackupSession> sessions, boolean isLast) {
        private static Page of(@Nullable BackupSession after, List<SessionRow> rows) {
            long rowCount = rows.isEmpty() ? 0 : rows.getFirst().rowCount;
            return new Page(
                    after,
                    rows.stream().map(SessionRow::session).toList(),
                    rowCount == rows.size() && rowCount < PAGE_ROWS);
        }
    }

    /** A session, with the number of rows before the page was cut. */
    private record SessionRow(BackupSession session, long rowCount) {
        static SessionRow of(Readable row) {
            return new SessionRow(
                    new BackupSession(
                            RequiredColumn.of(row, "room_id", RoomId.class),
                            RequiredColumn.of(row, "session_id", String.class),
                            new Data(
                                    RequiredColumn.of(row, "first_message_index", Long.class),
                                    RequiredColumn.of(row, "forwarded_count", Long.class),
                                    RequiredColumn.of(row, "is_verified", Boolean.class),
                                    new JsonText(RequiredColumn.of(row, "session_data", String.class)))),
                    RequiredColumn.of(row, "row_count", Long.class));
        }
    }
}
