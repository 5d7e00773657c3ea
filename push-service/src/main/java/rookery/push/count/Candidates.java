// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.push.OwnRules;
import rookery.platform.push.PushedEvent;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.count.CohortNotifications.CohortNotification;
import rookery.push.count.CohortNotifications.Head;
import rookery.push.count.CohortNotifications.ThreadKey;
import rookery.push.count.RoomCohorts.RoomCohort;

/**
 * Reads the facts by which events are judged, in one statement: the cohorts of the rooms, with the running counts of the events'
 * threads, and the candidates. A candidate is a member whose verdict on an event may differ from the cohort's, found by index:
 * mentioned users, users whose rules share a term with the event, and members whose rules always have to be evaluated. If the
 * event's terms cannot be determined ({@link OwnRules#terms(PushedEvent)}), all members with indexed rules are candidates. So is
 * each sender, for the sender's display name. Other members are not read.
 */
@Component
class Candidates {
    /** The lateral joins with OFFSET fix the join order, even before the planner has statistics of the tables. */
    private static final String FIND = """
            WITH e AS MATERIALIZED (
                SELECT * FROM unnest(:tenants::int[], :rooms::text[], :senders::text[], :alls::bool[], :threads::text[])
                         WITH ORDINALITY AS e (tenant, room_id, sender, everybody, thread, ix)),
            candidate AS MATERIALIZED (
                SELECT n.ix, n.user_id FROM unnest(:namedAt::bigint[], :named::text[]) AS n (ix, user_id)
                UNION
                SELECT e.ix, r.user_id
                  FROM unnest(:termAt::bigint[], :terms::bigint[]) AS t (ix, term)
                  JOIN e ON e.ix = t.ix
                 CROSS JOIN LATERAL (SELECT user_id FROM push.rule_term r
                                      WHERE r.tenant = e.tenant AND r.term = t.term OFFSET 0) r
                UNION
                SELECT e.ix, m.user_id
                  FROM e
                 CROSS JOIN LATERAL (SELECT user_id FROM push.member m
                                      WHERE m.tenant = e.tenant AND m.room_id = e.room_id AND m.always OFFSET 0) m
                UNION
                SELECT e.ix, m.user_id
                  FROM e
                 CROSS JOIN LATERAL (SELECT user_id FROM push.member m
                                      WHERE m.tenant = e.tenant AND m.room_id = e.room_id
                                        AND EXISTS (SELECT 1 FROM push.rule_term r
                                                     WHERE r.tenant = m.tenant AND r.user_id = m.user_id) OFFSET 0) m
                 WHERE e.everybody)
            SELECT k.ix, NULL AS user_id, NULL AS display_name, c.cohort, 0 AS joined_pos,
                   EXISTS (SELECT 1 FROM push.member m
                            WHERE m.tenant = k.tenant AND m.room_id = k.room_id AND m.cohort = c.cohort AND m.pushers) AS pushers,
                   false AS ignores, h.pos, h.n, h.h
              FROM (SELECT tenant, room_id, thread, min(ix) AS ix FROM e GROUP BY tenant, room_id, thread) k
              JOIN push.room_cohort c ON c.tenant = k.tenant AND c.room_id = k.room_id
              LEFT JOIN push.thread_head h
                ON h.tenant = k.tenant AND h.room_id = k.room_id AND h.cohort = c.cohort AND h.thread = k.thread
            UNION ALL
            SELECT e.ix, m.user_id, m.display_name, m.cohort, m.joined_pos, m.pushers,
                   EXISTS (SELECT 1 FROM push.ignored i
                            WHERE i.tenant = e.tenant AND i.user_id = m.user_id AND i.ignored = e.sender) AS ignores,
                   NULL, NULL, NULL
              FROM candidate c
              JOIN e ON e.ix = c.ix
             CROSS JOIN LATERAL (SELECT * FROM push.member m
                                  WHERE m.tenant = e.tenant AND m.room_id = e.room_id AND m.user_id = c.user_id OFFSET 0) m
            """;

    private final DatabaseClient db;

    Candidates(DatabaseClient db) {
        this.db = db;
    }

    /**
     * A member whose own rules have to judge an event, or its sender.
     *
     * @param event index of the event in the request
     * @param ignores whether the member ignores the event's sender
     */
    record Candidate(
            int event,
            UserId user,
            @Nullable String displayName,
            long cohort,
            long joinedPos,
            boolean pushers,
            boolean ignores) {}

