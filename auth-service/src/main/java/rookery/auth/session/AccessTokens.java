// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The table of access tokens and their refresh tokens, stored as hashes; one row per pair. */
@Component
class AccessTokens {
    private static final String INSERT = """
            INSERT INTO auth.access_token (token_hash, tenant, user_id, device_id, created_at,
                                           expires_at, refresh_hash, refresh_expires_at)
            VALUES (:hash, :tenant, :user, :device, :now, :expires, :refresh, :refreshExpires)
            """;

    private static final String DELETE = """
            DELETE FROM auth.access_token
             WHERE tenant = :tenant AND user_id = :user AND device_id = ANY(:devices)
            RETURNING token_hash
            """;

    private static final String OF_USER = """
            SELECT token_hash FROM auth.access_token WHERE tenant = :tenant AND user_id = :user
            """;

    private static final String RESOLVE = """
            SELECT t.user_id, t.device_id, a.admin, a.blocked, a.suspended, t.expires_at,
                   coalesce(t.expires_at <= :now, false) OR t.successor_hash IS NOT NULL AS expired,
                   t.refresh_hash IS NOT NULL AND t.used_at IS NULL AS fresh,
                   CASE WHEN :ip = '' THEN d.last_seen_at ELSE c.last_seen_at END AS last_seen_at
              FROM auth.access_token t
              JOIN auth.account a ON a.tenant = t.tenant AND a.user_id = t.user_id
              JOIN auth.device d ON d.tenant = t.tenant AND d.user_id = t.user_id AND d.device_id = t.device_id
              LEFT JOIN auth.device_connection c
                     ON c.tenant = t.tenant AND c.user_id = t.user_id AND c.device_id = t.device_id AND c.ip = :ip
             WHERE t.token_hash = :hash AND t.tenant = :tenant AND a.approved AND NOT a.deactivated
            """;

    private static final String LOCK_REFRESHABLE = """
            SELECT d.device_id
              FROM auth.device d
             WHERE (d.tenant, d.user_id, d.device_id) =
                   (SELECT t.tenant, t.user_id, t.device_id
                      FROM auth.access_token t
                     WHERE t.refresh_hash = :refresh AND t.tenant = :tenant)
               FOR UPDATE
            """;

    private static final String FIND_REFRESHABLE = """
            SELECT t.token_hash, t.user_id, t.device_id, t.refresh_expires_at, t.successor_hash,
                   s.used_at IS NOT NULL AS successor_used, a.blocked
              FROM auth.access_token t
              JOIN auth.account a ON a.tenant = t.tenant AND a.user_id = t.user_id
              LEFT JOIN auth.access_token s ON s.token_hash = t.successor_hash AND s.tenant = t.tenant
             WHERE t.refresh_hash = :refresh AND t.tenant = :tenant AND a.approved
            """;

    private static final String USE = """
            UPDATE auth.access_token SET used_at = coalesce(used_at, :now)
             WHERE token_hash = :hash AND tenant = :tenant
            """;

    private static final String DELETE_UNUSED = """
            DELETE FROM auth.access_token WHERE token_hash = :hash AND tenant = :tenant AND used_at IS NULL
            """;

    private static final String SUCCEED = """
            UPDATE auth.access_token SET successor_hash = :successor, used_at = coalesce(used_at, :now)
             WHERE token_hash = :hash AND tenant = :tenant
            """;

    private static final String DELETE_ROTATED = """
            DELETE FROM auth.access_token t
             USING auth.access_token s
             WHERE s.token_hash = t.successor_hash AND s.tenant = t.tenant AND s.used_at < :before
            """;

    /** For this time, a client with a rotated access token gets a soft logout instead of a full one. */
    private static final Duration ROTATED_KEPT = Duration.ofDays(7);

    private final DatabaseClient db;
    private final Clock clock;

