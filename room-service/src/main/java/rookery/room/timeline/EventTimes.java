// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.room.authorization.VisiblePlaces;
import rookery.room.authorization.VisiblePlaces.Stretch;
import rookery.room.table.EventRows;
import rookery.room.table.RoomColumns;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.PageReader.Direction;

/** Finds events of a room by timestamp. Each statement reads a bounded number of events, even where many are hidden. */
@Component
class EventTimes {
    private static final int STRETCHES_MAX = 100;

    private static final String NEAREST = """
            SELECT l.pos, l.body
              FROM (SELECT c.pos, c.ts, c.shard
                      FROM (SELECT e.pos, e.ts, e.shard FROM room.event e
                             WHERE e.tenant = :tenant AND e.room_id = :room AND e.ts COMPARED :ts
                             ORDER BY e.ts DIRECTION, e.pos DIRECTION LIMIT 1000) c
                     WHERE EXISTS (SELECT 1 FROM unnest(:firsts::bigint[], :lasts::bigint[]) AS v (first, last)
                                    WHERE c.pos BETWEEN v.first AND v.last)
                     ORDER BY c.ts DIRECTION, c.pos DIRECTION LIMIT 10) n
              JOIN room.entry_body l ON l.shard = n.shard AND l.pos = n.pos
             ORDER BY n.ts DIRECTION, n.pos DIRECTION
            """;

    private static final String AT_EDGES = """
            SELECT l.pos, l.body
              FROM (SELECT c.pos, c.ts, c.shard
                      FROM unnest(:firsts::bigint[], :lasts::bigint[]) AS v (first, last)
                     CROSS JOIN LATERAL (SELECT e.pos, e.ts, e.shard FROM room.event e
                                          WHERE e.tenant = :tenant AND e.room_id = :room
                                            AND e.pos BETWEEN v.first AND v.last
                                          ORDER BY e.pos DIRECTION LIMIT 1000) c
                     WHERE c.ts COMPARED :ts
                     ORDER BY c.ts DIRECTION, c.pos DIRECTION LIMIT 10) n
              JOIN room.entry_body l ON l.shard = n.shard AND l.pos = n.pos
             ORDER BY n.ts DIRECTION, n.pos DIRECTION
            """;

    private final DatabaseClient db;

    EventTimes(DatabaseClient db) {
        this.db = db;
    }

    /** The nearest events first; empty also if a thousand hidden events are nearer than any visible event. */
    Mono<List<StoredEvent>> nearest(TenantRoom room, VisiblePlaces places, long ts, Direction direction) {
        return events(NEAREST, room, places, ts, direction);
    }

    /** For times in hidden stretches: the nearest events at the beginnings or ends of visible stretches. */
    Mono<List<StoredEvent>> atEdges(TenantRoom room, VisiblePlaces places, long ts, Direction direction) {
        return events(AT_EDGES, room, places, ts, direction);
    }

    private Mono<List<StoredEvent>> events(
            String sql, TenantRoom room, VisiblePlaces places, long ts, Direction direction) {
        boolean isForwards = direction == Direction.FORWARDS;
        var all = places.stretches();
        var newest = all.subList(Math.max(0, all.size() - STRETCHES_MAX), all.size());
        return db.sql(sql.replace("COMPARED", isForwards ? ">=" : "<=")
                        .replace("DIRECTION", isForwards ? "ASC" : "DESC"))
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .bind("ts", ts)
                .bind("firsts", RoomColumns.longs(newest, Stretch::first))
                .bind("lasts", RoomColumns.longs(newest, Stretch::last))
                .map(EventRows::event)
                .all()
                .collectList();
    }
}