    /** An event to judge. */
    record CandidateEvent(LoggedEvent event, PushedEvent pushed) {
        static CandidateEvent of(LoggedEvent event) {
            return new CandidateEvent(event, event.pushed());
        }
    }

    private record IndexedValue<T>(long index, T value) {}

    /**
     * The facts of all events.
     *
     * @param cohorts the cohorts of each room
     * @param heads the running counts of the events' threads, by cohort; without the cohorts that have none
     * @param withPushers the cohorts with a member who has pushers
     * @param candidates by index of the event; the senders are always among them
     */
    record Facts(
            Map<TenantRoom, Set<Long>> cohorts,
            Map<ThreadKey, Head> heads,
            Set<RoomCohort> withPushers,
            Map<Integer, List<Candidate>> candidates) {
        static final Facts NONE = new Facts(Map.of(), Map.of(), Set.of(), Map.of());

        /** Whether a member of the cohort may be pushed to. */
        boolean hasPushers(CohortNotification notification) {
            return withPushers.contains(new RoomCohort(notification.event().room(), notification.cohort()));
        }
    }

    Mono<Facts> find(List<CandidateEvent> events) {
        var named = new ArrayList<IndexedValue<String>>();
        var terms = new ArrayList<IndexedValue<Long>>();
        var everybody = Collections.newSetFromMap(new IdentityHashMap<CandidateEvent, Boolean>());
        for (int i = 0; i < events.size(); i++) {
            var candidateEvent = events.get(i);
            long ordinal = i + 1L;
            named.add(new IndexedValue<>(
                    ordinal, candidateEvent.event.meta().sender().value()));
            for (var user : candidateEvent.pushed.mentioned()) {
                if (user.indexOf('\0') < 0) {
                    named.add(new IndexedValue<>(ordinal, user));
                }
            }
            var keys = OwnRules.terms(candidateEvent.pushed);
            if (keys == null) {
                everybody.add(candidateEvent);
            } else {
                keys.forEach(term -> terms.add(new IndexedValue<>(ordinal, term)));
            }
        }
        var facts = new Facts(new HashMap<>(), new HashMap<>(), new HashSet<>(), new HashMap<>());
        return statement(events, everybody, named, terms)
                .map(row -> add(facts, events, row))
                .all()
                .then(Mono.just(facts));
    }

    private static Facts add(Facts facts, List<CandidateEvent> events, Readable row) {
        int index = RequiredColumn.of(row, "ix", Long.class).intValue() - 1;
        long cohort = RequiredColumn.of(row, "cohort", Long.class);
        boolean pushers = RequiredColumn.of(row, "pushers", Boolean.class);
        var user = row.get("user_id", UserId.class);
        if (user != null) {
            facts.candidates
                    .computeIfAbsent(index, _ -> new ArrayList<>())
                    .add(new Candidate(
                            index,
                            user,
                            row.get("display_name", String.class),
                            cohort,
                            RequiredColumn.of(row, "joined_pos", Long.class),
                            pushers,
                            RequiredColumn.of(row, "ignores", Boolean.class)));
            return facts;
        }
        var event = events.get(index).event;
        facts.cohorts.computeIfAbsent(event.room(), _ -> new HashSet<>()).add(cohort);
        if (pushers) {
            facts.withPushers.add(new RoomCohort(event.room(), cohort));
        }
        if (row.get("n", Long.class) != null) {
            var key = new ThreadKey(event.room(), cohort, event.thread());
            facts.heads.put(
                    key,
                    new Head(
                            key,
                            RequiredColumn.of(row, "pos", Long.class),
                            RequiredColumn.of(row, "n", Long.class),
                            RequiredColumn.of(row, "h", Long.class)));
        }
        return facts;
    }

    private GenericExecuteSpec statement(
            List<CandidateEvent> events,
            Set<CandidateEvent> everybody,
            List<IndexedValue<String>> named,
            List<IndexedValue<Long>> terms) {
        var statement = Columns.of(db.sql(FIND), events)
                .rooms(candidateEvent -> candidateEvent.event.room())
                .texts(
                        "senders",
                        candidateEvent -> candidateEvent.event.meta().sender().value())
                .flags("alls", everybody::contains)
                .texts("threads", candidateEvent -> candidateEvent.event.thread())
                .statement();
        var withNamed = Columns.of(statement, named)
                .longs("namedAt", IndexedValue::index)
                .texts("named", IndexedValue::value)
                .statement();
        return Columns.of(withNamed, terms)
                .longs("termAt", IndexedValue::index)
                .longs("terms", IndexedValue::value)
                .statement();
    }
}
