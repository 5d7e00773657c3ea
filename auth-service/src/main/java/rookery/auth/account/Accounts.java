package rookery.auth.account;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The accounts; the primary key decides who gets a name. */
@Component
public class Accounts {
    private static final String FIND = """
            SELECT tenant, user_id, password_hash, blocked, deactivated
              FROM auth.account
             WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String HOLD = FIND + " FOR SHARE";

    private static final String INSERT = """
            INSERT INTO auth.account (tenant, user_id, password_hash, created_at)
            VALUES (:tenant, :user, :hash, :now)
                ON CONFLICT (tenant, user_id) DO NOTHING
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

    private Mono<Account> account(String sql, TenantId tenant, UserId user) {
        return db.sql(sql)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .map(Accounts::account)
                .one();
    }

    private static Account account(Readable row) {
        return new Account(
                new TenantId(RequiredColumn.of(row, "tenant", Integer.class)),
                new UserId(RequiredColumn.of(row, "user_id", String.class)),
                row.get("password_hash", String.class),
                RequiredColumn.of(row, "blocked", Boolean.class),
                RequiredColumn.of(row, "deactivated", Boolean.class));
    }
}
