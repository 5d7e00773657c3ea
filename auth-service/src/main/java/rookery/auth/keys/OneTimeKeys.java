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

/** One-time keys, each given out once, in the order in which they were uploaded. */
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
     * Each claim is counted for its claimer, device and day; of two at the same time the second waits for the count of the first, also at
     * another instance, so that nobody has more than their share. A claim of somebody else waits for neither: it passes by the key that
     * another one is about to take, and takes the next. The devices of which something was taken are noted in rows of each claim's own,
     * so that a note outlives the deletion of those before it.
     */
    private static final String CLAIM = """
            WITH asked AS (SELECT DISTINCT user_id, device_id, algorithm
                             FROM unnest(:users::text[], :devices::text[], :algorithms::text[])
                                  AS w (user_id, device_id, algorithm)),
                 counted AS (INSERT INTO auth.key_claim AS c (tenant, claimer, user_id, device_id, day, claims)
                             SELECT DISTINCT :tenant::int, :claimer, a.user_id, a.device_id, :day::date, 1
                               FROM asked a
                              WHERE EXISTS (SELECT 1 FROM auth.one_time_key o
                                             WHERE o.tenant = :tenant AND o.user_id = a.user_id
                                               AND o.device_id = a.device_id AND o.algorithm = a.algorithm
                                               AND o.claimed_at IS NULL)
                              ORDER BY a.user_id, a.device_id
                                 ON CONFLICT (tenant, claimer, user_id, device_id, day)
                                 DO UPDATE SET claims = c.claims + 1 WHERE c.claims < :most
                             RETURNING user_id, device_id),
                 next AS (SELECT a.user_id, a.device_id, a.algorithm, k.key_id
                            FROM asked a
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

    /** No more than are deleted in the time of one statement; the rest goes the next time. */
    private static final String DELETE_COUNTS = """
            DELETE FROM auth.key_claim
             WHERE ctid = ANY(ARRAY(SELECT ctid FROM auth.key_claim WHERE day < :today LIMIT 20000))
            """;

    /** A client that repeats its upload for longer than that offers keys once more. */
    private static final Duration CLAIMED_KEPT = Duration.ofDays(7);

    private final DatabaseClient db;
    private final Clock clock;
    private final KeyProperties properties;

    OneTimeKeys(DatabaseClient db, Clock clock, KeyProperties properties) {
        this.db = db;
        this.clock = clock;
        this.properties = properties;
    }

    /** Those of the keys that there are under the same names, also when they were given out already; with their contents. */
    Mono<Map<KeyId, String>> find(TenantDevice device, List<UploadedKey> keys) {
        return keys.isEmpty()
                ? Mono.just(Map.of())
                : named(of(FIND, device), keys)
                        .map(OneTimeKeys::stored)
                        .all()
                        .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Adds keys that are not there, behind all that are. */
    Mono<Void> insert(TenantDevice device, List<UploadedKey> keys, long pos) {
        return keys.isEmpty()
                ? Mono.empty()
                : named(of(INSERT, device), keys)
                        .bind(
                                "contents",
                                keys.stream().map(UploadedKey::content).toArray(String[]::new))
                        .bind("pos", pos)
                        .then();
    }

    /** The next key for each that has one left and of which the claimer had fewer than a day's share; nobody else is given these. */
    Mono<List<ClaimedKey>> claim(TenantId tenant, UserId claimer, List<Claim> claims) {
        return claims.isEmpty() ? Mono.just(List.of()) : claimed(tenant, claimer, claims);
    }

    private Mono<List<ClaimedKey>> claimed(TenantId tenant, UserId claimer, List<Claim> claims) {
        return Claim.bound(db.sql(CLAIM), claims)
                .bind("tenant", tenant.value())
                .bind("claimer", claimer.value())
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

    /** In UTC, for everybody. */
    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private static GenericExecuteSpec named(GenericExecuteSpec sql, List<UploadedKey> keys) {
        return sql.bind(
                        "algorithms",
                        keys.stream().map(key -> key.id().algorithm()).toArray(String[]::new))
                .bind("ids", keys.stream().map(key -> key.id().id()).toArray(String[]::new));
    }

    private GenericExecuteSpec of(String sql, TenantDevice device) {
        return db.sql(sql)
                .bind("tenant", device.tenant().value())
                .bind("user", device.user().value())
                .bind("device", device.device().value());
    }

    /** A key that is wanted: the next of that device and algorithm. */
    record Claim(UserId user, DeviceId device, String algorithm) {
        static GenericExecuteSpec bound(GenericExecuteSpec sql, List<Claim> claims) {
            return sql.bind("users", claims.stream().map(c -> c.user.value()).toArray(String[]::new))
                    .bind("devices", claims.stream().map(c -> c.device.value()).toArray(String[]::new))
                    .bind("algorithms", claims.stream().map(Claim::algorithm).toArray(String[]::new));
        }
    }

    /** A key that was given out. */
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
                        new UserId(RequiredColumn.of(row, "user_id", String.class)),
                        new DeviceId(RequiredColumn.of(row, "device_id", String.class)),
                        RequiredColumn.of(row, "algorithm", String.class)),
                RequiredColumn.of(row, "key_id", String.class),
                RequiredColumn.of(row, "content", String.class));
    }
}
