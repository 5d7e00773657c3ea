// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.auth.keybackup.BackupSessions.Change;
import rookery.auth.keybackup.BackupSessions.Part;
import rookery.auth.keybackup.KeyBackups.BackupRow;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.Portions;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** Changes key backups. A change locks the row of the backup; an upload of sessions locks all backups of the user. */
@Component
class BackupKeeper {
    private static final int VERSIONS_MAX = 100;
    /** The number of rows that one DELETE removes within the statement timeout. */
    private static final int SESSIONS_MAX = 200_000;

    private final KeyBackups backups;
    private final BackupSessions sessions;
    private final Accounts accounts;
    private final KeyBackupProperties properties;
    private final Tenants tenants;
    private final TransactionalOperator tx;

    BackupKeeper(
            KeyBackups backups,
            BackupSessions sessions,
            Accounts accounts,
            KeyBackupProperties properties,
            Tenants tenants,
            TransactionalOperator tx) {
        this.backups = backups;
        this.sessions = sessions;
        this.accounts = accounts;
        this.properties = properties;
        this.tenants = tenants;
        this.tx = tx;
    }

    /** Returns the number of the new version, which is then the current one; M_INVALID_PARAM if the user has a hundred. */
    Mono<Long> create(TenantId tenant, UserId user, String algorithm, String authData) {
        return accounts.lock(tenant, user)
                .flatMap(_ -> backups.count(tenant, user))
                .flatMap(count -> count < VERSIONS_MAX
                        ? backups.insert(tenant, user, algorithm, authData)
                        : Mono.error(new ApiException(
                                ErrorCode.M_INVALID_PARAM, "there are too many backups: delete one first")))
                .as(tx::transactional);
    }

    /** M_NOT_FOUND; M_INVALID_PARAM for a changed algorithm. */
    Mono<Void> setData(BackupVersion version, String algorithm, String authData) {
        return locked(version)
                .flatMap(stored -> stored.algorithm().equals(algorithm)
                        ? backups.setData(version, authData)
                        : Mono.error(new ApiException(
                                ErrorCode.M_INVALID_PARAM, "the algorithm of a backup does not change")))
                .as(tx::transactional);
    }

    /** M_NOT_FOUND. */
    Mono<Void> delete(BackupVersion version) {
        return locked(version)
                .flatMap(_ -> sessions.delete(version, Part.ALL))
                .flatMap(_ -> backups.delete(version))
                .then()
                .as(tx::transactional);
    }

    /**
     * Stores each session that is new or better than the stored one. Returns the updated backup. M_NOT_FOUND,
     * M_WRONG_ROOM_KEYS_VERSION for a version that is not the current one, M_TOO_LARGE above 200,000 sessions,
     * M_RESOURCE_LIMIT_EXCEEDED above the byte limit of all backups.
     */
    Mono<BackupRow> put(BackupVersion version, List<BackupSession> put) {
        return backups.lockAll(version.tenant(), version.user())
                .then(Mono.defer(() -> locked(version)))
                .delayUntil(_ -> requireInUse(version))
                .doOnNext(stored -> requireRoom(stored, put.size()))
                .flatMap(stored -> putAll(version, put, stored))
                .as(tx::transactional);
    }

    private static void requireRoom(BackupRow stored, int more) {
        if (stored.sessions() + more > SESSIONS_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "a backup has at most " + SESSIONS_MAX + " sessions");
        }
    }

    private Mono<BackupRow> putAll(BackupVersion version, List<BackupSession> put, BackupRow before) {
        return Flux.fromIterable(Portions.of(put))
                .concatMap(portion -> sessions.put(version, portion))
                .reduce(Change.NONE, Change::and)
                .flatMap(change -> change.changed() == 0 ? Mono.just(before) : changed(version, change));
    }

    /** A change that does not enlarge the backups always succeeds. */
    private Mono<Void> requireQuota(BackupVersion version, Change change) {
        return change.bytes() <= 0
                ? Mono.empty()
                : backups.bytes(version.tenant(), version.user())
                        .filter(bytes -> bytes > bytesMax(version.tenant()))
                        .flatMap(_ -> Mono.error(full(version.tenant())));
    }

    private ApiException full(TenantId tenant) {
        return new ApiException(
                ErrorCode.M_RESOURCE_LIMIT_EXCEEDED,
                "all key backups of a user have at most %d bytes together: delete an old one"
                        .formatted(bytesMax(tenant)));
    }

    /** Deletes a part of the backup, also of a version that is not the current one. Returns the updated backup. M_NOT_FOUND. */
    Mono<BackupRow> delete(BackupVersion version, Part part) {
        return locked(version)
                .flatMap(stored -> sessions.delete(version, part)
                        .flatMap(change -> change.changed() == 0 ? Mono.just(stored) : changed(version, change)))
                .as(tx::transactional);
    }

    private Mono<BackupRow> changed(BackupVersion version, Change change) {
        return backups.change(version, change)
                .then(Mono.defer(() -> requireQuota(version, change)))
                .then(Mono.defer(() -> backups.find(version)));
    }

    private Mono<Void> requireInUse(BackupVersion version) {
        return backups.latest(version.tenant(), version.user())
                .filter(latest -> latest.version() != version.number())
                .flatMap(latest -> Mono.error(
                        new ApiException(ErrorCode.M_WRONG_ROOM_KEYS_VERSION, "another backup version is current now")
                                .with("current_version", Long.toString(latest.version()))));
    }

    private Mono<BackupRow> locked(BackupVersion version) {
        return backups.lock(version).switchIfEmpty(Mono.error(BackupVersion::unknown));
    }

    private long bytesMax(TenantId tenant) {
        return tenants.setting(
                tenant,
                TenantSettings.KEY_BACKUP_BYTES_MAX,
                properties.bytesMax().toBytes());
    }
}
