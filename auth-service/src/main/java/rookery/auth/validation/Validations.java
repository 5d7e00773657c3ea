// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.Threepid;
import rookery.auth.threepid.ThreepidProperties;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;

/** The table of validations. In PostgreSQL, so that a link works on every instance, also after a restart. */
@Component
public class Validations {
    /** The maximum time for sending a message. An older claim belongs to a crashed process, and another request may send. */
    private static final Duration CLAIM_LIFE = Duration.ofSeconds(30);

    private static final String DELETE_DEAD = """
            DELETE FROM auth.validation
             WHERE tenant = :tenant AND medium = :medium AND address = :address AND purpose = :purpose
               AND secret_hash = :secret
               AND (created_at < :start OR used_at IS NOT NULL OR (validated_at IS NULL AND tries >= :tries))
            """;

    /** The no-op UPDATE locks and returns an existing row. */
    private static final String OPEN = """
            INSERT INTO auth.validation AS v (tenant, sid, medium, address, purpose, secret_hash, created_at)
            VALUES (:tenant, :sid, :medium, :address, :purpose, :secret, :now)
                ON CONFLICT (tenant, medium, address, purpose, secret_hash) DO UPDATE SET tries = v.tries
            RETURNING sid, sent_attempt,
                      CASE WHEN claimed_at > :claims THEN claimed_attempt ELSE 0 END AS claimed_attempt
            """;

    private static final String CLAIM = """
            UPDATE auth.validation
               SET claimed_attempt = :attempt, claimed_at = :now, next_link = :next,
                   token_hashes = array_prepend(:token, token_hashes), token_at = :now, tries = 0
             WHERE tenant = :tenant AND sid = :sid
            """;

    private static final String SENT = """
            UPDATE auth.validation
               SET sent_attempt = greatest(sent_attempt, :attempt)
             WHERE tenant = :tenant AND sid = :sid
            """;

    private static final String NOT_SENT = """
            UPDATE auth.validation
               SET claimed_attempt = NULL, claimed_at = NULL
             WHERE tenant = :tenant AND sid = :sid AND claimed_attempt = :attempt
            """;

    private static final String FIND = """
            SELECT sid, purpose, medium, address, tries, token_at, next_link, created_at, validated_at, used_at,
                   coalesce(:token = ANY (token_hashes), false) AS token_sent,
                   coalesce(:token = token_hashes[1], false) AS token_newest
              FROM auth.validation
             WHERE tenant = :tenant AND sid = :sid AND secret_hash = :secret
            """;

    private static final String HOLD = FIND + " FOR UPDATE";

    private static final String VALIDATE = """
            UPDATE auth.validation
               SET validated_at = coalesce(validated_at, :now)
             WHERE tenant = :tenant AND sid = :sid
            """;

    private static final String COUNT_TRY = """
            UPDATE auth.validation SET tries = tries + 1 WHERE tenant = :tenant AND sid = :sid
            """;

    private static final String USE = """
            UPDATE auth.validation SET used_at = :now WHERE tenant = :tenant AND sid = :sid
            """;

    private static final String USE_ALL = """
            UPDATE auth.validation
               SET used_at = :now
             WHERE tenant = :tenant AND medium = :medium AND address = :address
               AND purpose IN ('register', 'password') AND validated_at IS NOT NULL AND used_at IS NULL
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.validation WHERE created_at < :old
            """;

    private final DatabaseClient db;
    private final SecretHashes hashes;
    private final ThreepidProperties properties;
    private final Clock clock;

    Validations(DatabaseClient db, SecretHashes hashes, ThreepidProperties properties, Clock clock) {
        this.db = db;
        this.hashes = hashes;
        this.properties = properties;
        this.clock = clock;
    }

