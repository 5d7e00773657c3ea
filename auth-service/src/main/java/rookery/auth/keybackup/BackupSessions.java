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

/** The keys in backups; of each session the best that was sent. */
@Component
class BackupSessions {
    /** What was verified is better, then what begins earlier, then what went through fewer hands. */
    private static final String PUT = """
            INSERT INTO auth.key_backup_session AS s (tenant, user_id, version, room_id, session_id,
                                                      first_message_index, forwarded_count, is_verified, session_data)
            SELECT :tenant, :user, :version, u.*
              FROM unnest(:rooms::text[], :sessions::text[], :indexes::bigint[], :forwarded::bigint[],
                          :verified::boolean[], :data::text[]) AS u
                ON CONFLICT (tenant, user_id, version, room_id, session_id) DO UPDATE
               SET first_message_index = excluded.first_message_index, forwarded_count = excluded.forwarded_count,
                   is_verified = excluded.is_verified, session_data = excluded.session_data
             WHERE (excluded.is_verified, -excluded.first_message_index, -excluded.forwarded_count)
                   > (s.is_verified, -s.first_message_index, -s.forwarded_count)
            RETURNING s.xmax = 0 AS inserted
            """;

    private static final String PAGE = """
            SELECT room_id, session_id, first_message_index, forwarded_count, is_verified, session_data
              FROM auth.key_backup_session
             WHERE tenant = :tenant AND user_id = :user AND version = :version
               AND (:room = '' OR room_id = :room) AND (:session = '' OR session_id = :session)
               AND (room_id, session_id) > (:afterRoom, :afterSession)
             ORDER BY room_id, session_id
             LIMIT :limit
            """;

    private static final String DELETE = """
            DELETE FROM auth.key_backup_session
             WHERE tenant = :tenant AND user_id = :user AND version = :version
               AND (:room = '' OR room_id = :room) AND (:session = '' OR session_id = :session)
            """;

    static final int PAGE_ROWS = 500;

    private final DatabaseClient db;

    BackupSessions(DatabaseClient db) {
        this.db = db;
    }

    /** Keeps those that are better than what there is; for each of those whether there was nothing. */
    Mono<List<Boolean>> put(BackupVersion version, List<BackupSession> sessions) {
        return of(PUT, version)
                .bind("rooms", array(sessions, session -> session.room().value()))
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
                .mapValue(Boolean.class)
                .all()
                .collectList();
    }

    /** At most 500, in the order of rooms and sessions; none after the last. */
    Mono<List<BackupSession>> page(BackupVersion version, Part part, @Nullable BackupSession after) {
        return of(PAGE, version, part)
                .bind("afterRoom", after == null ? "" : after.room().value())
                .bind("afterSession", after == null ? "" : after.id())
                .bind("limit", PAGE_ROWS)
                .map(BackupSessions::session)
                .all()
                .collectList();
    }

    /** How many there were. */
    Mono<Long> delete(BackupVersion version, Part part) {
        return of(DELETE, version, part).fetch().rowsUpdated();
    }

    private GenericExecuteSpec of(String sql, BackupVersion version, Part part) {
        return of(sql, version)
                .bind("room", part.room == null ? "" : part.room.value())
                .bind("session", part.session == null ? "" : part.session);
    }

    private GenericExecuteSpec of(String sql, BackupVersion version) {
        return db.sql(sql)
                .bind("tenant", version.tenant().value())
                .bind("user", version.user().value())
                .bind("version", version.number());
    }

    private static String[] array(List<BackupSession> sessions, Function<BackupSession, String> field) {
        return sessions.stream().map(field).toArray(String[]::new);
    }

    /** All of a backup, or one room, or one session of it. */
    record Part(@Nullable RoomId room, @Nullable String session) {
        static final Part ALL = new Part(null, null);
    }

    private static BackupSession session(Readable row) {
        return new BackupSession(
                new RoomId(RequiredColumn.of(row, "room_id", String.class)),
                RequiredColumn.of(row, "session_id", String.class),
                new Data(
                        RequiredColumn.of(row, "first_message_index", Long.class),
                        RequiredColumn.of(row, "forwarded_count", Long.class),
                        RequiredColumn.of(row, "is_verified", Boolean.class),
                        new JsonText(RequiredColumn.of(row, "session_data", String.class))));
    }
}
