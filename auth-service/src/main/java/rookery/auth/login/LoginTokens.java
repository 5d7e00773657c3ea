// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.session.TokenHash;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The table of single-use login tokens, stored as hashes. */
@Component
public class LoginTokens {
    private static final String INSERT = """
            INSERT INTO auth.login_token (tenant, token_hash, user_id, expires_at)
            VALUES (:tenant, :hash, :user, :expires)
            """;

    private static final String TAKE = """
            DELETE FROM auth.login_token
             WHERE tenant = :tenant AND token_hash = :hash
            RETURNING user_id, expires_at
            """;

    private static final String DELETE_OF_USER = """
            DELETE FROM auth.login_token WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.login_token WHERE expires_at <= :now
            """;

    private final DatabaseClient db;
    private final Clock clock;

    LoginTokens(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    Mono<Void> insert(TenantId tenant, UserId user, String token, Duration life) {
        return db.sql(INSERT)
                .bind("tenant", tenant)
                .bind("hash", TokenHash.of(token).bytes())
                .bind("user", user)
                .bind("expires", clock.instant().plus(life))
                .then();
    }

    /** Deletes the token and returns its user if the token has not expired. Called in the transaction of the login. */
    Mono<UserId> take(TenantId tenant, String token) {
        return db.sql(TAKE)
                .bind("tenant", tenant)
                .bind("hash", TokenHash.of(token).bytes())
                .map(LoginTokens::taken)
                .one()
                .filter(taken -> taken.expires.isAfter(clock.instant()))
                .map(TakenToken::user);
    }

    /** For an account with a new password, or one that is deactivated. */
    public Mono<Void> deleteAll(TenantId tenant, UserId user) {
        return db.sql(DELETE_OF_USER).bind("tenant", tenant).bind("user", user).then();
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD).bind("now", clock.instant()).then());
    }

    private record TakenToken(UserId user, Instant expires) {}

    private static TakenToken taken(Readable row) {
        return new TakenToken(
                RequiredColumn.of(row, "user_id", UserId.class), RequiredColumn.of(row, "expires_at", Instant.class));
    }
}
