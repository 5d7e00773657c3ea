// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.session.TokenHash;
import rookery.auth.session.TokenMinter;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;

/** The tables of registration tokens and reserved uses. Changes lock the token's row, so the limit of uses is exact. */
@Component
class RegistrationTokens {
    private static final String INSERT = """
            INSERT INTO auth.registration_token (tenant, token_hash, uses_left, expires_at, grants_admin, created_at)
            VALUES (:tenant, :hash, :uses, :expires, :admin, :now)
                ON CONFLICT (tenant, token_hash) DO NOTHING
            """;

    private static final String LOCK = """
            SELECT 1 FROM auth.registration_token WHERE tenant = :tenant AND token_hash = :hash FOR UPDATE
            """;

    private static final String IS_GOOD = """
            SELECT 1
              FROM auth.registration_token t
             WHERE t.tenant = :tenant AND t.token_hash = :hash
               AND (t.expires_at IS NULL OR t.expires_at > :now)
               AND (t.uses_left IS NULL OR t.uses_left >
                    (SELECT count(*) FROM auth.registration_reservation r
                      WHERE r.tenant = t.tenant AND r.token_hash = t.token_hash AND r.held_until > :now))
            """;

    private static final String RESERVE = """
            INSERT INTO auth.registration_reservation (tenant, reservation_hash, token_hash, created_at, held_until)
            VALUES (:tenant, :reservation, :hash, :now, :until)
            """;

    private static final String RESERVED = """
            SELECT token_hash FROM auth.registration_reservation
             WHERE tenant = :tenant AND reservation_hash = :reservation
            """;

    private static final String RELEASE = """
            DELETE FROM auth.registration_reservation WHERE tenant = :tenant AND reservation_hash = :reservation
            """;

    private static final String USE = """
            UPDATE auth.registration_token t
               SET uses_left = t.uses_left - 1
             WHERE t.tenant = :tenant AND t.token_hash = :hash
               AND (t.uses_left IS NULL OR t.uses_left >
                    (SELECT count(*) FROM auth.registration_reservation r
                      WHERE r.tenant = t.tenant AND r.token_hash = t.token_hash AND r.held_until > :now))
            RETURNING grants_admin
            """;

    /** An id is the beginning of the hash: enough to find a token, and nothing to register with. */
    private static final String SHOWN = """
            SELECT encode(substring(t.token_hash FROM 1 FOR 8), 'hex') AS id, t.uses_left, t.expires_at, t.grants_admin, t.created_at,
                   (SELECT count(*) FROM auth.registration_reservation r
                     WHERE r.tenant = t.tenant AND r.token_hash = t.token_hash AND r.held_until > :now) AS pending
              FROM auth.registration_token t
             WHERE t.tenant = :tenant
            """;

    private static final String PAGE = SHOWN + """
               AND encode(substring(t.token_hash FROM 1 FOR 8), 'hex') COLLATE "C" > :after
             ORDER BY t.token_hash LIMIT :limit
            """;

    private static final String FIND = SHOWN + " AND substring(t.token_hash FROM 1 FOR 8) = :id";

    private static final String COUNT = """
            SELECT count(*) AS tokens FROM auth.registration_token WHERE tenant = :tenant
            """;

    private static final String REVOKE = """
            DELETE FROM auth.registration_token WHERE tenant = :tenant AND substring(token_hash FROM 1 FOR 8) = :id
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.registration_token t
             WHERE (t.uses_left <= 0 OR t.expires_at < :now)
               AND NOT EXISTS (SELECT 1 FROM auth.registration_reservation r
                                WHERE r.tenant = t.tenant AND r.token_hash = t.token_hash)
            """;

    private static final String DELETE_OLD_RESERVATIONS = """
            DELETE FROM auth.registration_reservation WHERE created_at < :old
            """;

    private static final int ENTROPY_BYTES = 16;
    private static final int ID_CHARS = 16;
    private static final Duration RESERVED_FOR = Duration.ofHours(1);
    /** The maximum age of an authentication session. */
    private static final Duration KEPT = Duration.ofHours(24);

    private final DatabaseClient db;
    private final TokenMinter minter;
    private final RandomGenerator random;
    private final TransactionalOperator tx;
    private final Clock clock;

    RegistrationTokens(
            DatabaseClient db, TokenMinter minter, RandomGenerator random, TransactionalOperator tx, Clock clock) {
        this.db = db;
        this.minter = minter;
        this.random = random;
        this.tx = tx;
        this.clock = clock;
    }

