// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;

/**
 * The statements of the sender on the table of units. A claim increments the attempts and sets the next due time in one
 * statement, before the request is sent. So the claim is exclusive, no row stays locked during the request, and after a crash the
 * next attempt comes as if this attempt had failed.
 */
@Component
class UnitQueue {
    static final int ATTEMPTS_MAX = 3;
    static final Duration INTERVAL = Duration.ofMinutes(5);

    /**
     * If an attempt is later than this, the next attempt follows an interval after the actual time instead of the planned time.
     */
    private static final Duration PUNCTUAL = Duration.ofSeconds(30);

    private static final int LANES_MAX = 200;

    /**
     * A skip scan over the index from lane to lane, so a long queue of one lane does not hide other lanes. Each lane is read from its
     * newest unit: the index entries of the oldest ones are dead until the table is vacuumed. PlansIT shows the index of each
     * statement.
     */
    static final String LANES = """
            WITH RECURSIVE lane AS (
                (SELECT tenant, gateway
                   FROM push.unit
                  WHERE outcome = 'pending'
                  ORDER BY gateway DESC, tenant DESC
                  LIMIT 1)
                UNION ALL
                (SELECT next.tenant, next.gateway
                   FROM lane
                  CROSS JOIN LATERAL (
                        SELECT tenant, gateway
                          FROM push.unit
                         WHERE outcome = 'pending' AND (gateway, tenant) < (lane.gateway, lane.tenant)
                         ORDER BY gateway DESC, tenant DESC
                         LIMIT 1) AS next))
            SELECT tenant, gateway
              FROM lane
             CROSS JOIN LATERAL (
                   SELECT
                     FROM push.unit u
                    WHERE u.tenant = lane.tenant AND u.gateway = lane.gateway AND u.outcome = 'pending'
                      AND u.due_at <= :now AND u.attempts < :attemptsMax
                    ORDER BY u.due_at DESC
                    LIMIT 1) AS due
             LIMIT :most
            """;

    static final String LANES_BELOW = LANES.replaceFirst(
            "WHERE outcome = 'pending'", "WHERE outcome = 'pending' AND (gateway, tenant) < (:gateway, :tenant)");

    static final String TAKE = """
            WITH due AS (
                SELECT first.id, first.due_at
                  FROM unnest(:tenants::int[], :gateways::text[], :from::bigint[], :most::int[])
                       AS lane (tenant, gateway, from_seconds, most)
                 CROSS JOIN LATERAL (
                       SELECT id, due_at
                         FROM push.unit u
                        WHERE u.tenant = lane.tenant AND u.gateway = lane.gateway AND u.outcome = 'pending'
                          AND u.due_at >= to_timestamp(lane.from_seconds) AND u.due_at <= :now AND u.attempts < :attemptsMax
                        ORDER BY u.due_at, u.id
                        LIMIT lane.most
                          FOR UPDATE SKIP LOCKED) AS first),
            taken AS (
                UPDATE push.unit AS u
                   SET attempts = attempts + 1, last_attempt_at = :now,
                       due_at = CASE WHEN u.attempts > 0 AND u.due_at > :punctual THEN u.due_at ELSE :now END + :interval::interval
                  FROM due
                 WHERE u.id = due.id
                RETURNING u.*, due.due_at AS was_due)
            SELECT t.id, t.pusher, t.tenant, t.gateway, t.user_id, t.room_id, t.event_id, t.tweaks, t.user_is_target, t.attempts,
                   t.was_due, p.app_id, p.pushkey, p.url, p.described, p.set_at, e.told
              FROM taken t
              LEFT JOIN LATERAL (
                   SELECT * FROM push.pusher
                    WHERE tenant = t.tenant AND id = t.pusher
                      AND NOT EXISTS (SELECT
                                        FROM push.pause s
                                       WHERE s.tenant = t.tenant AND s.user_id = t.user_id AND s.resumed_at IS NULL)
                    LIMIT 1) AS p ON true
              LEFT JOIN LATERAL (
                   SELECT told FROM push.pushed_event WHERE tenant = t.tenant AND event_id = t.event_id LIMIT 1) AS e ON true
             ORDER BY t.pos, t.id
            """;

