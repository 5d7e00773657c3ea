// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.auth.keys.KeyUpload.UploadedKey;
import rookery.auth.keys.OneTimeKeys.Claim;
import rookery.auth.keys.OneTimeKeys.ClaimedKey;
import rookery.model.id.TenantId;

/** The table of fallback keys: one per device and algorithm, given out when no one-time key is left. */
@Component
class FallbackKeys {
    private static final String PUT = """
            INSERT INTO auth.fallback_key AS f (tenant, user_id, device_id, algorithm, key_id, content)
            SELECT :tenant, :user, :device, u.algorithm, u.key_id, u.content
              FROM unnest(:algorithms::text[], :ids::text[], :contents::text[]) AS u (algorithm, key_id, content)
             ORDER BY u.algorithm
                ON CONFLICT (tenant, user_id, device_id, algorithm) DO UPDATE
               SET key_id = excluded.key_id, content = excluded.content, used = false
            """;

    /** Skips locked keys: a concurrent transaction is marking or replacing such a key. */
    private static final String CLAIM = """
            WITH matching AS (SELECT f.user_id, f.device_id, f.algorithm, f.key_id, f.content, f.used
                             FROM (SELECT DISTINCT user_id, device_id, algorithm
                                     FROM unnest(:users::text[], :devices::text[], :algorithms::text[])
                                          AS w (user_id, device_id, algorithm)) a
                             JOIN auth.fallback_key f
                                  ON f.tenant = :tenant AND f.user_id = a.user_id AND f.device_id = a.device_id
                                     AND f.algorithm = a.algorithm),
                 unused AS (SELECT f.user_id, f.device_id, f.algorithm, f.key_id
                              FROM matching n
                              JOIN auth.fallback_key f
                                   ON f.tenant = :tenant AND f.user_id = n.user_id AND f.device_id = n.device_id
                                      AND f.algorithm = n.algorithm AND f.key_id = n.key_id
                             WHERE NOT f.used
                               FOR UPDATE OF f SKIP LOCKED),
                 marked AS (UPDATE auth.fallback_key f
                               SET used = true
                              FROM unused u
                             WHERE f.tenant = :tenant AND f.user_id = u.user_id AND f.device_id = u.device_id
                               AND f.algorithm = u.algorithm AND f.key_id = u.key_id
                            RETURNING f.user_id, f.device_id),
                 due AS (INSERT INTO auth.key_count_due (tenant, user_id, device_id)
                         SELECT DISTINCT :tenant::int, user_id, device_id FROM marked)
            SELECT user_id, device_id, algorithm, key_id, content FROM matching
            """;

    private static final String OF_DEVICE = """
            SELECT algorithm, key_id, content
              FROM auth.fallback_key
             WHERE tenant = :tenant AND user_id = :user AND device_id = :device
            """;

    private final DatabaseClient db;

    FallbackKeys(DatabaseClient db) {
        this.db = db;
    }

    /** The device's fallback keys with their contents. */
    Mono<Map<KeyId, String>> of(TenantDevice device) {
        return device.bindTo(db.sql(OF_DEVICE))
                .map(OneTimeKeys::stored)
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Replaces the device's keys of the same algorithms, also used ones. */
    Mono<Void> put(TenantDevice device, List<UploadedKey> keys) {
        return keys.isEmpty()
                ? Mono.empty()
                : OneTimeKeys.named(device.bindTo(db.sql(PUT)), keys)
                        .bind("contents", OneTimeKeys.contents(keys))
                        .then();
    }

    /** The fallback keys for the claims that have one. Marks the keys as used. */
    Mono<List<ClaimedKey>> claim(TenantId tenant, List<Claim> claims) {
        return claims.isEmpty()
                ? Mono.just(List.of())
                : Claim.bound(db.sql(CLAIM), claims)
                        .bind("tenant", tenant)
                        .map(OneTimeKeys::claimed)
                        .all()
                        .collectList();
    }
}
