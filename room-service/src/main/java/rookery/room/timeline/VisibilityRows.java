// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.authorization.MemberHistory;
import rookery.room.authorization.VisiblePlaces;
import rookery.room.authorization.VisiblePlaces.Change;
import rookery.room.table.EventRows;
import rookery.room.table.RoomColumns;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Reads the history visibility of rooms over time, so that reading skips invisible stretches. */
@Component
public class VisibilityRows {
    // the newest changes; a user who changes the visibility a thousand times makes others scan in vain, but reveals
    // nothing
    private static final int CHANGES_MAX = 1_000;

    private static final String CHANGES = """
            SELECT r.room_id, v.valid_from AS pos, FACTS AS body
              FROM unnest(:rooms::text[]) AS k (room_id)
              JOIN room.room r ON r.tenant = :tenant AND r.room_id = k.room_id
             CROSS JOIN LATERAL (SELECT s.valid_from FROM room.state s
                                  WHERE s.tenant = r.tenant AND s.room_id = r.room_id
                                    AND s.type = 'm.room.history_visibility' AND s.state_key = ''
                                  ORDER BY s.valid_from DESC LIMIT :limit) v
              JOIN room.entry_body l ON l.shard = r.shard AND l.pos = v.valid_from
             ORDER BY r.room_id, v.valid_from
            """.replace("FACTS", StoredEvent.FACTS_SQL);

    private final DatabaseClient db;

    VisibilityRows(DatabaseClient db) {
        this.db = db;
    }

    /** The positions of the room visible to this reader. */
    Mono<VisiblePlaces> places(ReaderInRoom reading) {
        var room = reading.room();
        return changes(room.tenant(), List.of(room.room()))
                .map(changes -> places(reading.user(), reading.history(), changes.get(room.room())));
    }

    /** The positions visible to a user under these changes of a room's visibility. */
    public static VisiblePlaces places(UserId user, MemberHistory history, @Nullable List<Change> changes) {
        var all = changes == null ? List.<Change>of() : changes;
        return VisiblePlaces.of(user, history, all, all.size() < CHANGES_MAX);
    }

    /** By room, oldest first; a room without a visibility event is absent. */
    public Mono<Map<RoomId, List<Change>>> changes(TenantId tenant, Collection<RoomId> rooms) {
        if (rooms.isEmpty()) {
            return Mono.just(Map.of());
        }
        return db.sql(CHANGES)
                .bind("tenant", tenant)
                .bind("rooms", RoomColumns.texts(rooms, RoomId::value))
                .bind("limit", CHANGES_MAX)
                .map(VisibilityRows::row)
                .all()
                .collectList()
                .map(VisibilityRows::byRoom);
    }

    private static Map.Entry<RoomId, Change> row(Readable row) {
        var event = EventRows.event(row);
        return Map.entry(
                RequiredColumn.of(row, "room_id", RoomId.class),
                new Change(event.pos(), event.event().meta().room().visibility()));
    }

    private static Map<RoomId, List<Change>> byRoom(List<Map.Entry<RoomId, Change>> rows) {
        return rows.stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }
}
