// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.push.Columns;

/** The statements that create and supersede units. Lateral joins with OFFSET stay index look-ups; PlansIT shows their indexes. */
@Component
class Units {
    /** The common table expressions {@code event} and {@code recipient} from parameters. */
    static final String GIVEN = """
            event AS (
                SELECT e.*, :now::timestamptz AS created_at
                  FROM unnest(:eventTenants::int[], :eventIds::text[], :rooms::text[], :positions::bigint[], :threads::text[],
                              :times::bigint[], :told::text[])
                       AS e (tenant, event_id, room_id, pos, thread, ts, told)),
            recipient AS (
                SELECT *
                  FROM unnest(:tenants::int[], :users::text[], :events::text[], :tweaks::text[], :targets::boolean[],
                              :coalesces::boolean[])
                       AS u (tenant, user_id, event_id, tweaks, user_is_target, coalesces))
            """;

    /**
     * Creates a unit for each pusher of each recipient, in the order of the events, because claims follow the ids. An event's content
     * is stored only if a unit was created.
     */
    static final String MAKE = """
            made AS (
                INSERT INTO push.unit (tenant, pusher, event_id, room_id, pos, thread, user_id, app_id, pushkey_hash, gateway,
                                       tweaks, user_is_target, coalesces, created_at, due_at)
                SELECT u.tenant, p.id, u.event_id, e.room_id, e.pos, e.thread, u.user_id, p.app_id,
                       left(encode(sha256(convert_to(p.pushkey, 'UTF8')), 'hex'), 16), p.gateway,
                       u.tweaks, u.user_is_target, u.coalesces, e.created_at,
                       CASE WHEN u.coalesces THEN :later ELSE :now::timestamptz END
                  FROM recipient u
                  JOIN event e USING (tenant, event_id)
                  JOIN push.pusher p ON p.tenant = u.tenant AND p.user_id = u.user_id
                  LEFT JOIN push.pause s ON s.tenant = u.tenant AND s.user_id = u.user_id
                 WHERE e.ts >= floor(extract(epoch FROM p.created_at) * 1000)
                   AND (s.user_id IS NULL OR e.ts >= floor(extract(epoch FROM s.resumed_at) * 1000))
                 ORDER BY e.pos
                    ON CONFLICT (pusher, event_id) DO NOTHING
                RETURNING tenant, event_id)
            INSERT INTO push.pushed_event (tenant, event_id, room_id, told, created_at)
            SELECT tenant, event_id, room_id, told, created_at
              FROM event
             WHERE (tenant, event_id) IN (SELECT tenant, event_id FROM made)
                ON CONFLICT (tenant, event_id) DO NOTHING
            """;

    private static final String INSERT = "WITH " + GIVEN + ", " + MAKE;

    /** Of a pusher's waiting coalescing units in one room only the newest stays pending, with the due time of the oldest. */
    static final String COALESCE = """
            WITH made AS MATERIALIZED (
                SELECT DISTINCT u.tenant, u.pusher, u.room_id
                  FROM unnest(:tenants::int[], :events::text[]) AS e (tenant, event_id)
                 CROSS JOIN LATERAL (
                       SELECT tenant, pusher, room_id FROM push.unit
                        WHERE tenant = e.tenant AND event_id = e.event_id AND outcome = 'pending' OFFSET 0) AS u),
            waiting AS (
                SELECT w.id, min(w.due_at) OVER room AS due, row_number() OVER (room ORDER BY w.pos DESC, w.id DESC) AS age
                  FROM made
                 CROSS JOIN LATERAL (
                       SELECT id, pos, due_at FROM push.unit
                        WHERE tenant = made.tenant AND pusher = made.pusher AND room_id = made.room_id
                          AND outcome = 'pending' AND coalesces AND attempts = 0 OFFSET 0) AS w
                WINDOW room AS (PARTITION BY made.pusher, made.room_id))
            UPDATE push.unit AS u
               SET outcome = CASE WHEN w.age = 1 THEN 'pending' ELSE 'superseded' END, due_at = w.due
              FROM waiting w
             WHERE u.id = w.id AND (u.outcome = 'pending') IS TRUE AND u.attempts = 0 AND (w.age > 1 OR u.due_at <> w.due)
            """;

    static final String SUPERSEDE_EVENT = """
            UPDATE push.unit SET outcome = 'superseded'
             WHERE tenant = :tenant AND event_id = :event AND outcome = 'pending'
            """;

