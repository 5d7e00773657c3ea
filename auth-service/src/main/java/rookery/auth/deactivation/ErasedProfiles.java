package rookery.auth.deactivation;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Profiles of users who wanted nothing to be left of them. */
@Component
class ErasedProfiles {
    private static final String ERASE = """
            DELETE FROM auth.profile_field WHERE tenant = :tenant AND user_id = :user
            """;

    private final DatabaseClient db;

    ErasedProfiles(DatabaseClient db) {
        this.db = db;
    }

    Mono<Void> erase(TenantId tenant, UserId user) {
        return db.sql(ERASE)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .then();
    }
}
