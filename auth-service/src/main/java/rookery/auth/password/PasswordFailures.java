// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/**
 * Counts failed password checks (contract.md 2.6). In PostgreSQL, so that restarts and further instances do not allow more
 * attempts. An attacker locks out the attacking network, not the owner of the account.
 */
@Component
public class PasswordFailures {
    private static final String CURRENT = """
            SELECT f.user_id, f.network, f.since, f.failures
              FROM unnest(:users::text[], :networks::text[]) AS k (user_id, network)
              JOIN auth.password_failure f ON f.tenant = :tenant AND f.user_id = k.user_id AND f.network = k.network
             WHERE f.since > :start
            """;

    private static final String COUNT = """
            INSERT INTO auth.password_failure AS f (tenant, user_id, network, since, failures)
            SELECT :tenant, k.user_id, k.network, :now, 1
              FROM unnest(:users::text[], :networks::text[]) AS k (user_id, network)
                ON CONFLICT (tenant, user_id, network) DO UPDATE
               SET since = CASE WHEN f.since > :start THEN f.since ELSE excluded.since END,
                   failures = CASE WHEN f.since > :start THEN f.failures + 1 ELSE 1 END
            RETURNING f.user_id, f.network, f.since, f.failures
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.password_failure WHERE since <= :start
            """;

    private static final String KNOWN = """
            SELECT 1
              FROM auth.known_network
             WHERE tenant = :tenant AND user_id = :user AND network = :network AND login_at > :since
            """;

    private static final String NOTE = """
            INSERT INTO auth.known_network AS k (tenant, user_id, network, login_at)
            VALUES (:tenant, :user, :network, :now)
                ON CONFLICT (tenant, user_id, network) DO UPDATE SET login_at = excluded.login_at
             WHERE k.login_at < :yesterday
            """;

    private static final String FORGET_OLD = """
            DELETE FROM auth.known_network WHERE login_at <= :since
            """;

    private static final String FORGET = """
            DELETE FROM auth.known_network WHERE tenant = :tenant AND user_id = :user
            """;

    private final DatabaseClient db;
    private final PasswordProperties properties;
    private final Clock clock;

    PasswordFailures(DatabaseClient db, PasswordProperties properties, Clock clock) {
        this.db = db;
        this.properties = properties;
        this.clock = clock;
    }

    /**
     * The client of a password check.
     *
     * @param user the user ID of the attempt; the user may not exist
     * @param ip the client's address
     */
    public record Guesser(TenantId tenant, UserId user, String ip) {
        private String network() {
            return ClientNetwork.of(ip);
        }
    }

    /** The subject of a counter, with the maximum within the window. */
    private record FailureKey(String user, String network, int most) {
        private static final String ALL = "";
    }

    private List<FailureKey> keys(Guesser guesser) {
        return List.of(
                new FailureKey(guesser.user.value(), guesser.network(), properties.failuresMax()),
                new FailureKey(guesser.user.value(), FailureKey.ALL, properties.failuresOfAccountMax()),
                new FailureKey(FailureKey.ALL, guesser.ip, properties.failuresOfAddressMax()));
    }

    /** M_LIMIT_EXCEEDED if no further attempt is allowed. {@code PasswordCheck} calls this before and after hashing. */
    public Mono<Void> requireSome(Guesser guesser) {
        return bound(CURRENT, guesser)
                .map(PasswordFailures::window)
                .all()
                .collectList()
                .flatMap(windows -> refusedAbove(guesser, windows, 1));
    }

    /** Counts a failure; M_LIMIT_EXCEEDED if that exceeds a maximum. */
    public Mono<Void> count(Guesser guesser) {
        return bound(COUNT, guesser)
                .bind("now", clock.instant())
                .map(PasswordFailures::window)
                .all()
                .collectList()
                .flatMap(windows -> refusedAbove(guesser, windows, 0));
    }

    /** Records a successful check: for {@code network-known-for}, the limit of the account does not apply to the network. */
    public Mono<Void> noteRight(Guesser guesser) {
        return db.sql(NOTE)
                .bind("tenant", guesser.tenant)
                .bind("user", guesser.user)
                .bind("network", guesser.network())
                .bind("now", clock.instant())
                .bind("yesterday", clock.instant().minus(Duration.ofDays(1)))
                .then();
    }

    /** For an account that is deactivated. */
    public Mono<Void> forget(TenantId tenant, UserId user) {
        return db.sql(FORGET).bind("tenant", tenant).bind("user", user).then();
    }

    private GenericExecuteSpec bound(String sql, Guesser guesser) {
        var keys = keys(guesser);
        return db.sql(sql)
                .bind("tenant", guesser.tenant)
                .bind("users", keys.stream().map(FailureKey::user).toArray(String[]::new))
                .bind("networks", keys.stream().map(FailureKey::network).toArray(String[]::new))
                .bind("start", start());
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD)
                .bind("start", start())
                .then()
                .then(db.sql(FORGET_OLD).bind("since", knownSince()).then()));
    }

    /** @param more the number of further failures that must be allowed */
    private Mono<Void> refusedAbove(Guesser guesser, List<FailureWindow> windows, int more) {
        var keys = keys(guesser);
        return Flux.fromIterable(windows)
                .filter(window -> keys.stream().anyMatch(key -> window.isAbove(key, more)))
                .filterWhen(window ->
                        window.isOfAllNetworks() ? isKnown(guesser).map(isKnown -> !isKnown) : Mono.just(true))
                .next()
                .flatMap(window -> Mono.error(refusal(window)));
    }

    private Mono<Boolean> isKnown(Guesser guesser) {
        return db.sql(KNOWN)
                .bind("tenant", guesser.tenant)
                .bind("user", guesser.user)
                .bind("network", guesser.network())
                .bind("since", knownSince())
                .fetch()
                .one()
                .hasElement();
    }

    private ApiException refusal(FailureWindow window) {
        var rest = Duration.between(clock.instant(), window.since.plus(properties.failuresWindow()));
        long millis = Math.max(1, rest.toMillis());
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "too many failed logins, try again later")
                .withRetryAfter((int) Math.ceilDiv(millis, 1000))
                .with("retry_after_ms", millis);
    }

    private Instant knownSince() {
        return clock.instant().minus(properties.networkKnownFor());
    }

    private Instant start() {
        return clock.instant().minus(properties.failuresWindow());
    }

    private record FailureWindow(String user, String network, Instant since, int failures) {
        boolean isAbove(FailureKey key, int more) {
            return key.user.equals(user) && key.network.equals(network) && failures + more > key.most;
        }

        boolean isOfAllNetworks() {
            return network.equals(FailureKey.ALL);
        }
    }

    private static FailureWindow window(Readable row) {
        return new FailureWindow(
                RequiredColumn.of(row, "user_id", String.class),
                RequiredColumn.of(row, "network", String.class),
                RequiredColumn.of(row, "since", Instant.class),
                RequiredColumn.of(row, "failures", Integer.class));
    }
}
