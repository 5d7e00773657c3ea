// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.Portions;

/**
 * The position of the last change of each member's devices or keys, by room, for clients with old tokens. Rows of
 * former members have no effect; purging a room deletes its rows.
 */
@Component
public class DeviceLists {
    // a room purged after the draft was made gets no row
    private static final String PUT = """
            INSERT INTO room.device_list AS d (tenant, room_id, user_id, pos)
            SELECT k.tenant, k.room_id, k.user_id, k.pos
              FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :positions::bigint[])
                   AS k (tenant, room_id, user_id, pos)
              JOIN room.room r ON r.tenant = k.tenant AND r.room_id = k.room_id
                ON CONFLICT (tenant, room_id, user_id) DO UPDATE SET pos = excluded.pos
            """;

    private final DatabaseClient db;

    DeviceLists(DatabaseClient db) {
        this.db = db;
    }

    public record Key(TenantRoom room, UserId user) {}

    /** Stores the positions at which devices or keys of members were changed. */
    public Mono<Void> put(Map<Key, Long> positions) {
        return Portions.each(List.copyOf(positions.entrySet()), this::putPortion);
    }

    private Mono<Void> putPortion(List<Map.Entry<Key, Long>> rows) {
        var rooms = rows.stream().map(row -> row.getKey().room).toList();
        return db.sql(PUT)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("users", texts(rows, row -> row.getKey().user.value()))
                .bind("positions", longs(rows, Map.Entry::getValue))
                .then();
    }
}