    /**
     * Only pending units change: a unit that was redacted or read during its last attempt stays superseded. IS TRUE keeps the planner
     * from the indexes of pending units, which seem to be as good as the primary key while the table is small.
     */
    static final String NOTE = """
            WITH noted AS (
                UPDATE push.unit
                   SET outcome = :outcome, last_status = :status
                 WHERE tenant = :tenant AND id = :id AND attempts = :attempt AND (outcome = 'pending') IS TRUE)
            UPDATE push.pusher
               SET last_success_at = CASE WHEN :succeeded THEN :now ELSE last_success_at END,
                   last_failure_at = CASE WHEN :succeeded THEN last_failure_at ELSE :now END,
                   failing_since = CASE WHEN :succeeded THEN NULL ELSE coalesce(failing_since, :now) END
             WHERE tenant = :tenant AND id = :pusher
            """;

    private static final String DROP = """
            UPDATE push.unit
               SET outcome = 'superseded', attempts = attempts - 1
             WHERE tenant = :tenant AND id = :id AND attempts = :attempt AND (outcome = 'pending') IS TRUE
            """;

    private static final String PUT_BACK = """
            UPDATE push.unit
               SET attempts = attempts - 1, due_at = :now
             WHERE tenant = :tenant AND id = :id AND attempts = :attempt AND (outcome = 'pending') IS TRUE
            """;

    /** Of the newest units only, so that the statement ends soon in any case. */
    private static final String BY_GATEWAY = """
            SELECT gateway, count(*) FILTER (WHERE outcome = 'pending') AS waiting,
                   count(*) FILTER (WHERE outcome = 'delivered') AS delivered,
                   count(*) FILTER (WHERE outcome = 'rejected') AS rejected,
                   count(*) FILTER (WHERE outcome = 'failed') AS failed
              FROM (SELECT gateway, outcome FROM push.unit WHERE created_at > :since ORDER BY created_at DESC LIMIT 100000) AS u
             GROUP BY gateway
             ORDER BY count(*) FILTER (WHERE outcome IN ('failed', 'rejected')) DESC, 2 DESC, gateway
             LIMIT :most
            """;

    /** Some units in one statement: a tenant that waits for its pace has thousands of one pusher. */
    static final String DROP_OF_PUSHER = """
            UPDATE push.unit SET outcome = 'superseded'
             WHERE (outcome = 'pending') IS TRUE
               AND id IN (SELECT id FROM push.unit
                           WHERE tenant = :tenant AND pusher = :pusher AND outcome = 'pending'
                           LIMIT 1000
                             FOR UPDATE SKIP LOCKED)
               AND NOT EXISTS (SELECT
                                 FROM push.pusher p
                                WHERE p.tenant = :tenant AND p.id = :pusher
                                  AND NOT EXISTS (SELECT
                                                    FROM push.pause s
                                                   WHERE s.tenant = p.tenant AND s.user_id = p.user_id AND s.resumed_at IS NULL))
            """;

    private final DatabaseClient db;
    private final Clock clock;
    private final LaneStarts starts = new LaneStarts();

