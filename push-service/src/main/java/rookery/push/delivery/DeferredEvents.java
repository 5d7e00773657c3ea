// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.platform.runtime.DueWork;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.delivery.Units.TenantEvent;

/**
 * The events of tenants that are beyond their pace ({@link Lanes}). Units are created when they can be sent, and only for users who
 * have not read the event by then, because creating and superseding thousands of units delays other tenants (decision 0046).
 *
 * <p>While a tenant has deferred events, its new events are deferred too, so that the pushes of a room stay in order.
 */
@Component
class DeferredEvents {
    private static final Logger log = LoggerFactory.getLogger(DeferredEvents.class);
    /** Recipients for whom units are created at once; some of them have read the event, and get none. */
    private static final long RECIPIENTS_MIN = 50;

    private static final long RECIPIENTS_MAX = 500;
    private static final int TENANTS_AT_ONCE = 4;

    static final String DEFER = "WITH " + Units.GIVEN + """
            INSERT INTO push.deferred_event (tenant, event_id, room_id, pos, thread, ts, told, users, tweaks, targets, coalesces,
                                             recipients, coalescing, created_at)
            SELECT e.tenant, e.event_id, e.room_id, e.pos, e.thread, e.ts, e.told, u.users, u.tweaks, u.targets, u.coalesces,
                   u.recipients, u.coalescing, e.created_at
              FROM event e
              JOIN (SELECT tenant, event_id, array_agg(user_id) AS users, array_agg(tweaks) AS tweaks,
                           array_agg(user_is_target) AS targets, array_agg(coalesces) AS coalesces, count(*) AS recipients,
                           bool_or(coalesces) AS coalescing
                      FROM recipient
                     GROUP BY tenant, event_id) AS u USING (tenant, event_id)
             ORDER BY e.pos
            """;

    /** From the newest event, because the index entries of the oldest ones are dead until the table is vacuumed. */
    static final String WAITING_OF = """
            SELECT t.tenant
              FROM unnest(:tenants::int[]) AS t (tenant)
             CROSS JOIN LATERAL (
                   SELECT FROM push.deferred_event d WHERE d.tenant = t.tenant ORDER BY d.id DESC LIMIT 1) AS newest
            """;

    /** A skip scan, so that many events of one tenant do not slow down the look. */
    static final String WAITING = """
            WITH RECURSIVE waiting AS (
                (SELECT tenant FROM push.deferred_event ORDER BY tenant DESC, id DESC LIMIT 1)
                UNION ALL
                (SELECT next.tenant
                   FROM waiting
                  CROSS JOIN LATERAL (
                        SELECT tenant FROM push.deferred_event
                         WHERE tenant < waiting.tenant
                         ORDER BY tenant DESC, id DESC
                         LIMIT 1) AS next))
            SELECT tenant FROM waiting
            """;

    static final String LOCK_ROOMS = """
            SELECT pg_advisory_xact_lock_shared(hashtext('push.deferred_event ' || r.tenant), hashtext(r.room_id))
              FROM unnest(:tenants::int[], :rooms::text[]) AS r (tenant, room_id)
             CROSS JOIN LATERAL (
                   SELECT FROM push.deferred_event d WHERE d.room_id = r.room_id AND d.tenant = r.tenant LIMIT 1) AS deferred
            """;

    /**
     * The oldest events, until they have enough recipients. One instance at a time takes a tenant's events, so they stay in order.
     * The events of a room wait while a transaction records reads or redactions there ({@link #lock}).
     */
    static final String NEXT = """
            WITH mine AS MATERIALIZED (
                SELECT pg_try_advisory_xact_lock(hashtext('push.deferred_event'), :tenant::int) AS locked),
            oldest AS MATERIALIZED (
                SELECT *
                  FROM (SELECT d.id, d.event_id, d.room_id, d.coalescing,
                               sum(d.recipients) OVER (ORDER BY d.id) - d.recipients AS recipients_before
                          FROM mine
                         CROSS JOIN LATERAL (
                               SELECT id, event_id, room_id, coalescing, recipients
                                 FROM push.deferred_event
                                WHERE tenant = :tenant::int AND mine.locked
                                ORDER BY id
                                LIMIT :most) AS d) AS first
                 WHERE recipients_before < :most),
            room AS MATERIALIZED (
                SELECT room_id,
                       pg_try_advisory_xact_lock(hashtext('push.deferred_event ' || :tenant::int), hashtext(room_id)) AS locked
                  FROM (SELECT DISTINCT room_id FROM oldest) AS r)
            SELECT (SELECT locked FROM mine) AND NOT EXISTS (SELECT FROM oldest) AS finished,
                   coalesce(array_agg(id), '{}') AS ids,
                   coalesce(array_agg(event_id) FILTER (WHERE coalescing), '{}') AS coalescing
              FROM oldest JOIN room USING (room_id)
             WHERE room.locked
            """;

    /**
     * Creates the units of events for users who are still in the room, or are the subject of the event, and have not read it. OFFSET
     * keeps the look-ups of single users.
     */
    static final String RELEASE = """
            WITH event_row AS (
                DELETE FROM push.deferred_event WHERE tenant = :tenant AND id = ANY (:ids) RETURNING *),
            event AS (
                SELECT DISTINCT tenant, event_id, room_id, pos, thread, ts, told, created_at FROM event_row),
            recipient AS (
                SELECT e.tenant, e.event_id, u.*
                  FROM event_row e
                 CROSS JOIN LATERAL unnest(e.users, e.tweaks, e.targets, e.coalesces)
                       AS u (user_id, tweaks, user_is_target, coalesces)
                 WHERE (u.user_is_target
                        OR EXISTS (SELECT
                                     FROM push.member m
                                    WHERE m.tenant = e.tenant AND m.room_id = e.room_id AND m.user_id = u.user_id
                                      AND m.joined_pos < e.pos
                                   OFFSET 0))
                   AND NOT EXISTS (SELECT
                                     FROM push.read_position r
                                    WHERE r.tenant = e.tenant AND r.user_id = u.user_id AND r.room_id = e.room_id
                                      AND r.pos >= e.pos AND r.thread IN ('', coalesce(e.thread, 'main'))
                                   OFFSET 0)),
            """ + Units.MAKE;

