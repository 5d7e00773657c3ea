// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import rookery.model.id.TenantRoom;
import rookery.platform.http.AnswerBudget;
import rookery.platform.http.PageBytes;
import rookery.room.table.BoundedRows;
import rookery.room.table.EventRows;
import rookery.room.table.StoredEvent;

/**
 * Reads the state of rooms with any number of members, in portions on demand: first the positions of the events, then the events.
 * Each portion is a statement of its own, so that a slow client occupies no connection. State at a position never changes, so the
 * portions together are the state at that position.
 */
@Component
public class LargeStates {
    /** Events of a portion. An event usually has half a KiB; larger events end a portion earlier. */
    private static final int EVENTS_MAX = 100;
    /** A portion in memory: rows, text and encoded bytes. */
    private static final int COPIES = 3;

    private static final String AT = """
            SELECT s.valid_from
              FROM room.state s
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.valid_from <= :pos AND s.valid_to > :pos
             ORDER BY s.valid_from
            """;

    private static final String LAZILY_AT = """
            SELECT s.valid_from
              FROM room.state s
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.valid_from <= :pos AND s.valid_to > :pos
               AND (s.type <> 'm.room.member' OR s.state_key = ANY (:users::text[]))
             ORDER BY s.valid_from
            """;

    private static final String MEMBERS_AT = """
            SELECT s.valid_from
              FROM room.state s
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.type = 'm.room.member'
               AND s.valid_from <= :pos AND s.valid_to > :pos
               AND s.membership = ANY (:memberships::text[])
             ORDER BY s.valid_from
            """;

    private static final String EVENTS = BoundedRows.sql("""
            SELECT l.pos, l.body FROM room.entry_body l WHERE l.shard = :shard AND l.pos = ANY (:places::bigint[])
            """, "pos", PageBytes.PORTION_MAX);

    private final DatabaseClient db;

    LargeStates(DatabaseClient db) {
        this.db = db;
    }

    /** The whole state at a position, oldest event first. */
    public Flux<List<StoredEvent>> at(TenantRoom room, int shard, long pos) {
        return portions(bound(AT, room, pos), shard);
    }

    /** The state at a position, with the member events of these users only; oldest event first. */
    Flux<List<StoredEvent>> lazilyAt(TenantRoom room, int shard, long pos, List<String> users) {
        return portions(bound(LAZILY_AT, room, pos).bind("users", users.toArray(String[]::new)), shard);
    }

    /** Member events at a position with one of these memberships, oldest first. */
    public Flux<List<StoredEvent>> membersAt(TenantRoom room, int shard, long pos, List<String> memberships) {
        return portions(bound(MEMBERS_AT, room, pos).bind("memberships", memberships.toArray(String[]::new)), shard);
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, TenantRoom room, long pos) {
        return db.sql(sql)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .bind("pos", pos);
    }

    private Flux<List<StoredEvent>> portions(DatabaseClient.GenericExecuteSpec places, int shard) {
        return places.mapValue(Long.class)
                .all()
                .collectList()
                .flatMapMany(positions -> Flux.generate(() -> new Walk(shard, positions), Walk::step)
                        .concatMap(Walk::portion, 0));
    }

    /** Iterates over the positions of one answer. */
    private final class Walk {
        private final int shard;
        private final List<Long> places;
        private int next;
        private boolean isReserved;

        Walk(int shard, List<Long> places) {
            this.shard = shard;
            this.places = places;
        }

        Walk step(SynchronousSink<Walk> sink) {
            if (next < places.size()) {
                sink.next(this);
            } else {
                sink.complete();
            }
            return this;
        }

        /**
         * The next portion. The statement runs at once and to its end, even if the client is slow or has disconnected: the driver
         * returns a connection only after all rows are consumed.
         */
        Mono<List<StoredEvent>> portion() {
            var positions = places.subList(next, Math.min(next + EVENTS_MAX, places.size()));
            return db.sql(EVENTS)
                    .bind("shard", shard)
                    .bind("places", positions.toArray(Long[]::new))
                    .map(EventRows::event)
                    .all()
                    .collectList()
                    .doOnNext(read -> next += consumed(positions, read))
                    .delayUntil(this::reserved)
                    .cache();
        }

        /**
         * Reserves the memory of one portion for the whole answer, before the first byte is written; no more than a portion
         * is in memory.
         */
        private Mono<Void> reserved(List<StoredEvent> first) {
            if (isReserved) {
                return Mono.empty();
            }
            isReserved = true;
            boolean isAll = next == places.size();
            return AnswerBudget.reserve(COPIES * (isAll ? StoredEvent.length(first) : PageBytes.PORTION_MAX));
        }

        /** Positions whose event was deleted meanwhile are skipped. */
        private static int consumed(List<Long> positions, List<StoredEvent> read) {
            return read.isEmpty()
                    ? positions.size()
                    : positions.indexOf(read.getLast().pos()) + 1;
        }
    }
}