    UnitQueue(DatabaseClient db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /** Lanes with due units, in a fixed order. A full list means that more lanes may follow. */
    record DueLanes(List<Lane> lanes) {
        /** The start of the next page: after the last lane, or null for the beginning. */
        @Nullable
        Lane next() {
            return lanes.size() < LANES_MAX ? null : lanes.getLast();
        }
    }

    /** The lanes after this lane, or the first lanes for null. */
    Mono<DueLanes> lanes(@Nullable Lane before) {
        var statement = before == null
                ? db.sql(LANES)
                : db.sql(LANES_BELOW).bind("tenant", before.tenant()).bind("gateway", before.gateway());
        return statement
                .bind("now", clock.instant())
                .bind("attemptsMax", ATTEMPTS_MAX)
                .bind("most", LANES_MAX)
                .map(UnitQueue::lane)
                .all()
                .collectList()
                .map(DueLanes::new);
    }

    /** Claims up to {@code most} units of each lane, the longest due first, and returns them in the order of their events. */
    Mono<List<DueUnit>> take(Map<Lane, Integer> most) {
        var now = clock.instant();
        return Columns.of(db.sql(TAKE), most.entrySet())
                .ints("tenants", lane -> lane.getKey().tenant().value())
                .texts("gateways", lane -> lane.getKey().gateway())
                .longs("from", lane -> starts.of(lane.getKey(), now).getEpochSecond())
                .ints("most", Map.Entry::getValue)
                .statement()
                .bind("now", now)
                .bind("punctual", now.minus(PUNCTUAL))
                .bind("interval", INTERVAL.toSeconds() + " seconds")
                .bind("attemptsMax", ATTEMPTS_MAX)
                .map(UnitQueue::unit)
                .all()
                .collectList()
                .doOnNext(units -> starts.claimed(most.keySet(), units));
    }

    /** Records the outcome of an attempt for the unit and its pusher. */
    Mono<Void> note(DueUnit unit, Target target, Outcome outcome, @Nullable Integer status, boolean succeeded) {
        var statement = ofUnit(NOTE, unit)
                .bind("outcome", outcome.word())
                .bind("pusher", target.pusher())
                .bind("succeeded", succeeded)
                .bind("now", clock.instant());
        return (status == null ? statement.bindNull("status", Integer.class) : statement.bind("status", status)).then();
    }

    /** Supersedes a claimed unit without attempt, because its content or pusher is gone or its user is paused. */
    Mono<Void> drop(DueUnit unit) {
        return ofUnit(DROP, unit).then();
    }

    /** Releases a claimed unit without attempt, due immediately. */
    Mono<Void> putBack(DueUnit unit) {
        return ofUnit(PUT_BACK, unit).bind("now", clock.instant()).then();
    }

    /** Supersedes waiting units of the pusher of a claimed unit, if the pusher is deleted or its user is paused. */
    Mono<Void> dropOfPusher(DueUnit unit) {
        return db.sql(DROP_OF_PUSHER)
                .bind("tenant", unit.tenant())
                .bind("pusher", unit.pusher())
                .then();
    }

    /** The units since a time by push gateway, those with most failures first. */
    Flux<GatewayCounts> byGateway(Instant since, int most) {
        return db.sql(BY_GATEWAY)
                .bind("since", since)
                .bind("most", most)
                .mapProperties(GatewayCounts.class)
                .all();
    }

    /** The units of a push gateway by their outcome. */
    record GatewayCounts(String gateway, long waiting, long delivered, long rejected, long failed) {}

    private GenericExecuteSpec ofUnit(String sql, DueUnit unit) {
        return db.sql(sql).bind("tenant", unit.tenant()).bind("id", unit.id()).bind("attempt", unit.attempt());
    }

    private static Lane lane(Readable row) {
        return new Lane(
                RequiredColumn.of(row, "tenant", TenantId.class), RequiredColumn.of(row, "gateway", String.class));
    }

    private static DueUnit unit(Readable row) {
        return new DueUnit(
                RequiredColumn.of(row, "id", Long.class),
                RequiredColumn.of(row, "pusher", Long.class),
                lane(row),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "event_id", EventId.class),
                RequiredColumn.of(row, "tweaks", String.class),
                RequiredColumn.of(row, "user_is_target", Boolean.class),
                RequiredColumn.of(row, "attempts", Integer.class),
                RequiredColumn.of(row, "was_due", Instant.class),
                target(row),
                row.get("told", String.class));
    }

    private static @Nullable Target target(Readable row) {
        var appId = row.get("app_id", String.class);
        return appId == null
                ? null
                : new Target(
                        RequiredColumn.of(row, "pusher", Long.class),
                        appId,
                        RequiredColumn.of(row, "pushkey", String.class),
                        RequiredColumn.of(row, "url", String.class),
                        RequiredColumn.of(row, "described", String.class),
                        RequiredColumn.of(row, "set_at", Instant.class));
    }
}
