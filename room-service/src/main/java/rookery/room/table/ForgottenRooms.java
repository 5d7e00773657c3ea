// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import static rookery.room.table.RoomColumns.texts;

import java.util.Collection;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;

/** The rooms that users have forgotten; a join, invitation or knock ends the forgetting. */
@Component
public class ForgottenRooms {
    private static final String INSERT = """
            INSERT INTO room.forgotten (tenant, user_id, room_id)
            SELECT tenant, user_id, room_id
              FROM unnest(:tenants::int[], :users::text[], :rooms::text[]) AS k (tenant, user_id, room_id)
                ON CONFLICT DO NOTHING
            """;

    private static final String DELETE = """
            DELETE FROM room.forgotten f
             USING unnest(:tenants::int[], :users::text[], :rooms::text[]) AS k (tenant, user_id, room_id)
             WHERE f.tenant = k.tenant AND f.user_id = k.user_id AND f.room_id = k.room_id
            """;

    private static final String CONTAINS = """
            SELECT 1 AS found FROM room.forgotten WHERE tenant = :tenant AND user_id = :user AND room_id = :room
            """;

    private final DatabaseClient db;

    ForgottenRooms(DatabaseClient db) {
        this.db = db;
    }

    public record Row(TenantRoom room, UserId user) {}

    public Mono<Void> insertAll(Collection<Row> rows) {
        return rows.isEmpty() ? Mono.empty() : bound(INSERT, rows);
    }

    public Mono<Boolean> contains(TenantRoom room, UserId user) {
        return db.sql(CONTAINS)
                .bind("tenant", room.tenant())
                .bind("user", user)
                .bind("room", room.room())
                .mapValue(Integer.class)
                .one()
                .hasElement();
    }

    public Mono<Void> delete(Collection<Row> rows) {
        return rows.isEmpty() ? Mono.empty() : bound(DELETE, rows);
    }

    private Mono<Void> bound(String sql, Collection<Row> rows) {
        var rooms = rows.stream().map(Row::room).toList();
        return db.sql(sql)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .bind("users", texts(rows, row -> row.user.value()))
                .then();
    }
}
