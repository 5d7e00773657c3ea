// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.RoomColumns;
import rookery.room.table.RoomStateKey;
import rookery.room.table.StateKey;
import rookery.room.table.StateValue;
import rookery.room.table.StoredEvent;

/** The table of state over time, as read and written by appends. */
@Component
class States {
    private static final String CURRENT = """
            SELECT s.tenant, s.room_id, s.type, s.state_key, s.pos, l.body
              FROM unnest(:tenants::int[], :rooms::text[], :shards::int[], :types::text[], :keys::text[])
                   AS k (tenant, room_id, shard, type, state_key)
              JOIN room.current_state s ON s.tenant = k.tenant AND s.room_id = k.room_id
                                       AND s.type = k.type AND s.state_key = k.state_key
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = s.pos
            """;

    private static final String SPONSORS = """
            SELECT user_id FROM room.current_member
             WHERE tenant = :tenant AND room_id = :room AND membership = 'join'
               AND (CASE WHEN :anyone THEN user_id <> ALL (:powerless::text[]) ELSE user_id = ANY (:powerful::text[]) END)
             LIMIT 10
            """;

    private static final String CLOSE = """
            UPDATE room.state s SET valid_to = k.valid_to
              FROM unnest(:tenants::int[], :rooms::text[], :types::text[], :keys::text[], :from::bigint[], :to::bigint[])
                   AS k (tenant, room_id, type, state_key, valid_from, valid_to)
             WHERE s.tenant = k.tenant AND s.room_id = k.room_id AND s.type = k.type AND s.state_key = k.state_key
               AND s.valid_from = k.valid_from
            """;

    private static final String OPEN = """
            INSERT INTO room.state (tenant, room_id, type, state_key, valid_from, valid_to, event_id, membership)
            SELECT tenant, room_id, type, state_key, valid_from, valid_to, event_id, nullif(membership, '')
              FROM unnest(:tenants::int[], :rooms::text[], :types::text[], :keys::text[], :from::bigint[],
                          :to::bigint[], :events::text[], :memberships::text[])
                   AS k (tenant, room_id, type, state_key, valid_from, valid_to, event_id, membership)
            """;

    static final long FOR_EVER = Long.MAX_VALUE;

    private final DatabaseClient db;

    States(DatabaseClient db) {
        this.db = db;
    }

    record StateRow(TenantRoom room, StateKey state, StateValue value) {}

    /** A piece of state and its range of positions; the range may have ended in the same batch. */
    record Row(
            TenantRoom room,
            StateKey state,
            long from,
            long to,
            EventId event,
            @Nullable String membership) {}

    Mono<List<StateRow>> current(Collection<RoomStateKey> keys) {
        if (keys.isEmpty()) {
            return Mono.just(List.of());
        }
        var rooms = keys.stream().map(RoomStateKey::room).toList();
        return db.sql(CURRENT)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("shards", rooms.stream().map(TenantRoom::shard).toArray(Integer[]::new))
                .bind("types", texts(keys, key -> key.state().type()))
                .bind("keys", texts(keys, key -> key.state().key()))
                .map(States::stateRow)
                .all()
                .collectList();
    }

    /** Joined members with the power to sponsor a restricted join: the powerful users, or all users except the powerless. */
    Mono<List<UserId>> sponsors(TenantRoom room, boolean anyone, List<String> powerful, List<String> powerless) {
        return db.sql(SPONSORS)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .bind("anyone", anyone)
                .bind("powerful", powerful.toArray(String[]::new))
                .bind("powerless", powerless.toArray(String[]::new))
                .mapValue(String.class)
                .all()
                .map(UserId::new)
                .collectList();
    }

    Mono<Void> close(Map<RoomStateKey, Row> ends) {
        if (ends.isEmpty()) {
            return Mono.empty();
        }
        var rows = new ArrayList<>(ends.values());
        return bound(db.sql(CLOSE), rows).then();
    }

    Mono<Void> open(List<Row> rows) {
        return Portions.each(rows, this::openPortion);
    }

    private Mono<Void> openPortion(List<Row> rows) {
        return bound(db.sql(OPEN), rows)
                .bind("events", texts(rows, row -> row.event.value()))
                .bind("memberships", texts(rows, Row::membership))
                .then();
    }

    private static DatabaseClient.GenericExecuteSpec bound(DatabaseClient.GenericExecuteSpec sql, List<Row> rows) {
        var rooms = rows.stream().map(Row::room).toList();
        return sql.bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("types", texts(rows, row -> row.state.type()))
                .bind("keys", texts(rows, row -> row.state.key()))
                .bind("from", longs(rows, Row::from))
                .bind("to", longs(rows, Row::to));
    }

    private static StateRow stateRow(Readable row) {
        var state = new StateKey(
                RequiredColumn.of(row, "type", String.class), RequiredColumn.of(row, "state_key", String.class));
        var stored =
                StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
        return new StateRow(RoomColumns.room(row), state, stored.toStateValue());
    }
}
