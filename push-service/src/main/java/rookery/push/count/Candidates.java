// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.UserId;
import rookery.platform.push.OwnRules;
import rookery.platform.push.PushedEvent;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;

/**
 * Finds, by index, the members whose verdict on an event may differ from their cohort's: mentioned users, users whose rules share
 * a term with the event, and members whose rules always have to be evaluated. If the event's terms cannot be determined
 * ({@link OwnRules#terms(PushedEvent)}), all members with indexed rules are candidates. So is each sender, for the sender's
 * display name. Other members are not read.
 */
@Component
class Candidates {
    /** The lateral joins with OFFSET fix the join order, even before the planner has statistics of the tables. */
    private static final String FIND = """
            WITH e AS MATERIALIZED (
                SELECT * FROM unnest(:tenants::int[], :rooms::text[], :senders::text[], :alls::bool[])
                         WITH ORDINALITY AS e (tenant, room_id, sender, everybody, ix)),
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
            SELECT e.ix, m.user_id, m.display_name, m.cohort, m.joined_pos, m.pushers,
                   EXISTS (SELECT 1 FROM push.ignored i
                            WHERE i.tenant = e.tenant AND i.user_id = m.user_id AND i.ignored = e.sender) AS ignores
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

    /** The candidates by index of the event; the senders are always among them. */
    Mono<Map<Integer, List<Candidate>>> find(List<CandidateEvent> events) {
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
        return candidates(events, everybody, named, terms)
                .collectMultimap(Candidate::event)
                .map(Candidates::lists);
    }

    private Flux<Candidate> candidates(
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
                .statement();
        var withNamed = Columns.of(statement, named)
                .longs("namedAt", IndexedValue::index)
                .texts("named", IndexedValue::value)
                .statement();
        return Columns.of(withNamed, terms)
                .longs("termAt", IndexedValue::index)
                .longs("terms", IndexedValue::value)
                .statement()
                .map(Candidates::row)
                .all();
    }

    private static Map<Integer, List<Candidate>> lists(Map<Integer, Collection<Candidate>> byEvent) {
        var lists = new HashMap<Integer, List<Candidate>>();
        byEvent.forEach((event, candidates) -> lists.put(event, List.copyOf(candidates)));
        return lists;
    }

    private static Candidate row(Readable row) {
        return new Candidate(
                RequiredColumn.of(row, "ix", Long.class).intValue() - 1,
                RequiredColumn.of(row, "user_id", UserId.class),
                row.get("display_name", String.class),
                RequiredColumn.of(row, "cohort", Long.class),
                RequiredColumn.of(row, "joined_pos", Long.class),
                RequiredColumn.of(row, "pushers", Boolean.class),
                RequiredColumn.of(row, "ignores", Boolean.class));
    }
}
