// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.room.roomlog.BatchRows.RedactedFact;
import rookery.room.table.Relation;
import rookery.room.table.RoomColumns;

/**
 * Counts of replies by thread and sender, and each thread's newest reply. Updated in the transaction that appends or
 * redacts a reply, so that reading a thread of 100,000 replies is as fast as reading one of two.
 */
@Component
class Threads {
    private static final String ADD = """
            WITH reply AS (SELECT tenant, room_id, root, sender, max(pos) AS latest, count(*) AS replies
                             FROM unnest(:tenants::int[], :rooms::text[], :roots::text[], :senders::text[],
                                         :positions::bigint[])
                                  AS k (tenant, room_id, root, sender, pos)
                            GROUP BY tenant, room_id, root, sender),
                 newest AS (INSERT INTO room.thread (tenant, room_id, root, latest)
                            SELECT tenant, room_id, root, max(latest) FROM reply GROUP BY tenant, room_id, root
                                ON CONFLICT (tenant, room_id, root) DO UPDATE SET latest = excluded.latest)
            INSERT INTO room.thread_sender (tenant, room_id, root, sender, replies)
            SELECT tenant, room_id, root, sender, replies FROM reply
                ON CONFLICT (tenant, room_id, root, sender)
                DO UPDATE SET replies = thread_sender.replies + excluded.replies
            """;
    private static final String SUBTRACT = """
            UPDATE room.thread_sender s SET replies = s.replies - k.replies
              FROM (SELECT tenant, room_id, root, sender, count(*) AS replies
                      FROM unnest(:tenants::int[], :rooms::text[], :roots::text[], :senders::text[])
                           AS r (tenant, room_id, root, sender)
                     GROUP BY tenant, room_id, root, sender) k
             WHERE s.tenant = k.tenant AND s.room_id = k.room_id AND s.root = k.root AND s.sender = k.sender
            """;
    private static final String DROP_SENDERS = """
            DELETE FROM room.thread_sender s
             USING unnest(:tenants::int[], :rooms::text[], :roots::text[], :senders::text[])
                   AS k (tenant, room_id, root, sender)
             WHERE s.tenant = k.tenant AND s.room_id = k.room_id AND s.root = k.root AND s.sender = k.sender
               AND s.replies <= 0
            """;
    private static final String DROP_THREADS = """
            DELETE FROM room.thread t
             USING unnest(:tenants::int[], :rooms::text[], :roots::text[]) AS k (tenant, room_id, root)
             WHERE t.tenant = k.tenant AND t.room_id = k.room_id AND t.root = k.root
               AND NOT EXISTS (SELECT 1 FROM room.thread_sender s
                                WHERE s.tenant = t.tenant AND s.room_id = t.room_id AND s.root = t.root)
            """;
    private static final String GO_BACK = """
            UPDATE room.thread t SET latest = e.pos
              FROM unnest(:tenants::int[], :rooms::text[], :roots::text[]) AS k (tenant, room_id, root)
             CROSS JOIN LATERAL (SELECT v.pos FROM room.unredacted_event v
                                  WHERE v.tenant = k.tenant AND v.parent = k.root AND v.rel_type = 'm.thread'
                                  ORDER BY v.pos DESC LIMIT 1) e
             WHERE t.tenant = k.tenant AND t.room_id = k.room_id AND t.root = k.root
            """;

    private final DatabaseClient db;

    Threads(DatabaseClient db) {
        this.db = db;
    }

    /** Adds the replies among a batch's events, after the events are inserted. */
    Mono<Void> add(List<Events.Row> events) {
        var replies = events.stream().filter(Threads::isReply).toList();
        if (replies.isEmpty()) {
            return Mono.empty();
        }
        var rooms = replies.stream().map(Events.Row::room).toList();
        return db.sql(ADD)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("roots", texts(replies, reply -> root(reply.thread())))
                .bind("senders", texts(replies, reply -> reply.sender().value()))
                .bind("positions", longs(replies, Events.Row::pos))
                .then();
    }

    private static boolean isReply(Events.Row event) {
        return event.thread() != null
                && event.relation() != null
                && event.relation().type().equals(Relation.THREAD);
    }

    private static String root(@Nullable EventId thread) {
        return Objects.requireNonNull(thread).value();
    }

    /** Subtracts the replies among redacted events, after the events are marked as redacted. */
    Mono<Void> remove(List<RedactedFact> redacted) {
        var replies = redacted.stream()
                .filter(row -> row.target().thread() != null
                        && Relation.THREAD.equals(row.target().relType()))
                .toList();
        if (replies.isEmpty()) {
            return Mono.empty();
        }
        return Flux.concat(
                        withSenders(db.sql(SUBTRACT), replies).then(),
                        withSenders(db.sql(DROP_SENDERS), replies).then(),
                        bound(db.sql(DROP_THREADS), replies).then(),
                        bound(db.sql(GO_BACK), replies).then())
                .then();
    }

    private static GenericExecuteSpec withSenders(GenericExecuteSpec sql, List<RedactedFact> replies) {
        return bound(sql, replies)
                .bind("senders", texts(replies, row -> row.target().sender().value()));
    }

    private static GenericExecuteSpec bound(GenericExecuteSpec sql, List<RedactedFact> replies) {
        var rooms = replies.stream().map(RedactedFact::room).toList();
        return sql.bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("roots", texts(replies, row -> root(row.target().thread())));
    }
}