    AccessTokens(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    Mono<Void> insert(TenantId tenant, Pair pair) {
        return db.sql(INSERT)
                .bind("hash", pair.access.bytes())
                .bind("tenant", tenant)
                .bind("user", pair.user)
                .bind("device", pair.device)
                .bind("now", clock.instant())
                .bind("expires", time(pair.expires))
                .bind("refresh", hash(pair.refresh))
                .bind("refreshExpires", time(pair.refreshExpires))
                .then();
    }

    /** Deletes all tokens of the devices, whose rows the caller has locked. Returns the hashes. */
    Mono<List<TokenHash>> delete(TenantId tenant, UserId user, List<DeviceId> devices) {
        return db.sql(DELETE)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("devices", devices.toArray(DeviceId[]::new))
                .map(row -> tokenHash(row, "token_hash"))
                .all()
                .collectList();
    }

    /** All tokens of the user, also expired and rotated ones. */
    Mono<List<TokenHash>> ofUser(TenantId tenant, UserId user) {
        return db.sql(OF_USER)
                .bind("tenant", tenant)
                .bind("user", user)
                .map(row -> tokenHash(row, "token_hash"))
                .all()
                .collectList();
    }

    /**
     * Empty for a token that is unknown, deleted or of another tenant.
     *
     * @param ip the client's address, or empty if unknown
     */
    Mono<TokenRow> resolve(TenantId tenant, TokenHash token, String ip) {
        return db.sql(RESOLVE)
                .bind("hash", token.bytes())
                .bind("tenant", tenant)
                .bind("ip", ip)
                .bind("now", clock.instant())
                .map(AccessTokens::resolved)
                .one();
    }

    /**
     * Locks the refresh token's device until the transaction ends, and only then reads the pair, so that no concurrent
     * transaction changes it. Empty for a token that is unknown, deleted or of another tenant.
     */
    Mono<Refreshable> lockRefreshable(TenantId tenant, TokenHash refresh) {
        return db.sql(LOCK_REFRESHABLE)
                .bind("refresh", refresh.bytes())
                .bind("tenant", tenant)
                .mapValue(String.class)
                .one()
                .flatMap(_ -> findRefreshable(tenant, refresh));
    }

    private Mono<Refreshable> findRefreshable(TenantId tenant, TokenHash refresh) {
        return db.sql(FIND_REFRESHABLE)
                .bind("refresh", refresh.bytes())
                .bind("tenant", tenant)
                .map(AccessTokens::refreshable)
                .one();
    }

    /** Marks the pair as used, which ends its predecessor. False if the pair was deleted meanwhile. */
    Mono<Boolean> use(TenantId tenant, TokenHash access) {
        return db.sql(USE)
                .bind("hash", access.bytes())
                .bind("tenant", tenant)
                .bind("now", clock.instant())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** Deletes an unused pair. False if the pair was used meanwhile. */
    Mono<Boolean> deleteUnused(TenantId tenant, TokenHash access) {
        return db.sql(DELETE_UNUSED)
                .bind("hash", access.bytes())
                .bind("tenant", tenant)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows == 1);
    }

    /** Stores the successor of the pair and marks the pair as used. */
    Mono<Void> succeed(TenantId tenant, TokenHash access, TokenHash successor) {
        return db.sql(SUCCEED)
                .bind("now", clock.instant())
                .bind("hash", access.bytes())
                .bind("tenant", tenant)
                .bind("successor", successor.bytes())
                .then();
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteRotated() {
        return Mono.defer(() -> db.sql(DELETE_ROTATED)
                .bind("before", clock.instant().minus(ROTATED_KEPT))
                .then());
    }

    /** The stored part of a session's tokens. */
    record Pair(
            UserId user,
            DeviceId device,
            TokenHash access,
            @Nullable Instant expires,
            @Nullable TokenHash refresh,
            @Nullable Instant refreshExpires) {
        static Pair of(Session session, Instant now, SessionProperties properties) {
            var access = TokenHash.of(session.accessToken());
            if (session.refreshToken() == null) {
                return new Pair(session.user(), session.device(), access, null, null, null);
            }
            return new Pair(
                    session.user(),
                    session.device(),
                    access,
                    now.plus(properties.accessTokenLife()),
                    TokenHash.of(session.refreshToken()),
                    now.plus(properties.refreshTokenLife()));
        }
    }

    /**
     * The state of a token.
     *
     * @param fresh whether this is the first use of a refreshable token
     * @param expires null for a token that does not expire
     * @param lastSeen the last recorded use from the client's address; of the device if the address is unknown
     */
    record TokenRow(
            UserId user,
            DeviceId device,
            boolean admin,
            boolean blocked,
            boolean suspended,
            boolean expired,
            boolean fresh,
            @Nullable Instant expires,
            @Nullable Instant lastSeen) {}

    /** @param successor the access token of the pair that replaced this one, or null */
    record Refreshable(
            TokenHash access,
            UserId user,
            DeviceId device,
            Instant expires,
            @Nullable TokenHash successor,
            boolean successorUsed,
            boolean blocked) {}

    private static TokenRow resolved(Readable row) {
        return new TokenRow(
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "device_id", DeviceId.class),
                RequiredColumn.of(row, "admin", Boolean.class),
                RequiredColumn.of(row, "blocked", Boolean.class),
                RequiredColumn.of(row, "suspended", Boolean.class),
                RequiredColumn.of(row, "expired", Boolean.class),
                RequiredColumn.of(row, "fresh", Boolean.class),
                row.get("expires_at", Instant.class),
                row.get("last_seen_at", Instant.class));
    }

    private static Refreshable refreshable(Readable row) {
        byte[] successor = row.get("successor_hash", byte[].class);
        return new Refreshable(
                tokenHash(row, "token_hash"),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "device_id", DeviceId.class),
                RequiredColumn.of(row, "refresh_expires_at", Instant.class),
                successor == null ? null : TokenHash.ofBytes(successor),
                RequiredColumn.of(row, "successor_used", Boolean.class),
                RequiredColumn.of(row, "blocked", Boolean.class));
    }

    private static TokenHash tokenHash(Readable row, String column) {
        return TokenHash.ofBytes(RequiredColumn.of(row, column, byte[].class));
    }

    private static Object time(@Nullable Instant time) {
        return time == null
                ? Parameters.in(R2dbcType.TIMESTAMP_WITH_TIME_ZONE)
                : Parameters.in(R2dbcType.TIMESTAMP_WITH_TIME_ZONE, time);
    }

    private static Object hash(@Nullable TokenHash hash) {
        return hash == null ? Parameters.in(R2dbcType.VARBINARY) : Parameters.in(R2dbcType.VARBINARY, hash.bytes());
    }
}
