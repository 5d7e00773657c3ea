// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.Portions;
import rookery.push.Columns;

/** The table of room names for pushes. */
@Component
class RoomNames {
    private static final String FIND = """
            SELECT r.tenant, r.room_id, r.name, r.alias
              FROM unnest(:tenants::int[], :rooms::text[]) AS k (tenant, room_id)
              JOIN push.room r ON r.tenant = k.tenant AND r.room_id = k.room_id
            """;

    private static final String SET_NAME = """
            INSERT INTO push.room (tenant, room_id, name, name_pos)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :values::text[], :positions::bigint[])
                ON CONFLICT (tenant, room_id) DO UPDATE SET name = excluded.name, name_pos = excluded.name_pos
            """;

    private static final String SET_ALIAS = """
            INSERT INTO push.room (tenant, room_id, alias, alias_pos)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :values::text[], :positions::bigint[])
                ON CONFLICT (tenant, room_id) DO UPDATE SET alias = excluded.alias, alias_pos = excluded.alias_pos
            """;

    private static final String WITHDRAW = """
            UPDATE push.room r
               SET name = CASE WHEN r.name_pos = k.pos THEN NULL ELSE r.name END,
                   alias = CASE WHEN r.alias_pos = k.pos THEN NULL ELSE r.alias END
              FROM unnest(:tenants::int[], :rooms::text[], :positions::bigint[]) AS k (tenant, room_id, pos)
             WHERE r.tenant = k.tenant AND r.room_id = k.room_id AND k.pos IN (r.name_pos, r.alias_pos)
            """;

    private final DatabaseClient db;

    RoomNames(DatabaseClient db) {
        this.db = db;
    }

    /** Name and canonical alias; each is null if not set. */
    record RoomNameRow(
            TenantRoom room,
            @Nullable String name,
            @Nullable String alias) {}

    private record Value(TenantRoom room, @Nullable String value, long pos) {}

    Mono<Map<TenantRoom, RoomNameRow>> find(Collection<TenantRoom> rooms) {
        return Columns.of(db.sql(FIND), rooms)
                .rooms(room -> room)
                .statement()
                .map(row -> new RoomNameRow(
                        Members.room(row), row.get("name", String.class), row.get("alias", String.class)))
                .all()
                .collectMap(RoomNameRow::room);
    }

    /** Applies name and alias events. */
    Mono<Void> change(List<LoggedEvent> events) {
        return Portions.each(last(events, EventTypes.NAME, "name"), names -> set(SET_NAME, names))
                .then(Portions.each(
                        last(events, EventTypes.CANONICAL_ALIAS, "alias"), aliases -> set(SET_ALIAS, aliases)));
    }

    private static List<Value> last(List<LoggedEvent> events, String type, String field) {
        var last = new LinkedHashMap<TenantRoom, Value>();
        for (var event : events) {
            if (event.meta().type().equals(type) && "".equals(event.meta().stateKey())) {
                last.put(event.room(), new Value(event.room(), event.contentText(field), event.pos()));
            }
        }
        return new ArrayList<>(last.values());
    }

    private Mono<Void> set(String sql, List<Value> values) {
        return Columns.of(db.sql(sql), values)
                .rooms(Value::room)
                .texts("values", Value::value)
                .longs("positions", Value::pos)
                .then();
    }

    /** Removes the names and aliases of redacted events. */
    Mono<Void> withdraw(List<RoomPosition> positions) {
        return RoomPosition.each(db, WITHDRAW, positions);
    }
}
