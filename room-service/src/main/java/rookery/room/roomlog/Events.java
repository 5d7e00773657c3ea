// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.BoundStatement;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.room.roomlog.ReferredEvents.Fact;
import rookery.room.roomlog.ReferredEvents.Ref;
import rookery.room.table.Relation;
import rookery.room.table.RoomColumns;

/** The table of events, as read and written by appends. */
@Component
class Events {
    private static final String INSERT = """
            INSERT INTO room.event (tenant, room_id, pos, shard, event_id, type, sender, state_key, ts,
                                    rel_type, parent, rel_key, thread, invalid_edit)
            SELECT tenant, room_id, pos, shard, event_id, type, sender, CASE WHEN is_state THEN state_key END, :now,
                   CASE WHEN parent <> '' THEN rel_type END, nullif(parent, ''),
                   CASE WHEN has_key THEN rel_key END, nullif(thread, ''), invalid_edit
              FROM unnest(:tenants::int[], :rooms::text[], :shards::int[], :positions::bigint[], :events::text[], :types::text[],
                          :senders::text[], :keys::text[], :states::boolean[], :relTypes::text[], :parents::text[],
                          :relKeys::text[], :hasKeys::boolean[], :threads::text[], :invalidEdits::boolean[])
                   AS e (tenant, room_id, shard, pos, event_id, type, sender, state_key, is_state, rel_type, parent, rel_key,
                         has_key, thread, invalid_edit)
            """;

    private static final String FIND = """
            SELECT e.tenant, e.room_id, e.pos, e.event_id, e.type, e.sender, e.state_key, e.rel_type, e.thread,
                   e.redacted IS NOT NULL AS redacted
              FROM unnest(:tenants::int[], :rooms::text[], :events::text[]) AS k (tenant, room_id, event_id)
              JOIN room.event e ON e.tenant = k.tenant AND e.event_id = k.event_id AND e.room_id = k.room_id
            """;

    private final DatabaseClient db;

    Events(DatabaseClient db) {
        this.db = db;
    }

    /**
     * @param relation only if the parent is in the room
     * @param invalidEdit whether the event claims to be an edit and replaces nothing
     */
    record Row(
            TenantRoom room,
            int shard,
            long pos,
            EventId id,
            String type,
            UserId sender,
            @Nullable String stateKey,
            @Nullable Relation relation,
            @Nullable EventId thread,
            boolean invalidEdit) {}

    /** The facts of events; unknown events are left out. */
    Mono<List<Fact>> find(Collection<Ref> events) {
        if (events.isEmpty()) {
            return Mono.just(List.of());
        }
        var rooms = events.stream().map(Ref::room).toList();
        return db.sql(FIND)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("events", texts(events, ref -> ref.id().value()))
                .map(Events::fact)
                .all()
                .collectList();
    }

    private static Fact fact(Readable row) {
        var thread = row.get("thread", String.class);
        return new Fact(
                new Ref(RoomColumns.room(row), RequiredColumn.of(row, "event_id", EventId.class)),
                RequiredColumn.of(row, "pos", Long.class),
                RequiredColumn.of(row, "type", String.class),
                RequiredColumn.of(row, "sender", UserId.class),
                row.get("state_key", String.class),
                row.get("rel_type", String.class),
                thread == null ? null : new EventId(thread),
                RequiredColumn.of(row, "redacted", Boolean.class));
    }

    Mono<Void> insert(List<Row> rows, long nowMillis) {
        return Portions.each(rows, portion -> insertion(portion, nowMillis).execute(db));
    }

    /** @param rows at most one portion */
    static BoundStatement insertion(List<Row> rows, long nowMillis) {
        var rooms = rows.stream().map(Row::room).toList();
        return new BoundStatement(INSERT)
                .bind("now", nowMillis)
                .bind("shards", rows.stream().map(Row::shard).toArray(Integer[]::new))
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("positions", longs(rows, Row::pos))
                .bind("events", texts(rows, row -> row.id.value()))
                .bind("types", texts(rows, Row::type))
                .bind("senders", texts(rows, row -> row.sender.value()))
                .bind("keys", texts(rows, Row::stateKey))
                .bind("states", rows.stream().map(row -> row.stateKey != null).toArray(Boolean[]::new))
                .bind("relTypes", texts(rows, row -> row.relation == null ? null : row.relation.type()))
                .bind(
                        "parents",
                        texts(
                                rows,
                                row -> row.relation == null
                                        ? null
                                        : row.relation.parent().value()))
                .bind("relKeys", texts(rows, row -> row.relation == null ? null : row.relation.key()))
                .bind("hasKeys", rows.stream().map(Events::hasKey).toArray(Boolean[]::new))
                .bind("threads", texts(rows, row -> row.thread == null ? null : row.thread.value()))
                .bind("invalidEdits", rows.stream().map(Row::invalidEdit).toArray(Boolean[]::new));
    }

    private static boolean hasKey(Row row) {
        return row.relation != null && row.relation.key() != null;
    }
}
