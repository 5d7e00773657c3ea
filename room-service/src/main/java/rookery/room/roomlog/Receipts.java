// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.platform.sql.RequiredColumn;
import rookery.room.draft.RoomDraft;
import rookery.room.draft.RoomDraft.OfReceipts;
import rookery.room.table.RoomColumns;

/** The table of current receipts, as read and written by appends. */
@Component
class Receipts {
    private static final String FIND = """
            SELECT r.tenant, r.room_id, r.user_id, r.type, r.thread, r.event_pos, r.pos
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :types::text[], :threads::text[])
                   AS k (tenant, room_id, user_id, type, thread)
              JOIN room.receipt r USING (tenant, room_id, user_id, type, thread)
            """;

    private static final String PUT = """
            INSERT INTO room.receipt (tenant, room_id, user_id, type, thread, event_id, event_pos, ts, pos)
            SELECT tenant, room_id, user_id, type, thread, event_id, event_pos, ts, pos
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :types::text[], :threads::text[],
                          :events::text[], :eventPositions::bigint[], :times::bigint[], :positions::bigint[])
                   AS k (tenant, room_id, user_id, type, thread, event_id, event_pos, ts, pos)
                ON CONFLICT (tenant, room_id, user_id, type, thread) DO UPDATE
               SET event_id = excluded.event_id, event_pos = excluded.event_pos, ts = excluded.ts, pos = excluded.pos
            """;

    private static final String DELETE_OUTDATED = """
            DELETE FROM room.receipt_entry l
             USING unnest(:shards::int[], :positions::bigint[]) AS k (shard, pos)
             WHERE l.shard = k.shard AND l.pos = k.pos
               AND NOT EXISTS (SELECT 1 FROM room.receipt r
                                WHERE r.tenant = l.tenant AND r.room_id = l.room_id AND r.pos = l.pos)
            """;

    private final DatabaseClient db;

    Receipts(DatabaseClient db) {
        this.db = db;
    }

    /** @param thread empty for an unthreaded receipt */
    record Key(TenantRoom room, UserId user, String type, String thread) {
        static Key of(TenantRoom room, Receipt receipt) {
            return new Key(room, receipt.user(), receipt.type(), Objects.requireNonNullElse(receipt.thread(), ""));
        }
    }

    /** The position of the newest read event, and of the receipt's entry. */
    record Current(long eventPos, long pos) {}

    record Row(Receipt receipt, long pos) {}

    record Entry(int shard, long pos) {}

    static Set<Key> keys(List<RoomDraft> drafts) {
        var keys = new LinkedHashSet<Key>();
        for (var draft : drafts) {
            if (draft instanceof OfReceipts(var room, var user, var reads)) {
                reads.forEach(read ->
                        keys.add(new Key(room, user, read.type(), Objects.requireNonNullElse(read.thread(), ""))));
            }
        }
        return keys;
    }

    Mono<Map<Key, Current>> find(Collection<Key> keys) {
        if (keys.isEmpty()) {
            return Mono.just(Map.of());
        }
        return bound(db.sql(FIND), List.copyOf(keys))
                .map(row -> Map.entry(key(row), current(row)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    Mono<Void> put(Map<Key, Row> receipts) {
        if (receipts.isEmpty()) {
            return Mono.empty();
        }
        var rows = new ArrayList<>(receipts.values());
        return bound(db.sql(PUT), List.copyOf(receipts.keySet()))
                .bind("events", texts(rows, row -> row.receipt.eventId().value()))
                .bind("eventPositions", longs(rows, row -> row.receipt.pos()))
                .bind("times", longs(rows, row -> row.receipt.ts()))
                .bind("positions", longs(rows, Row::pos))
                .then();
    }

    Mono<Void> deleteOutdated(Set<Entry> entries) {
        if (entries.isEmpty()) {
            return Mono.empty();
        }
        return db.sql(DELETE_OUTDATED)
                .bind("shards", entries.stream().map(Entry::shard).toArray(Integer[]::new))
                .bind("positions", longs(entries, Entry::pos))
                .then();
    }

    private static GenericExecuteSpec bound(GenericExecuteSpec sql, List<Key> keys) {
        var rooms = keys.stream().map(Key::room).toList();
        return sql.bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("users", texts(keys, key -> key.user.value()))
                .bind("types", texts(keys, Key::type))
                .bind("threads", texts(keys, Key::thread));
    }

    private static Key key(Readable row) {
        return new Key(
                RoomColumns.room(row),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "type", String.class),
                RequiredColumn.of(row, "thread", String.class));
    }

    private static Current current(Readable row) {
        return new Current(RequiredColumn.of(row, "event_pos", Long.class), RequiredColumn.of(row, "pos", Long.class));
    }
}
