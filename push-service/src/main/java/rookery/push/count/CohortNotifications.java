// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.platform.push.Verdict;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;
import rookery.push.notification.ActionsText;

/**
 * The table of events that notify a cohort, with running counts by thread of a room: n notifications, h highlights, up to and
 * including this event.
 */
@Component
class CohortNotifications {
    private static final String HEADS = """
            SELECT h.tenant, h.room_id, h.cohort, h.thread, h.pos, h.n, h.h
              FROM unnest(:tenants::int[], :rooms::text[], :cohorts::bigint[], :threads::text[])
                   AS k (tenant, room_id, cohort, thread)
              JOIN push.thread_head h
                ON h.tenant = k.tenant AND h.room_id = k.room_id AND h.cohort = k.cohort AND h.thread = k.thread
            """;

    private static final String SET_HEADS = """
            INSERT INTO push.thread_head (tenant, room_id, cohort, thread, pos, n, h)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :cohorts::bigint[], :threads::text[], :positions::bigint[],
                                 :n::bigint[], :h::bigint[])
                ON CONFLICT (tenant, room_id, cohort, thread) DO UPDATE
               SET pos = excluded.pos, n = excluded.n, h = excluded.h
            """;

    private static final String INSERT = """
            INSERT INTO push.noted
                   (tenant, room_id, pos, thread, cohort, event_id, sender, ts, actions, n, h, highlight)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :positions::bigint[], :threads::text[], :cohorts::bigint[],
                                 :events::text[], :senders::text[], :times::bigint[], :actions::text[], :n::bigint[],
                                 :h::bigint[], :highlights::bool[])
            """;

    private static final String WITHDRAW = """
            UPDATE push.noted n SET withdrawn = true
              FROM unnest(:tenants::int[], :rooms::text[], :positions::bigint[]) AS k (tenant, room_id, pos)
             WHERE n.tenant = k.tenant AND n.room_id = k.room_id AND n.pos = k.pos AND NOT n.withdrawn
            """;

    private final DatabaseClient db;

    CohortNotifications(DatabaseClient db) {
        this.db = db;
    }

    /** An event that notifies a cohort. */
    record CohortNotification(LoggedEvent event, long cohort, Verdict verdict) {
        private ThreadKey key() {
            return new ThreadKey(event.room(), cohort, event.thread());
        }
    }

    private record ThreadKey(TenantRoom room, long cohort, String thread) {}

    /** The newest notification of a thread, at {@code pos}, with its running counts. */
    private record Head(ThreadKey key, long pos, long n, long h) {
        Head next(CohortNotification notification) {
            return new Head(key, notification.event.pos(), n + 1, h + (notification.verdict.highlights() ? 1 : 0));
        }
    }

    private record NumberedNotification(CohortNotification notification, Head head) {}

    /** Adds notifications in the order of the log. */
    Mono<Void> add(List<CohortNotification> all) {
        if (all.isEmpty()) {
            return Mono.empty();
        }
        var keys = new HashSet<ThreadKey>();
        all.forEach(notification -> keys.add(notification.key()));
        return Columns.of(db.sql(HEADS), keys)
                .rooms(ThreadKey::room)
                .longs("cohorts", ThreadKey::cohort)
                .texts("threads", ThreadKey::thread)
                .statement()
                .map(row -> new Head(
                        new ThreadKey(
                                Members.room(row),
                                RequiredColumn.of(row, "cohort", Long.class),
                                RequiredColumn.of(row, "thread", String.class)),
                        RequiredColumn.of(row, "pos", Long.class),
                        RequiredColumn.of(row, "n", Long.class),
                        RequiredColumn.of(row, "h", Long.class)))
                .all()
                .collectMap(Head::key)
                .flatMap(heads -> add(all, new HashMap<>(heads)));
    }

    private Mono<Void> add(List<CohortNotification> all, Map<ThreadKey, Head> heads) {
        var rows = new ArrayList<NumberedNotification>();
        for (var notification : all) {
            var key = notification.key();
            var head = heads.getOrDefault(key, new Head(key, 0, 0, 0)).next(notification);
            heads.put(key, head);
            rows.add(new NumberedNotification(notification, head));
        }
        return Portions.each(rows, this::insert).then(Portions.each(List.copyOf(heads.values()), this::setHeads));
    }

    private Mono<Void> insert(List<NumberedNotification> rows) {
        return Columns.of(db.sql(INSERT), rows)
                .rooms(row -> row.head.key.room)
                .longs("positions", row -> row.head.pos)
                .texts("threads", row -> row.head.key.thread)
                .longs("cohorts", row -> row.head.key.cohort)
                .texts("events", row -> row.notification.event.meta().eventId().value())
                .texts("senders", row -> row.notification.event.meta().sender().value())
                .longs("times", row -> row.notification.event.meta().ts())
                .texts("actions", row -> ActionsText.write(row.notification.verdict))
                .longs("n", row -> row.head.n)
                .longs("h", row -> row.head.h)
                .flags("highlights", row -> row.notification.verdict.highlights())
                .then();
    }

    private Mono<Void> setHeads(List<Head> heads) {
        return Columns.of(db.sql(SET_HEADS), heads)
                .rooms(head -> head.key.room)
                .longs("cohorts", head -> head.key.cohort)
                .texts("threads", head -> head.key.thread)
                .longs("positions", Head::pos)
                .longs("n", Head::n)
                .longs("h", Head::h)
                .then();
    }

    /** Marks the notifications of redacted events as withdrawn. */
    Mono<Void> withdraw(List<RoomPosition> positions) {
        return RoomPosition.each(db, WITHDRAW, positions);
    }
}
