package rookery.room.timeline;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.StoredEvent;

/** The events of a room in their order, read in stretches. */
@Component
public class TimelineRows {
    private static final String BACKWARDS = """
            SELECT e.pos, e.body
              FROM room.event_text e
             WHERE e.tenant = :tenant AND e.room_id = :room AND e.pos <= :from AND e.pos > :to
             ORDER BY e.pos DESC LIMIT :limit
            """;

    private static final String FORWARDS = """
            SELECT e.pos, e.body
              FROM room.event_text e
             WHERE e.tenant = :tenant AND e.room_id = :room AND e.pos > :from AND e.pos <= :to
             ORDER BY e.pos LIMIT :limit
            """;

    private static final String FIND = """
            SELECT e.pos, e.body
              FROM room.event_text e
             WHERE e.tenant = :tenant AND e.event_id = :event AND e.room_id = :room
            """;

    private static final String FIND_ALL = """
            SELECT e.pos, e.body
              FROM room.event_text e
             WHERE e.tenant = :tenant AND e.event_id = ANY (:events) AND e.room_id = :room
            """;

    private final DatabaseClient db;

    TimelineRows(DatabaseClient db) {
        this.db = db;
    }

    /** Events with {@code to < pos <= from}, newest first. */
    public Mono<List<StoredEvent>> backwards(TenantRoom room, long from, long to, int limit) {
        return stretch(BACKWARDS, room, from, to, limit);
    }

    /** Events with {@code from < pos <= to}, oldest first. */
    public Mono<List<StoredEvent>> forwards(TenantRoom room, long from, long to, int limit) {
        return stretch(FORWARDS, room, from, to, limit);
    }

    public Mono<StoredEvent> find(TenantRoom room, EventId event) {
        return db.sql(FIND)
                .bind("tenant", room.tenant().value())
                .bind("room", room.room().value())
                .bind("event", event.value())
                .map(TimelineRows::event)
                .one();
    }

    /** Those that there are, in any order. */
    Mono<List<StoredEvent>> findAll(TenantRoom room, List<EventId> events) {
        return db.sql(FIND_ALL)
                .bind("tenant", room.tenant().value())
                .bind("room", room.room().value())
                .bind("events", events.stream().map(EventId::value).toArray(String[]::new))
                .map(TimelineRows::event)
                .all()
                .collectList();
    }

    private Mono<List<StoredEvent>> stretch(String sql, TenantRoom room, long from, long to, int limit) {
        return db.sql(sql)
                .bind("tenant", room.tenant().value())
                .bind("room", room.room().value())
                .bind("from", from)
                .bind("to", to)
                .bind("limit", limit)
                .map(TimelineRows::event)
                .all()
                .collectList();
    }

    private static StoredEvent event(Readable row) {
        return StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
    }
}
