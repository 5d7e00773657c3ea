// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import io.r2dbc.spi.Readable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.keybackup.BackupSessions.Change;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.json.JsonText;
import rookery.platform.sql.RequiredColumn;

/** The table of key backup versions: algorithm, auth data, ETag and number of sessions. */
@Component
public class KeyBackups {
    private static final String COLUMNS = "SELECT version, algorithm, auth_data, etag, sessions FROM auth.key_backup";

    private static final String FIND = COLUMNS + """
             WHERE tenant = :tenant AND user_id = :user AND version = :version AND NOT deleted
            """;

    private static final String LATEST = COLUMNS + """
             WHERE tenant = :tenant AND user_id = :user AND NOT deleted ORDER BY version DESC LIMIT 1
            """;

    private static final String COUNT = """
            SELECT count(*) FROM auth.key_backup WHERE tenant = :tenant AND user_id = :user AND NOT deleted
            """;

    private static final String LOCK_ALL = """
            SELECT version FROM auth.key_backup
             WHERE tenant = :tenant AND user_id = :user AND NOT deleted ORDER BY version FOR UPDATE
            """;

    private static final String BYTES = """
            SELECT coalesce(sum(bytes), 0)::bigint FROM auth.key_backup WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String INSERT = """
            INSERT INTO auth.key_backup (tenant, user_id, version, algorithm, auth_data)
            SELECT :tenant, :user, coalesce(max(version), 0) + 1, :algorithm, :data
              FROM auth.key_backup WHERE tenant = :tenant AND user_id = :user
            RETURNING version
            """;

    private static final String SET_DATA = """
            UPDATE auth.key_backup SET auth_data = :data
             WHERE tenant = :tenant AND user_id = :user AND version = :version AND NOT deleted
            """;

    private static final String CHANGE = """
            UPDATE auth.key_backup SET etag = etag + 1, sessions = sessions + :sessions, bytes = bytes + :bytes
             WHERE tenant = :tenant AND user_id = :user AND version = :version
            """;

    private static final String DELETE = """
            UPDATE auth.key_backup SET deleted = true, algorithm = '', auth_data = '{}', sessions = 0, bytes = 0
             WHERE tenant = :tenant AND user_id = :user AND version = :version AND NOT deleted
            """;

    private static final String DELETE_ALL = """
            DELETE FROM auth.key_backup WHERE tenant = :tenant AND user_id = :user
            """;

    private final DatabaseClient db;

    KeyBackups(DatabaseClient db) {
        this.db = db;
    }

    /** Empty for an unknown or deleted version. */
    Mono<BackupRow> find(BackupVersion version) {
        return of(FIND, version).map(KeyBackups::stored).one();
    }

    /** The same, locked until the transaction ends. */
    Mono<BackupRow> lock(BackupVersion version) {
        return of(FIND + " FOR UPDATE", version).map(KeyBackups::stored).one();
    }

    /** The current version; empty if the user has none. */
    Mono<BackupRow> latest(TenantId tenant, UserId user) {
        return of(LATEST, tenant, user).map(KeyBackups::stored).one();
    }

    Mono<Long> count(TenantId tenant, UserId user) {
        return of(COUNT, tenant, user).mapValue(Long.class).one();
    }

    /** Returns the number of the new version. The caller has locked the account. */
    Mono<Long> insert(TenantId tenant, UserId user, String algorithm, String authData) {
        return of(INSERT, tenant, user)
                .bind("algorithm", algorithm)
                .bind("data", authData)
                .mapValue(Long.class)
                .one();
    }

    Mono<Void> setData(BackupVersion version, String authData) {
        return of(SET_DATA, version).bind("data", authData).then();
    }

    /** Locks all backups of the user until the transaction ends. */
    Mono<Void> lockAll(TenantId tenant, UserId user) {
        return of(LOCK_ALL, tenant, user).then();
    }

    /** The sum of the bytes of all backups of the user. */
    Mono<Long> bytes(TenantId tenant, UserId user) {
        return of(BYTES, tenant, user).mapValue(Long.class).one();
    }

    /** Adds a change of the sessions to the counters and increments the ETag. */
    Mono<Void> change(BackupVersion version, Change change) {
        return of(CHANGE, version)
                .bind("sessions", change.sessions())
                .bind("bytes", change.bytes())
                .then();
    }

    /** True if the version existed. Its number is never assigned again. */
    Mono<Boolean> delete(BackupVersion version) {
        return of(DELETE, version).fetch().rowsUpdated().map(rows -> rows > 0);
    }

    /** Deletes all versions with their sessions, for an account that is deactivated. */
    public Mono<Void> deleteAll(TenantId tenant, UserId user) {
        return of(DELETE_ALL, tenant, user).then();
    }

    private GenericExecuteSpec of(String sql, BackupVersion version) {
        return of(sql, version.tenant(), version.user()).bind("version", version.number());
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, UserId user) {
        return db.sql(sql).bind("tenant", tenant).bind("user", user);
    }

    /** A version; {@code etag} changes with every change of the sessions. */
    record BackupRow(long version, String algorithm, JsonText authData, long etag, long sessions) {}

    private static BackupRow stored(Readable row) {
        return new BackupRow(
                RequiredColumn.of(row, "version", Long.class),
                RequiredColumn.of(row, "algorithm", String.class),
                new JsonText(RequiredColumn.of(row, "auth_data", String.class)),
                RequiredColumn.of(row, "etag", Long.class),
                RequiredColumn.of(row, "sessions", Long.class));
    }
}
