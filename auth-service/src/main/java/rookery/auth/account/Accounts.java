// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The table of accounts. The primary key decides which registration gets a user ID. */
@Component
public class Accounts {
    private static final String FIND = """
            SELECT tenant, user_id, password_hash, admin, blocked, deactivated, approved
              FROM auth.account
             WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String HOLD = FIND + " FOR SHARE";

    private static final String IS_BELOW = """
            SELECT count(*) < :limit AS below FROM auth.account WHERE tenant = :tenant AND NOT deactivated
            """;

    private static final String INSERT = """
            INSERT INTO auth.account (tenant, user_id, password_hash, created_at, approved)
            VALUES (:tenant, :user, :hash, :now, :approved)
                ON CONFLICT (tenant, user_id) DO NOTHING
            """;

    private static final String LOCK = FIND + " FOR UPDATE";

    private static final String SET_PASSWORD = """
            UPDATE auth.account SET password_hash = :hash WHERE tenant = :tenant AND user_id = :user
            """;

    /** An administrator is never suspended: the grant ends a suspension. */
    private static final String SET_ADMIN = """
            UPDATE auth.account SET admin = :admin, suspended = suspended AND NOT :admin
             WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String APPROVE = """
            UPDATE auth.account SET approved = true WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String SET_BLOCKED = """
            UPDATE auth.account SET blocked = :blocked WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String SET_SUSPENDED = """
            UPDATE auth.account SET suspended = :suspended WHERE tenant = :tenant AND user_id = :user
            """;

    /** The password hash is kept: a login with the right password answers M_USER_DEACTIVATED (contract.md 3.1). */
    private static final String DEACTIVATE = """
            UPDATE auth.account SET deactivated = true, admin = false WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String LOCK_ADMINS = """
            SELECT pg_advisory_xact_lock(hashtext('auth.account.admin'), :tenant)
            """;

    private static final String OTHER_ADMIN = """
            SELECT 1 FROM auth.account
             WHERE tenant = :tenant AND user_id <> :user AND admin AND approved
               AND NOT blocked AND NOT deactivated LIMIT 1
            """;

    private final DatabaseClient db;
    private final Clock clock;

    Accounts(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** The account, also a deactivated one; empty for an unknown user ID. */
    public Mono<Account> find(TenantId tenant, UserId user) {
        return account(FIND, tenant, user);
    }

    /** The account under a shared lock: no other transaction blocks the account or changes its password until this one ends. */
    public Mono<Account> hold(TenantId tenant, UserId user) {
        return account(HOLD, tenant, user);
    }

    public Mono<Boolean> exists(TenantId tenant, UserId user) {
        return find(tenant, user).hasElement();
    }

    /** Whether the tenant has fewer active accounts than the limit. */
    public Mono<Boolean> areBelow(TenantId tenant, long limit) {
        return db.sql(IS_BELOW)
                .bind("tenant", tenant)
                .bind("limit", limit)
                .map(row -> RequiredColumn.of(row, "below", Boolean.class))
                .one();
    }

    /** True if the user ID was free. */
    public Mono<Boolean> insert(TenantId tenant, UserId user, String passwordHash, boolean approved) {
        return db.sql(INSERT)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("hash", passwordHash)
                .bind("approved", approved)
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** The account under an exclusive lock until the transaction ends. */
    public Mono<Account> lock(TenantId tenant, UserId user) {
        return account(LOCK, tenant, user);
    }

    /**
     * Locks the account, after an advisory lock on the set of the tenant's administrators. Concurrent changes of administrators
     * are serialized, so at least one administrator is left.
     */
    public Mono<Account> lockBesideAdmins(TenantId tenant, UserId user) {
        return db.sql(LOCK_ADMINS).bind("tenant", tenant).then().then(Mono.defer(() -> lock(tenant, user)));
    }

    /** M_FORBIDDEN if the tenant has no other active administrator. */
    public Mono<Void> requireOtherAdmin(TenantId tenant, UserId user) {
        return of(OTHER_ADMIN, tenant, user)
                .mapValue(Integer.class)
                .one()
                .switchIfEmpty(Mono.error(() -> new ApiException(
                        ErrorCode.M_FORBIDDEN, "this is the last administrator: promote another user first")))
                .then();
    }

    public Mono<Void> setPassword(TenantId tenant, UserId user, String passwordHash) {
        return of(SET_PASSWORD, tenant, user).bind("hash", passwordHash).then();
    }

    public Mono<Void> setAdmin(TenantId tenant, UserId user, boolean admin) {
        return of(SET_ADMIN, tenant, user).bind("admin", admin).then();
    }

    public Mono<Void> approve(TenantId tenant, UserId user) {
        return of(APPROVE, tenant, user).then();
    }

    public Mono<Void> setBlocked(TenantId tenant, UserId user, boolean blocked) {
        return of(SET_BLOCKED, tenant, user).bind("blocked", blocked).then();
    }

    public Mono<Void> setSuspended(TenantId tenant, UserId user, boolean suspended) {
        return of(SET_SUSPENDED, tenant, user).bind("suspended", suspended).then();
    }

    /** Deactivates the account for good. */
    public Mono<Void> deactivate(TenantId tenant, UserId user) {
        return of(DEACTIVATE, tenant, user).then();
    }

    private Mono<Account> account(String sql, TenantId tenant, UserId user) {
        return of(sql, tenant, user).map(Accounts::account).one();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, UserId user) {
        return db.sql(sql).bind("tenant", tenant).bind("user", user);
    }

    private static Account account(Readable row) {
        return new Account(
                RequiredColumn.of(row, "tenant", TenantId.class),
                RequiredColumn.of(row, "user_id", UserId.class),
                row.get("password_hash", String.class),
                RequiredColumn.of(row, "admin", Boolean.class),
                RequiredColumn.of(row, "blocked", Boolean.class),
                RequiredColumn.of(row, "deactivated", Boolean.class),
                RequiredColumn.of(row, "approved", Boolean.class));
    }
}