    private static final String FORGET = "DELETE FROM push.pushed_event WHERE tenant = :tenant AND event_id = :event";

    static final String SUPERSEDE_READ = """
            UPDATE push.unit SET outcome = 'superseded'
             WHERE (outcome = 'pending') IS TRUE
               AND id IN (SELECT u.id
                            FROM unnest(:tenants::int[], :users::text[], :rooms::text[], :positions::bigint[], :threads::text[])
                                 AS r (tenant, user_id, room_id, pos, thread)
                           CROSS JOIN LATERAL (
                                 SELECT id FROM push.unit
                                  WHERE tenant = r.tenant AND user_id = r.user_id AND room_id = r.room_id AND pos <= r.pos
                                    AND outcome = 'pending' AND (r.thread IS NULL OR coalesce(thread, 'main') = r.thread)
                                 OFFSET 0) AS u)
            """;

    static final String SUPERSEDE_USER = """
            UPDATE push.unit SET outcome = 'superseded'
             WHERE tenant = :tenant AND user_id = :user AND outcome = 'pending'
            """;

    private final DatabaseClient db;
    private final Clock clock;
    private final DeliveryProperties properties;

    Units(DatabaseClient db, Clock clock, DeliveryProperties properties) {
        this.db = db;
        this.clock = clock;
        this.properties = properties;
    }

    /** An event by its id. */
    record TenantEvent(TenantId tenant, EventId event) {
        static TenantEvent of(UnitEvent event) {
            return new TenantEvent(event.tenant(), event.event());
        }
    }

    Mono<Void> insert(List<NewUnit> all) {
        return withTimes(given(db.sql(INSERT), all)).then();
    }

    /** Binds the parameters of {@link #GIVEN}. */
    static GenericExecuteSpec given(GenericExecuteSpec statement, List<NewUnit> all) {
        var events = all.stream().map(NewUnit::event).distinct().toList();
        var withEvents = Columns.of(statement, events)
                .ints("eventTenants", event -> event.tenant().value())
                .texts("eventIds", event -> event.event().value())
                .texts("rooms", event -> event.room().value())
                .longs("positions", UnitEvent::pos)
                .texts("threads", Units::thread)
                .longs("times", UnitEvent::ts)
                .texts("told", PushPayload::of)
                .statement();
        return Columns.of(withEvents, all)
                .ints("tenants", unit -> unit.event().tenant().value())
                .texts("users", unit -> unit.user().value())
                .texts("events", unit -> unit.event().event().value())
                .texts("tweaks", unit -> PushPayload.tweaks(unit.verdict().actions()))
                .flags(
                        "targets",
                        unit -> unit.user().value().equals(unit.event().stateKey()))
                .flags("coalesces", unit -> unit.verdict().coalesces())
                .statement();
    }

    /** Binds the times of {@link #MAKE}. */
    GenericExecuteSpec withTimes(GenericExecuteSpec statement) {
        var now = clock.instant();
        return statement.bind("now", now).bind("later", now.plus(properties.coalescingWindow()));
    }

    private static @Nullable String thread(UnitEvent event) {
        return event.thread() == null ? null : event.thread().value();
    }

    Mono<Void> coalesce(List<TenantEvent> events) {
        return Columns.of(db.sql(COALESCE), events)
                .ints("tenants", event -> event.tenant().value())
                .texts("events", event -> event.event().value())
                .then();
    }

    Mono<Void> supersede(TenantId tenant, EventId event) {
        return ofEvent(SUPERSEDE_EVENT, tenant, event);
    }

    Mono<Void> forget(TenantId tenant, EventId event) {
        return ofEvent(FORGET, tenant, event);
    }

    private Mono<Void> ofEvent(String sql, TenantId tenant, EventId event) {
        return db.sql(sql).bind("tenant", tenant).bind("event", event).then();
    }

    Mono<Void> supersede(List<ReadUpTo> reads) {
        return Columns.of(db.sql(SUPERSEDE_READ), reads)
                .ints("tenants", read -> read.tenant().value())
                .texts("users", read -> read.user().value())
                .texts("rooms", read -> read.room().value())
                .longs("positions", ReadUpTo::pos)
                .texts("threads", ReadUpTo::thread)
                .then();
    }

    Mono<Void> supersede(TenantId tenant, UserId user) {
        return db.sql(SUPERSEDE_USER).bind("tenant", tenant).bind("user", user).then();
    }
}
