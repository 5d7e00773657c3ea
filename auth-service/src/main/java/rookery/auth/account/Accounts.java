package rookery.auth.account;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The accounts; the primary key decides who gets a name. */
@Component
public class Accounts {
    private static final String FIND = """
            SELECT tenant, user_id, password_hash, admin, blocked, deactivated
              FROM auth.account
             WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String HOLD = FIND + " FOR SHARE";

    private static final String INSERT = """
            INSERT INTO auth.account (tenant, user_id, password_hash, created_at)
            VALUES (:tenant, :user, :hash, :now)
                ON CONFLICT (tenant, user_id) DO NOTHING
            """;

    private static final String LOCK = FIND + " FOR UPDATE";

    private static final String SET_PASSWORD = """
            UPDATE auth.account SET password_hash = :hash WHERE tenant = :tenant AND user_id = :user
            """;

    /** No administrator is suspended. */
    private static final String SET_ADMIN = """
            UPDATE auth.account SET admin = :admin, suspended = suspended AND NOT :admin
             WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String SET_BLOCKED = """
            UPDATE auth.account SET blocked = :blocked WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String SET_SUSPENDED = """
            UPDATE auth.account SET suspended = :suspended WHERE tenant = :tenant AND user_id = :user
            """;

    /** The password stays: who knows it is told what happened (contract.md 3.1). */
    private static final String DEACTIVATE = """
            UPDATE auth.account SET deactivated = true, admin = false WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String LOCK_ADMINS = """
            SELECT pg_advisory_xact_lock(hashtext('auth.account.admin'), :tenant)
            """;

    private static final String OTHER_ADMIN = """
            SELECT 1 AS found FROM auth.account
             WHERE tenant = :tenant AND user_id <> :user AND admin AND NOT blocked AND NOT deactivated LIMIT 1
            """;

    private final DatabaseClient db;
    private final Clock clock;

    Accounts(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Deactivated ones too; empty if there never was one. */
    public Mono<Account> find(TenantId tenant, UserId user) {
        return account(FIND, tenant, user);
    }

    /** The account as it stays until the transaction ends: nobody blocks it or changes its password meanwhile. */
    public Mono<Account> hold(TenantId tenant, UserId user) {
        return account(HOLD, tenant, user);
    }

    public Mono<Boolean> exists(TenantId tenant, UserId user) {
        return find(tenant, user).hasElement();
    }

    /** Whether the name was free. */
    public Mono<Boolean> insert(TenantId tenant, UserId user, String passwordHash) {
        return db.sql(INSERT)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("hash", passwordHash)
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** The account, which nobody else changes or holds until the transaction ends. */
    public Mono<Account> lock(TenantId tenant, UserId user) {
        return account(LOCK, tenant, user);
    }

    /**
     * Locks the account, and for who may be the tenant's last administrator all changes of who is one: of two who go at the same
     * time one is the last.
     */
    public Mono<Account> lockBesideAdmins(TenantId tenant, UserId user) {
        return db.sql(LOCK_ADMINS).bind("tenant", tenant.value()).then().then(Mono.defer(() -> lock(tenant, user)));
    }

    /** Whether the tenant would have an administrator without this one. */
    public Mono<Boolean> hasOtherAdmin(TenantId tenant, UserId user) {
        return of(OTHER_ADMIN, tenant, user).mapValue(Integer.class).one().hasElement();
    }

    public Mono<Void> setPassword(TenantId tenant, UserId user, String passwordHash) {
        return of(SET_PASSWORD, tenant, user).bind("hash", passwordHash).then();
    }

    public Mono<Void> setAdmin(TenantId tenant, UserId user, boolean admin) {
        return of(SET_ADMIN, tenant, user).bind("admin", admin).then();
    }

    public Mono<Void> setBlocked(TenantId tenant, UserId user, boolean blocked) {
        return of(SET_BLOCKED, tenant, user).bind("blocked", blocked).then();
    }

    public Mono<Void> setSuspended(TenantId tenant, UserId user, boolean suspended) {
        return of(SET_SUSPENDED, tenant, user).bind("suspended", suspended).then();
    }

    /** For good. */
    public Mono<Void> deactivate(TenantId tenant, UserId user) {
        return of(DEACTIVATE, tenant, user).then();
    }

    private Mono<Account> account(String sql, TenantId tenant, UserId user) {
        return of(sql, tenant, user).map(Accounts::account).one();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, UserId user) {
        return db.sql(sql).bind("tenant", tenant.value()).bind("user", user.value());
    }

    private static Account account(Readable row) {
        return new Account(
                new TenantId(RequiredColumn.of(row, "tenant", Integer.class)),
                new UserId(RequiredColumn.of(row, "user_id", String.class)),
                row.get("password_hash", String.class),
                RequiredColumn.of(row, "admin", Boolean.class),
                RequiredColumn.of(row, "blocked", Boolean.class),
                RequiredColumn.of(row, "deactivated", Boolean.class));
    }
}