    static final String FORGET = "DELETE FROM push.deferred_event WHERE event_id = :event AND tenant = :tenant";

    private final DatabaseClient db;
    private final TransactionalOperator transaction;
    private final Units units;
    private final Lanes lanes;
    private final Clock clock;
    private final DueWork due;
    /** The tenants with deferred events, as far as this instance knows. */
    private final Set<TenantId> waiting = ConcurrentHashMap.newKeySet();

    DeferredEvents(DatabaseClient db, TransactionalOperator transaction, Units units, Lanes lanes, Clock clock) {
        this.db = db;
        this.transaction = transaction;
        this.units = units;
        this.lanes = lanes;
        this.clock = clock;
        this.due = new DueWork(clock);
    }

    /** Of these tenants, those whose new events must be deferred. */
    Mono<Set<TenantId>> deferring(Collection<TenantId> tenants) {
        var limited = limited(tenants.stream());
        if (limited.isEmpty()) {
            return Mono.just(Set.of());
        }
        var beyond = new HashSet<>(limited);
        beyond.removeIf(tenant -> !lanes.waitsForPace(tenant));
        return Columns.of(db.sql(WAITING_OF), limited)
                .ints("tenants", TenantId::value)
                .statement()
                .mapValue(TenantId.class)
                .all()
                .collectList()
                .map(having -> {
                    beyond.addAll(having);
                    return beyond;
                });
    }

    private Set<TenantId> limited(Stream<TenantId> tenants) {
        var limited = new HashSet<TenantId>();
        tenants.filter(tenant -> lanes.perSecond(tenant) != null || waiting.contains(tenant))
                .forEach(limited::add);
        return limited;
    }

    Mono<Void> insert(List<NewUnit> all) {
        return Units.given(db.sql(DEFER), all)
                .bind("now", clock.instant())
                .then()
                .then(due.noteAtCommit(Duration.ZERO));
    }

    /** No other transaction creates units in these rooms until this one ends. */
    Mono<Void> lock(Set<TenantRoom> rooms) {
        var limited = limited(rooms.stream().map(TenantRoom::tenant));
        var locked =
                rooms.stream().filter(room -> limited.contains(room.tenant())).toList();
        return locked.isEmpty()
                ? Mono.empty()
                : Columns.of(db.sql(LOCK_ROOMS), locked).rooms(room -> room).then();
    }

    Mono<Void> forget(TenantId tenant, EventId event) {
        return db.sql(FORGET).bind("tenant", tenant).bind("event", event).then();
    }

    /** Whether a tenant has deferred events, so that a look after a moment finds work. */
    boolean anyWaiting() {
        return !waiting.isEmpty();
    }

    /** Creates units for tenants whose pace has tokens. Never fails. */
    Mono<Void> release() {
        return due.look(Integer.MAX_VALUE, having())
                .doOnNext(waiting::addAll)
                .onErrorResume(DeferredEvents::postponed)
                .thenMany(Flux.defer(() -> Flux.fromIterable(List.copyOf(waiting))))
                .filter(tenant -> !lanes.waitsForPace(tenant))
                .flatMap(tenant -> release(tenant).onErrorResume(DeferredEvents::postponed), TENANTS_AT_ONCE)
                .then();
    }

    private static <T> Mono<T> postponed(Throwable failure) {
        log.atWarn()
                .addKeyValue("cause", failure.toString())
                .log("the pushes of deferred events wait for the next try");
        return Mono.empty();
    }

    private Mono<List<TenantId>> having() {
        return db.sql(WAITING).mapValue(TenantId.class).all().collectList();
    }

    /** The next events of a tenant. */
    private record Next(boolean finished, List<Long> ids, List<TenantEvent> coalescing) {}

    private Mono<Void> release(TenantId tenant) {
        return next(tenant)
                .flatMap(next -> {
                    if (next.finished) {
                        waiting.remove(tenant);
                    }
                    return next.ids.isEmpty() ? Mono.empty() : released(tenant, next);
                })
                .as(transaction::transactional);
    }

    private Mono<Next> next(TenantId tenant) {
        return db.sql(NEXT)
                .bind("tenant", tenant)
                .bind("most", recipients(lanes.perSecond(tenant)))
                .map(row -> new Next(
                        RequiredColumn.of(row, "finished", Boolean.class),
                        List.of(RequiredColumn.of(row, "ids", Long[].class)),
                        Stream.of(RequiredColumn.of(row, "coalescing", String[].class))
                                .map(event -> new TenantEvent(tenant, new EventId(event)))
                                .toList()))
                .one();
    }

    /** The recipients of a fifth of a second: several looks come in that time. */
    private static long recipients(@Nullable Long perSecond) {
        return perSecond == null ? RECIPIENTS_MAX : Math.clamp(perSecond / 5, RECIPIENTS_MIN, RECIPIENTS_MAX);
    }

    private Mono<Void> released(TenantId tenant, Next next) {
        var statement = db.sql(RELEASE).bind("tenant", tenant).bind("ids", next.ids.toArray(Long[]::new));
        return units.withTimes(statement)
                .then()
                .then(next.coalescing.isEmpty() ? Mono.empty() : units.coalesce(next.coalescing));
    }
}