    /** Uses up all validations of the address, in the transaction of the operation. False if they were already used. */
    public Mono<Boolean> use(TenantId tenant, Threepid threepid) {
        return db.sql(USE_ALL)
                .bind("tenant", tenant)
                .bind("medium", threepid.medium().text)
                .bind("address", threepid.address())
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** A validation, with the greatest attempt whose message was sent or is being sent. */
    record ValidationAttempt(String sid, long attempt) {}

    /** The live validation of the address with this secret, or a new one; locked until the transaction ends. */
    Mono<ValidationAttempt> open(
            TenantId tenant, Threepid threepid, Purpose purpose, String clientSecret, String newSid) {
        var now = clock.instant();
        byte[] secret = hashes.ofSecret(clientSecret);
        var deleted = of(DELETE_DEAD, tenant, threepid, purpose)
                .bind("secret", secret)
                .bind("start", now.minus(properties.validationLife()))
                .bind("tries", properties.codeTriesMax())
                .then();
        var opened = of(OPEN, tenant, threepid, purpose)
                .bind("sid", newSid)
                .bind("secret", secret)
                .bind("now", now)
                .bind("claims", now.minus(CLAIM_LIFE))
                .map(Validations::opened)
                .one();
        return deleted.then(opened);
    }

    /** Stores the token for the message of this attempt. */
    Mono<Void> claim(TenantId tenant, String sid, long attempt, String token, @Nullable String nextLink) {
        return of(CLAIM, tenant, sid)
                .bind("attempt", attempt)
                .bind("now", clock.instant())
                .bind(
                        "next",
                        nextLink == null
                                ? Parameters.in(R2dbcType.VARCHAR)
                                : Parameters.in(R2dbcType.VARCHAR, nextLink))
                .bind("token", hashes.ofToken(sid, token))
                .then();
    }

    /** Marks the attempt as sent: the attempt sends no second message. */
    Mono<Void> sent(TenantId tenant, String sid, long attempt) {
        return of(SENT, tenant, sid).bind("attempt", attempt).then();
    }

    /** Releases the claim of a failed attempt: the same attempt may send again. */
    Mono<Void> notSent(TenantId tenant, String sid, long attempt) {
        return of(NOT_SENT, tenant, sid).bind("attempt", attempt).then();
    }

    /**
     * Empty for an unknown ID or a wrong secret.
     *
     * @param token the token to check, or empty
     */
    Mono<Validation> find(TenantId tenant, Credentials credentials, String token) {
        return validation(FIND, tenant, credentials, token);
    }

    /** The same, locked until the transaction ends. */
    Mono<Validation> hold(TenantId tenant, Credentials credentials, String token) {
        return validation(HOLD, tenant, credentials, token);
    }

    Mono<Void> validate(TenantId tenant, String sid) {
        return of(VALIDATE, tenant, sid).bind("now", clock.instant()).then();
    }

    Mono<Void> countTry(TenantId tenant, String sid) {
        return of(COUNT_TRY, tenant, sid).then();
    }

    Mono<Void> use(TenantId tenant, String sid) {
        return of(USE, tenant, sid).bind("now", clock.instant()).then();
    }

    /** Deletes validations well after they expired, so that late submissions are answered with M_SESSION_EXPIRED. */
    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        // deferred: Spring calls the method once and subscribes to the returned Mono repeatedly
        return Mono.defer(() -> db.sql(DELETE_OLD)
                .bind("old", clock.instant().minus(properties.validationLife().multipliedBy(2)))
                .then());
    }

    private Mono<Validation> validation(String sql, TenantId tenant, Credentials credentials, String token) {
        return of(sql, tenant, credentials.sid())
                .bind("secret", hashes.ofSecret(credentials.clientSecret()))
                .bind("token", hashes.ofToken(credentials.sid(), token))
                .map(Validations::validation)
                .one();
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, Threepid threepid, Purpose purpose) {
        return db.sql(sql)
                .bind("tenant", tenant)
                .bind("medium", threepid.medium().text)
                .bind("address", threepid.address())
                .bind("purpose", purpose.text);
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, String sid) {
        return db.sql(sql).bind("tenant", tenant).bind("sid", sid);
    }

    private static ValidationAttempt opened(Readable row) {
        long sent = RequiredColumn.of(row, "sent_attempt", Long.class);
        var claimed = row.get("claimed_attempt", Long.class);
        return new ValidationAttempt(
                RequiredColumn.of(row, "sid", String.class), claimed == null ? sent : Math.max(sent, claimed));
    }

    private static Validation validation(Readable row) {
        return new Validation(
                RequiredColumn.of(row, "sid", String.class),
                Purpose.of(RequiredColumn.of(row, "purpose", String.class)),
                new Threepid(
                        Medium.of(RequiredColumn.of(row, "medium", String.class)),
                        RequiredColumn.of(row, "address", String.class)),
                RequiredColumn.of(row, "token_sent", Boolean.class),
                RequiredColumn.of(row, "token_newest", Boolean.class),
                RequiredColumn.of(row, "tries", Integer.class),
                row.get("token_at", Instant.class),
                row.get("next_link", String.class),
                RequiredColumn.of(row, "created_at", Instant.class),
                row.get("validated_at", Instant.class),
                row.get("used_at", Instant.class));
    }
}