    /**
     * Creates a token. Only this call returns the token; the table contains its hash. M_INVALID_PARAM for the text of another token.
     *
     * @param text the token, or null for a random one
     * @param uses the number of accounts, or null for unlimited
     * @param life the lifetime, or null for a token that never expires
     * @param grantsAdmin whether the accounts are administrators
     */
    Mono<MadeToken> make(
            TenantId tenant,
            @Nullable String text,
            @Nullable Integer uses,
            @Nullable Duration life,
            boolean grantsAdmin) {
        String token = text == null ? minter.registrationToken() : text;
        var now = clock.instant();
        var expires = life == null ? null : now.plus(life);
        var made = new MadeToken(
                token,
                new RegistrationToken(
                        TokenHash.of(token).hex().substring(0, ID_CHARS),
                        uses,
                        0,
                        millis(expires),
                        grantsAdmin,
                        now.toEpochMilli()));
        return of(INSERT, tenant, token)
                .bind("uses", uses == null ? Parameters.in(R2dbcType.INTEGER) : uses)
                .bind("expires", expires == null ? Parameters.in(R2dbcType.TIMESTAMP_WITH_TIME_ZONE) : expires)
                .bind("admin", grantsAdmin)
                .bind("now", now)
                .fetch()
                .rowsUpdated()
                .filter(rows -> rows == 1)
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_INVALID_PARAM, "there is a token with this text already")))
                .thenReturn(made);
    }

    /** @param token the text that people type */
    record MadeToken(String token, RegistrationToken row) {
        @Override
        public String toString() {
            return row.toString(); // without the token
        }
    }

    /**
     * A token as administrators see it; times in ms.
     *
     * @param usesLeft null for any number; uses that are reserved are still left
     * @param pending uses that are reserved for registrations in progress
     * @param expiresAt null for never
     */
    record RegistrationToken(
            String id,
            @JsonProperty("uses_left") @Nullable Integer usesLeft,
            long pending,
            @JsonProperty("expires_at") @Nullable Long expiresAt,
            @JsonProperty("grants_admin") boolean grantsAdmin,
            @JsonProperty("created_at") long createdAt) {}

    Mono<Long> count(TenantId tenant) {
        return db.sql(COUNT).bind("tenant", tenant).mapValue(Long.class).one();
    }

    /** Tokens with a greater id, in the order of ids; used and expired tokens too, until they are deleted. */
    Mono<List<RegistrationToken>> after(TenantId tenant, String id, int limit) {
        return db.sql(PAGE)
                .bind("tenant", tenant)
                .bind("now", clock.instant())
                .bind("after", id)
                .bind("limit", limit)
                .map(RegistrationTokens::row)
                .all()
                .collectList();
    }

    /** Empty for an unknown id; ids are {@link #ID_CHARS} hex digits. */
    Mono<RegistrationToken> find(TenantId tenant, String id) {
        return db.sql(FIND)
                .bind("tenant", tenant)
                .bind("now", clock.instant())
                .bind("id", HexFormat.of().parseHex(id))
                .map(RegistrationTokens::row)
                .one();
    }

    /** Deletes the token with its reservations: registrations in progress with it fail. False for an unknown id. */
    Mono<Boolean> revoke(TenantId tenant, String id) {
        return db.sql(REVOKE)
                .bind("tenant", tenant)
                .bind("id", HexFormat.of().parseHex(id))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    private static RegistrationToken row(Readable row) {
        return new RegistrationToken(
                RequiredColumn.of(row, "id", String.class),
                row.get("uses_left", Integer.class),
                RequiredColumn.of(row, "pending", Long.class),
                millis(row.get("expires_at", Instant.class)),
                RequiredColumn.of(row, "grants_admin", Boolean.class),
                RequiredColumn.of(row, "created_at", Instant.class).toEpochMilli());
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }

    /** True if the token has not expired and has an unreserved use left. */
    Mono<Boolean> isGood(TenantId tenant, String token) {
        return of(IS_GOOD, tenant, token)
                .bind("now", clock.instant())
                .mapValue(Integer.class)
                .one()
                .hasElement();
    }

    /** Reserves a use and returns the secret ID of the reservation; empty if no use is left. */
    Mono<String> reserve(TenantId tenant, String token) {
        byte[] secret = new byte[ENTROPY_BYTES];
        random.nextBytes(secret);
        String reservation = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        return of(LOCK, tenant, token)
                .mapValue(Integer.class)
                .one()
                .flatMap(_ -> isGood(tenant, token))
                .filter(good -> good)
                .flatMap(_ -> reserved(tenant, token, reservation))
                .as(tx::transactional);
    }

    private Mono<String> reserved(TenantId tenant, String token, String reservation) {
        Instant now = clock.instant();
        return of(RESERVE, tenant, token)
                .bind("reservation", TokenHash.of(reservation).bytes())
                .bind("now", now)
                .bind("until", now.plus(RESERVED_FOR))
                .then()
                .thenReturn(reservation);
    }

    /**
     * Makes the reserved use, in the account's transaction. True for an administrator; empty if no reservation or use is left.
     */
    Mono<Boolean> use(TenantId tenant, String reservation) {
        return ofReservation(RESERVED, tenant, reservation)
                .map(row -> RequiredColumn.of(row, "token_hash", byte[].class))
                .one()
                .flatMap(token -> used(tenant, reservation, token));
    }

    private Mono<Boolean> used(TenantId tenant, String reservation, byte[] token) {
        return db.sql(LOCK)
                .bind("tenant", tenant)
                .bind("hash", token)
                .then()
                .then(Mono.defer(() -> release(tenant, reservation)))
                .then(Mono.defer(() -> db.sql(USE)
                        .bind("tenant", tenant)
                        .bind("hash", token)
                        .bind("now", clock.instant())
                        .mapValue(Boolean.class)
                        .one()));
    }

    /** Returns a reserved use to the token. */
    Mono<Void> release(TenantId tenant, String reservation) {
        return ofReservation(RELEASE, tenant, reservation).then();
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD_RESERVATIONS)
                        .bind("old", clock.instant().minus(KEPT))
                        .then())
                .then(Mono.defer(
                        () -> db.sql(DELETE_OLD).bind("now", clock.instant()).then()));
    }

    private GenericExecuteSpec of(String sql, TenantId tenant, String token) {
        return db.sql(sql)
                .bind("tenant", tenant)
                .bind("hash", TokenHash.of(token).bytes());
    }

    private GenericExecuteSpec ofReservation(String sql, TenantId tenant, String reservation) {
        return db.sql(sql)
                .bind("tenant", tenant)
                .bind("reservation", TokenHash.of(reservation).bytes());
    }
}
