// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.auth.keys.KeyUpload.UploadedKey;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The table of one-time keys. Each key is given out once, in the order of upload. */
@Component
class OneTimeKeys {
    private static final String FIND = """
            SELECT k.algorithm, k.key_id, k.content
              FROM unnest(:algorithms::text[], :ids::text[]) AS u (algorithm, key_id)
              JOIN auth.one_time_key k USING (algorithm, key_id)
             WHERE k.tenant = :tenant AND k.user_id = :user AND k.device_id = :device
            """;

    private static final String INSERT = """
            INSERT INTO auth.one_time_key (tenant, user_id, device_id, algorithm, key_id, content, pos, place)
            SELECT :tenant, :user, :device, u.algorithm, u.key_id, u.content, :pos, u.place
              FROM unnest(:algorithms::text[], :ids::text[], :contents::text[])
                   WITH ORDINALITY AS u (algorithm, key_id, content, place)
            """;

    /**
     * Counts the claims of each claimer, device and day. Concurrent claims of one claimer wait for the row of the count, on all
     * instances, so the daily limit is exact. Concurrent claims of different claimers skip locked keys and take the next. Each
     * claim inserts its own notes of the affected devices, so that a note survives the deletion of earlier notes.
     */
    private static final String CLAIM = """
            WITH requested AS (SELECT DISTINCT user_id, device_id, algorithm
                             FROM unnest(:users::text[], :devices::text[], :algorithms::text[])
                                  AS w (user_id, device_id, algorithm)),
                 counted AS (INSERT INTO auth.key_claim AS c (tenant, claimer, user_id, device_id, day, claims)
                             SELECT DISTINCT :tenant::int, :claimer, a.user_id, a.device_id, :day::date, 1
                               FROM requested a
                              WHERE EXISTS (SELECT 1 FROM auth.one_time_key o
                                             WHERE o.tenant = :tenant AND o.user_id = a.user_id
                                               AND o.device_id = a.device_id AND o.algorithm = a.algorithm
                                               AND o.claimed_at IS NULL)
                              ORDER BY a.user_id, a.device_id
                                 ON CONFLICT (tenant, claimer, user_id, device_id, day)
                                 DO UPDATE SET claims = c.claims + 1 WHERE c.claims < :most
                             RETURNING user_id, device_id),
                 next AS (SELECT a.user_id, a.device_id, a.algorithm, k.key_id
                            FROM requested a
                            JOIN counted USING (user_id, device_id)
                           CROSS JOIN LATERAL (SELECT key_id FROM auth.one_time_key o
                                                WHERE o.tenant = :tenant AND o.user_id = a.user_id
                                                  AND o.device_id = a.device_id AND o.algorithm = a.algorithm
                                                  AND o.claimed_at IS NULL
                                                ORDER BY o.pos, o.place
                                                LIMIT 1
                                                  FOR UPDATE SKIP LOCKED) k),
                 claimed AS (UPDATE auth.one_time_key k
                                SET claimed_at = :now
                               FROM next n
                              WHERE k.tenant = :tenant AND k.user_id = n.user_id AND k.device_id = n.device_id
                                AND k.algorithm = n.algorithm AND k.key_id = n.key_id
                             RETURNING k.user_id, k.device_id, k.algorithm, k.key_id, k.content),
                 due AS (INSERT INTO auth.key_count_due (tenant, user_id, device_id)
                         SELECT DISTINCT :tenant::int, user_id, device_id FROM claimed)
            SELECT user_id, device_id, algorithm, key_id, content FROM claimed
            """;

    private static final String DELETE_OLD = """
            DELETE FROM auth.one_time_key WHERE claimed_at < :before
            """;

    /** At most as many rows as one statement deletes within its timeout; the next run deletes the rest. */
    private static final String DELETE_COUNTS = """
            DELETE FROM auth.key_claim
             WHERE ctid = ANY(ARRAY(SELECT ctid FROM auth.key_claim WHERE day < :today LIMIT 20000))
            """;

