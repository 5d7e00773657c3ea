// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.platform.push.Verdict;
import rookery.push.Columns;
import rookery.push.notification.ActionsText;

/**
 * The table of events that notify a cohort, with running counts by thread of a room: n notifications, h highlights, up to and
 * including this event.
 */
@Component
class CohortNotifications {
    static final String SET_HEADS = """
            INSERT INTO push.thread_head (tenant, room_id, cohort, thread, pos, n, h)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :cohorts::bigint[], :threads::text[], :positions::bigint[],
                                 :n::bigint[], :h::bigint[])
                ON CONFLICT (tenant, room_id, cohort, thread) DO UPDATE
               SET pos = excluded.pos, n = excluded.n, h = excluded.h
            """;

    static final String INSERT = """
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

    record ThreadKey(TenantRoom room, long cohort, String thread) {}

    /** The newest notification of a thread, at {@code pos}, with its running counts. */
    record Head(ThreadKey key, long pos, long n, long h) {
        Head next(CohortNotification notification) {
            return new Head(key, notification.event.pos(), n + 1, h + (notification.verdict.highlights() ? 1 : 0));
        }
    }

    record NumberedNotification(CohortNotification notification, Head head) {}

    /**
     * New rows of both tables.
     *
     * @param heads the newest notification of each thread
     */
    record NotificationRows(List<NumberedNotification> notifications, List<Head> heads) {
        /**
         * Numbers notifications in the order of the log.
         *
         * @param before the newest earlier notifications
         */
        static NotificationRows of(List<CohortNotification> all, Map<ThreadKey, Head> before) {
            var rows = new ArrayList<NumberedNotification>();
            var heads = new HashMap<ThreadKey, Head>();
            for (var notification : all) {
                var key = notification.key();
                var last = heads.getOrDefault(key, before.getOrDefault(key, new Head(key, 0, 0, 0)));
                var head = last.next(notification);
                heads.put(key, head);
                rows.add(new NumberedNotification(notification, head));
            }
            return new NotificationRows(rows, List.copyOf(heads.values()));
        }
    }

    static GenericExecuteSpec bind(Columns<NumberedNotification> rows) {
        return rows.rooms(row -> row.head.key.room)
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
                .statement();
    }

    static GenericExecuteSpec bindHeads(Columns<Head> heads) {
        return heads.rooms(head -> head.key.room)
                .longs("cohorts", head -> head.key.cohort)
                .texts("threads", head -> head.key.thread)
                .longs("positions", Head::pos)
                .longs("n", Head::n)
                .longs("h", Head::h)
                .statement();
    }

    /** Marks the notifications of redacted events as withdrawn. */
    Mono<Void> withdraw(List<RoomPosition> positions) {
        return RoomPosition.each(db, WITHDRAW, positions);
    }
}
