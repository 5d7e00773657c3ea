package rookery.room.timeline;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.room.authorization.VisiblePlaces;
import rookery.room.authorization.VisiblePlaces.Stretch;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.PageReader.Direction;

/** Finds events of a room by timestamp. Each statement reads a bounded number of events, even where many are hidden. */
@Component
class EventTimes {
    private static final int STRETCHES_MAX = 100;

    private static final String AFTER = """
            SELECT l.pos, l.body
              FROM (SELECT c.pos, c.ts, c.shard
                      FROM (SELECT e.pos, e.ts, e.shard FROM room.event e
                             WHERE e.tenant = :tenant AND e.room_id = :room AND e.ts >= :ts
                             ORDER BY e.ts, e.pos LIMIT 1000) c
                     WHERE EXISTS (SELECT 1 FROM unnest(:firsts::bigint[], :lasts::bigint[]) AS v (first, last)
                                    WHERE c.pos BETWEEN v.first AND v.last)
                     ORDER BY c.ts, c.pos LIMIT 10) n
              JOIN room.entry_body l ON l.shard = n.shard AND l.pos = n.pos
             ORDER BY n.ts, n.pos
            """;

    private static final String BEFORE = """
            SELECT l.pos, l.body
              FROM (SELECT c.pos, c.ts, c.shard
                      FROM (SELECT e.pos, e.ts, e.shard FROM room.event e
                             WHERE e.tenant = :tenant AND e.room_id = :room AND e.ts <= :ts
                             ORDER BY e.ts DESC, e.pos DESC LIMIT 1000) c
                     WHERE EXISTS (SELECT 1 FROM unnest(:firsts::bigint[], :lasts::bigint[]) AS v (first, last)
                                    WHERE c.pos BETWEEN v.first AND v.last)
                     ORDER BY c.ts DESC, c.pos DESC LIMIT 10) n
              JOIN room.entry_body l ON l.shard = n.shard AND l.pos = n.pos
             ORDER BY n.ts DESC, n.pos DESC
            """;

    private static final String FIRST_OF_STRETCHES = """
            SELECT l.pos, l.body
              FROM (SELECT c.pos, c.ts, c.shard
                      FROM unnest(:firsts::bigint[], :lasts::bigint[]) AS v (first, last)
                     CROSS JOIN LATERAL (SELECT e.pos, e.ts, e.shard FROM room.event e
                                          WHERE e.tenant = :tenant AND e.room_id = :room
                                            AND e.pos BETWEEN v.first AND v.last
                                          ORDER BY e.pos LIMIT 1000) c
                     WHERE c.ts >= :ts
                     ORDER BY c.ts, c.pos LIMIT 10) n
              JOIN room.entry_body l ON l.shard = n.shard AND l.pos = n.pos
             ORDER BY n.ts, n.pos
            """;

    private static final String LAST_OF_STRETCHES = """
            SELECT l.pos, l.body
              FROM (SELECT c.pos, c.ts, c.shard
                      FROM unnest(:firsts::bigint[], :lasts::bigint[]) AS v (first, last)
                     CROSS JOIN LATERAL (SELECT e.pos, e.ts, e.shard FROM room.event e
                                          WHERE e.tenant = :tenant AND e.room_id = :room
                                            AND e.pos BETWEEN v.first AND v.last
                                          ORDER BY e.pos DESC LIMIT 1000) c
                     WHERE c.ts <= :ts
                     ORDER BY c.ts DESC, c.pos DESC LIMIT 10) n
              JOIN room.entry_body l ON l.shard = n.shard AND l.pos = n.pos
             ORDER BY n.ts DESC, n.pos DESC
            """;

    private final DatabaseClient db;

    EventTimes(DatabaseClient db) {
        this.db = db;
    }

    /** The nearest events first; empty also if a thousand hidden events are nearer than any visible event. */
    Mono<List<StoredEvent>> nearest(TenantRoom room, VisiblePlaces places, long ts, Direction direction) {
        return events(direction == Direction.FORWARDS ? AFTER : BEFORE, room, places, ts);
    }

    /** For times in hidden stretches: the nearest events at the beginnings or ends of visible stretches. */
    Mono<List<StoredEvent>> atEdges(TenantRoom room, VisiblePlaces places, long ts, Direction direction) {
        return events(direction == Direction.FORWARDS ? FIRST_OF_STRETCHES : LAST_OF_STRETCHES, room, places, ts);
    }

    private Mono<List<StoredEvent>> events(String sql, TenantRoom room, VisiblePlaces places, long ts) {
        var all = places.stretches();
        var newest = all.subList(Math.max(0, all.size() - STRETCHES_MAX), all.size());
        return db.sql(sql)
                .bind("tenant", room.tenant().value())
                .bind("room", room.room().value())
                .bind("ts", ts)
                .bind("firsts", newest.stream().map(Stretch::first).toArray(Long[]::new))
                .bind("lasts", newest.stream().map(Stretch::last).toArray(Long[]::new))
                .map(StateRows::event)
                .all()
                .collectList();
    }
}