    /** A client that repeats an upload later than this offers its claimed keys again. */
    private static final Duration CLAIMED_KEPT = Duration.ofDays(7);

    private final DatabaseClient db;
    private final Clock clock;
    private final KeyProperties properties;

    OneTimeKeys(DatabaseClient db, Clock clock, KeyProperties properties) {
        this.db = db;
        this.clock = clock;
        this.properties = properties;
    }

    /** The stored keys under the same IDs, also claimed ones, with their contents. */
    Mono<Map<KeyId, String>> find(TenantDevice device, List<UploadedKey> keys) {
        return keys.isEmpty()
                ? Mono.just(Map.of())
                : named(device.bindTo(db.sql(FIND)), keys)
                        .map(OneTimeKeys::stored)
                        .all()
                        .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Adds new keys after all existing ones in the order of claims. */
    Mono<Void> insert(TenantDevice device, List<UploadedKey> keys, long pos) {
        return keys.isEmpty()
                ? Mono.empty()
                : named(device.bindTo(db.sql(INSERT)), keys)
                        .bind("contents", contents(keys))
                        .bind("pos", pos)
                        .then();
    }

    /** The next key for each claim with a key left and a count below the daily limit. A claimed key is never given out again. */
    Mono<List<ClaimedKey>> claim(TenantId tenant, UserId claimer, List<Claim> claims) {
        return claims.isEmpty()
                ? Mono.just(List.of())
                : Claim.bound(db.sql(CLAIM), claims)
                        .bind("tenant", tenant)
                        .bind("claimer", claimer)
                        .bind("day", today())
                        .bind("most", properties.claimsPerDay())
                        .bind("now", clock.instant())
                        .map(OneTimeKeys::claimed)
                        .all()
                        .collectList();
    }

    @Scheduled(fixedDelayString = "${rookery.auth.cleaning-interval}")
    Mono<Void> deleteOld() {
        return Mono.defer(() -> db.sql(DELETE_OLD)
                        .bind("before", clock.instant().minus(CLAIMED_KEPT))
                        .then())
                .then(Mono.defer(
                        () -> db.sql(DELETE_COUNTS).bind("today", today()).then()));
    }

    /** The day in UTC, for all users. */
    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    static GenericExecuteSpec named(GenericExecuteSpec sql, List<UploadedKey> keys) {
        return sql.bind(
                        "algorithms",
                        keys.stream().map(key -> key.id().algorithm()).toArray(String[]::new))
                .bind("ids", keys.stream().map(key -> key.id().id()).toArray(String[]::new));
    }

    static String[] contents(List<UploadedKey> keys) {
        return keys.stream().map(UploadedKey::content).toArray(String[]::new);
    }

    /** A claim of the next key of the device and algorithm. */
    record Claim(UserId user, DeviceId device, String algorithm) {
        static GenericExecuteSpec bound(GenericExecuteSpec sql, List<Claim> claims) {
            return sql.bind("users", claims.stream().map(Claim::user).toArray(UserId[]::new))
                    .bind("devices", claims.stream().map(Claim::device).toArray(DeviceId[]::new))
                    .bind("algorithms", claims.stream().map(Claim::algorithm).toArray(String[]::new));
        }
    }

    /** A claimed key. */
    record ClaimedKey(Claim claim, String keyId, String content) {}

    static Map.Entry<KeyId, String> stored(Readable row) {
        return Map.entry(
                new KeyId(
                        RequiredColumn.of(row, "algorithm", String.class),
                        RequiredColumn.of(row, "key_id", String.class)),
                RequiredColumn.of(row, "content", String.class));
    }

    static ClaimedKey claimed(Readable row) {
        return new ClaimedKey(
                new Claim(
                        RequiredColumn.of(row, "user_id", UserId.class),
                        RequiredColumn.of(row, "device_id", DeviceId.class),
                        RequiredColumn.of(row, "algorithm", String.class)),
                RequiredColumn.of(row, "key_id", String.class),
                RequiredColumn.of(row, "content", String.class));
    }
}
