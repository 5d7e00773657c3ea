// SPDX-License-Identifier: Apache-2.0
package rookery.auth.openid;

import java.time.Clock;
import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.auth.session.TokenHash;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The table of OpenID tokens, stored as hashes: the newest of each device, until they expire or the device is logged out. */
@Component
class OpenIdTokens {
    static final Duration LIFE = Duration.ofHours(1);

    /** The maximum number of tokens per device. */
    static final int MOST = 100;

    /** FOR KEY SHARE keeps the device from being deleted before the token, which is deleted with the device, is inserted. */
    private static final String INSERT = """
            WITH device AS (SELECT tenant, user_id, device_id FROM auth.device
                             WHERE tenant = :tenant AND user_id = :user AND device_id = :device
                               FOR KEY SHARE),
                 excess AS (DELETE FROM auth.openid_token
                             WHERE (tenant, token_hash) IN
                                   (SELECT tenant, token_hash FROM auth.openid_token
                                     WHERE tenant = :tenant AND user_id = :user AND device_id = :device
                                     ORDER BY expires_at DESC, token_hash OFFSET :others))
            INSERT INTO auth.openid_token (tenant, token_hash, user_id, device_id, expires_at)
            SELECT tenant, :hash, user_id, device_id, :expires FROM device
            """;

    /** Tokens of blocked, suspended and deactivated accounts are invalid. */
    private static final String FIND = """
            SELECT t.user_id
              FROM auth.openid_token t
              JOIN auth.account a ON a.tenant = t.tenant AND a.user_id = t.user_id
             WHERE t.tenant = :tenant AND t.token_hash = :hash AND t.expires_at > :now
               AND NOT a.blocked AND NOT a.suspended AND NOT a.deactivated
            """;

    /** At most as many rows as one statement deletes within its timeout; the next run deletes the rest. */
    private static final String DELETE_OLD = """
            DELETE FROM auth.openid_token
             WHERE ctid = ANY(ARRAY(SELECT ctid FROM auth.openid_token WHERE expires_at <= :now LIMIT 20000))
            """;

    private final DatabaseClient db;
    private final Clock clock;

    OpenIdTokens(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** M_UNKNOWN_TOKEN for a device that has just been logged out. */
    Mono<Void> insert(TenantDevice device, String token) {
        return device.bindTo(db.sql(INSERT))
                .bind("others", MOST - 1)
                .bind("hash", TokenHash.of(token).bytes())
                .bind("expires", clock.instant().plus(LIFE))
                .fetch()
                .rowsUpdated()
                .filter(rows -> rows == 1)
                .switchIfEmpty(
                        Mono.error(() -> new ApiException(ErrorCode.M_UNKNOWN_TOKEN, "this device was logged out")
                                .with("soft_logout", false)))
                .then();
    }

    /** The owner of the token; empty for a token that is unknown, expired or of another tenant. */
    Mono<UserId> find(TenantId tenant, String token) {
        return db.sql(FIND)
                .bind("tenant", tenant)
                .bind("hash", TokenHash.of(token).bytes())
                .bind("now", clock.instant())
                .mapValue(UserId.class)
                .one();
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD).bind("now", clock.instant()).then());
    }
}
