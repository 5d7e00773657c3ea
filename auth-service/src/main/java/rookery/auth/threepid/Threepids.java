package rookery.auth.threepid;

import java.time.Clock;
import java.time.Instant;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The addresses of the accounts; the primary key decides who has one. */
@Component
public class Threepids {
    private static final String OWNER = """
            SELECT user_id
              FROM auth.threepid
             WHERE tenant = :tenant AND medium = :medium AND address = :address
            """;

    private static final String ADD = """
            INSERT INTO auth.threepid AS t (tenant, medium, address, user_id, validated_at, added_at)
            VALUES (:tenant, :medium, :address, :user, :validated, :now)
                ON CONFLICT (tenant, medium, address) DO UPDATE SET validated_at = t.validated_at
             WHERE t.user_id = excluded.user_id
            """;

    private static final String DELETE_ALL = """
            DELETE FROM auth.threepid WHERE tenant = :tenant AND user_id = :user
            """;

    private final DatabaseClient db;
    private final Clock clock;

    Threepids(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Whose it is; empty when nobody's. */
    public Mono<UserId> owner(TenantId tenant, Threepid threepid) {
        return of(OWNER, tenant, threepid)
                .map(row -> new UserId(RequiredColumn.of(row, "user_id", String.class)))
                .one();
    }

    /** Whether it is the user's now: false when somebody else has it. Adding one's own again changes nothing. */
    public Mono<Boolean> add(TenantId tenant, UserId user, Threepid threepid, Instant validatedAt) {
        return of(ADD, tenant, threepid)
                .bind("user", user.value())
                .bind("validated", validatedAt)
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** For an account that ends. */
    public Mono<Void> deleteAll(TenantId tenant, UserId user) {
        return db.sql(DELETE_ALL)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .then();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, Threepid threepid) {
        return db.sql(sql)
                .bind("tenant", tenant.value())
                .bind("medium", threepid.medium().text)
                .bind("address", threepid.address());
    }
}
