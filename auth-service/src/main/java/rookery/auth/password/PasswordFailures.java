package rookery.auth.password;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/**
 * How often a password of each account was guessed wrong of late; in PostgreSQL, so that no restart and no second instance
 * allows more guesses (CONTRACT.md 2.6).
 */
@Component
public class PasswordFailures {
    private static final String CURRENT = """
            SELECT since, failures
              FROM auth.password_failure
             WHERE tenant = :tenant AND user_id = :user AND since > :start
            """;

    private static final String COUNT = """
            INSERT INTO auth.password_failure AS f (tenant, user_id, since, failures)
            VALUES (:tenant, :user, :now, 1)
                ON CONFLICT (tenant, user_id) DO UPDATE
               SET since = CASE WHEN f.since > :start THEN f.since ELSE excluded.since END,
                   failures = CASE WHEN f.since > :start THEN f.failures + 1 ELSE 1 END
            RETURNING since, failures
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.password_failure WHERE since <= :start
            """;

    private final DatabaseClient db;
    private final PasswordProperties properties;
    private final Clock clock;

    PasswordFailures(DatabaseClient db, PasswordProperties properties, Clock clock) {
        this.db = db;
        this.properties = properties;
        this.clock = clock;
    }

    /** M_LIMIT_EXCEEDED when no more guesses are allowed; see {@code PasswordCheck}, which asks twice. */
    public Mono<Void> requireSome(TenantId tenant, UserId user) {
        return db.sql(CURRENT)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("start", start())
                .map(PasswordFailures::window)
                .one()
                .flatMap(window -> refusedAbove(window, properties.failuresMax() - 1));
    }

    /** Counts one more; M_LIMIT_EXCEEDED when it was one too many. */
    public Mono<Void> count(TenantId tenant, UserId user) {
        return db.sql(COUNT)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("now", clock.instant())
                .bind("start", start())
                .map(PasswordFailures::window)
                .one()
                .flatMap(window -> refusedAbove(window, properties.failuresMax()));
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD).bind("start", start()).then());
    }

    private Mono<Void> refusedAbove(Window window, int most) {
        if (window.failures <= most) {
            return Mono.empty();
        }
        var rest = Duration.between(clock.instant(), window.since.plus(properties.failuresWindow()));
        long millis = Math.max(1, rest.toMillis());
        return Mono.error(new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "too many failed logins, try again later")
                .withRetryAfter((int) Math.ceilDiv(millis, 1000))
                .with("retry_after_ms", millis));
    }

    private Instant start() {
        return clock.instant().minus(properties.failuresWindow());
    }

    private record Window(Instant since, int failures) {}

    private static Window window(Readable row) {
        return new Window(
                RequiredColumn.of(row, "since", Instant.class), RequiredColumn.of(row, "failures", Integer.class));
    }
}
