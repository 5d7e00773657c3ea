// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.platform.sql.RequiredColumn;

/**
 * The receipts of a sync response: at most the newest 1,000 of a room, without other users' private receipts. A client
 * to which the room is new gets the receipts of current members only; other clients also get the receipts of former
 * members, who may rejoin without sending them again. With a filter that excludes receipts, the reader's own receipts
 * remain: sync-service does not send them to the client, but computes unread counts from them.
 */
@Component
class ReceiptRows {
    // looks each member up: a join with all members took 4 s for 10,000 members while the table had no statistics
    private static final String CHANGED = """
            SELECT k.room_id, r.event_id, r.event_pos, r.type, r.user_id, nullif(r.thread, '') AS thread, r.ts
              FROM unnest(:rooms::text[], :afters::bigint[], :uptos::bigint[], :owns::boolean[])
                   AS k (room_id, after, upto, own)
             CROSS JOIN LATERAL (
                   SELECT * FROM room.receipt c
                    WHERE c.tenant = :tenant AND c.room_id = k.room_id AND c.pos > k.after AND c.pos <= k.upto
                      AND (c.user_id = :user OR (c.type <> 'm.read.private' AND NOT k.own))
                      AND (k.after > 0 OR 'join' = (
                                    SELECT m.membership FROM room.member_history m
                                     WHERE m.tenant = c.tenant AND m.room_id = c.room_id AND m.user_id = c.user_id
                                       AND m.valid_from <= k.upto
                                     ORDER BY m.valid_from DESC LIMIT 1))
                    ORDER BY c.pos DESC LIMIT 1000) r
             ORDER BY k.room_id, r.pos
            """;

    private final DatabaseClient db;

    ReceiptRows(DatabaseClient db) {
        this.db = db;
    }

    /** New receipts of the joined rooms, oldest first. */
    Mono<Map<RoomId, List<Receipt>>> changed(SyncRequest request, List<CandidateRoom> candidates) {
        var rooms = candidates.stream()
                .filter(room ->
                        room.kind() == Section.Kind.JOIN && (isWanted(request, room) || room.timelineFrom() > 0))
                .toList();
        if (rooms.isEmpty()) {
            return Mono.just(Map.of());
        }
        return db.sql(CHANGED)
                .bind("tenant", request.tenant())
                .bind("user", request.user())
                .bind("rooms", texts(rooms, room -> room.room().value()))
                .bind("afters", longs(rooms, CandidateRoom::timelineFrom))
                .bind("uptos", longs(rooms, CandidateRoom::upto))
                .bind(
                        "owns",
                        rooms.stream().map(room -> !isWanted(request, room)).toArray(Boolean[]::new))
                .map(row -> Map.entry(RequiredColumn.of(row, "room_id", RoomId.class), receipt(row)))
                .all()
                .collect(SectionRows.byRoom());
    }

    private static boolean isWanted(SyncRequest request, CandidateRoom room) {
        var filter = request.filter().ephemeral();
        return filter.passesType("m.receipt") && filter.passesRoom(room.room());
    }

    private static Receipt receipt(Readable row) {
        return new Receipt(
                RequiredColumn.of(row, "event_id", EventId.class),
                RequiredColumn.of(row, "event_pos", Long.class),
                RequiredColumn.of(row, "type", String.class),
                RequiredColumn.of(row, "user_id", UserId.class),
                row.get("thread", String.class),
                RequiredColumn.of(row, "ts", Long.class));
    }
}
