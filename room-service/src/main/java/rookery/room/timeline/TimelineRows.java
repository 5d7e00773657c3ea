// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.BoundedRows;
import rookery.room.table.EventRows;
import rookery.room.table.RoomColumns;
import rookery.room.table.StoredEvent;

/** Reads the events of a room in order, in stretches. */
@Component
public class TimelineRows {
    private static final String BACKWARDS = BoundedRows.sql("""
            SELECT e.pos, e.body
              FROM room.event_text e
             WHERE e.tenant = :tenant AND e.room_id = :room AND e.pos <= :from AND e.pos > :to
             ORDER BY e.pos DESC LIMIT :limit
            """, "pos DESC");

    private static final String FORWARDS = BoundedRows.sql("""
            SELECT e.pos, e.body
              FROM room.event_text e
             WHERE e.tenant = :tenant AND e.room_id = :room AND e.pos > :from AND e.pos <= :to
             ORDER BY e.pos LIMIT :limit
            """, "pos");

    private static final String FIND = """
            SELECT e.pos, e.body
              FROM room.event_text e
             WHERE e.tenant = :tenant AND e.event_id = :event AND e.room_id = :room
            """;

    private static final String FIND_ALL = BoundedRows.sql("""
            SELECT k.number, e.room_id, e.pos, e.body
              FROM unnest(:rooms::text[], :events::text[]) WITH ORDINALITY AS k (room_id, event_id, number)
              JOIN room.event_text e ON e.tenant = :tenant AND e.event_id = k.event_id AND e.room_id = k.room_id
            """, "number");

    private final DatabaseClient db;

    TimelineRows(DatabaseClient db) {
        this.db = db;
    }

    /** Events with {@code to < pos <= from}, newest first, up to the bytes of a page. */
    Mono<BoundedRows<StoredEvent>> backwards(TenantRoom room, long from, long to, int limit) {
        return stretch(BACKWARDS, room, from, to, limit);
    }

    /** Events with {@code from < pos <= to}, oldest first, up to the bytes of a page. */
    Mono<BoundedRows<StoredEvent>> forwards(TenantRoom room, long from, long to, int limit) {
        return stretch(FORWARDS, room, from, to, limit);
    }

    public Mono<StoredEvent> find(TenantRoom room, EventId event) {
        return db.sql(FIND)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .bind("event", event)
                .map(EventRows::event)
                .one();
    }

    /** An event id with its room. */
    record EventOfRoom(RoomId room, EventId event) {}

    /** A requested event; numbers count from 1. */
    record NumberedEvent(int number, RoomId room, StoredEvent event) {}

    /** The existing events in the order of the request, up to the bytes of a page. */
    Mono<BoundedRows<NumberedEvent>> findAll(TenantId tenant, List<EventOfRoom> events) {
        var rows = db.sql(FIND_ALL)
                .bind("tenant", tenant)
                .bind("rooms", RoomColumns.texts(events, each -> each.room.value()))
                .bind("events", RoomColumns.texts(events, each -> each.event.value()));
        return EventRows.bounded(rows, TimelineRows::numbered);
    }

    private static NumberedEvent numbered(Readable row) {
        return new NumberedEvent(
                RequiredColumn.of(row, "number", Long.class).intValue(),
                RequiredColumn.of(row, "room_id", RoomId.class),
                EventRows.event(row));
    }

    private Mono<BoundedRows<StoredEvent>> stretch(String sql, TenantRoom room, long from, long to, int limit) {
        var rows = db.sql(sql)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .bind("from", from)
                .bind("to", to)
                .bind("limit", limit);
        return EventRows.bounded(rows, EventRows::event);
    }
}
