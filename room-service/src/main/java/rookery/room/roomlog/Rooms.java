// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static rookery.room.table.RoomColumns.longs;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.RoomColumns;

/** The table of rooms, with the version of each room's state. */
@Component
public class Rooms {
    private static final String CONTAINS = """
            SELECT EXISTS (SELECT 1 FROM room.room WHERE tenant = :tenant AND room_id = :room)
            """;

    private static final String HEADS = """
            SELECT r.tenant, r.room_id, r.creator, r.state_pos, r.joined, r.invited, r.published, r.state_bytes,
                   EXISTS (SELECT 1 FROM room.upgrade u
                            WHERE u.tenant = r.tenant AND u.room_id = r.room_id AND u.bans_after IS NOT NULL) AS more_bans
              FROM unnest(:tenants::int[], :rooms::text[]) AS k (tenant, room_id)
              JOIN room.room r ON r.tenant = k.tenant AND r.room_id = k.room_id
            """;

    private static final String CREATE = """
            INSERT INTO room.room (tenant, room_id, shard, creator, created_ms, state_pos, joined, invited, published, state_bytes)
            VALUES (:tenant, :room, :shard, :creator, :now, :statePos, :joined, :invited, :published, :stateBytes)
            """;

    private static final String UPDATE = """
            UPDATE room.room r SET state_pos = k.state_pos, joined = k.joined, invited = k.invited, state_bytes = k.state_bytes
              FROM unnest(:tenants::int[], :rooms::text[], :positions::bigint[], :joined::int[], :invited::int[],
                          :stateBytes::bigint[])
                   AS k (tenant, room_id, state_pos, joined, invited, state_bytes)
             WHERE r.tenant = k.tenant AND r.room_id = k.room_id
            """;

    private static final String LIST = """
            UPDATE room.room r SET published = k.published
              FROM unnest(:tenants::int[], :rooms::text[], :published::boolean[]) AS k (tenant, room_id, published)
             WHERE r.tenant = k.tenant AND r.room_id = k.room_id
            """;

    private final DatabaseClient db;

    Rooms(DatabaseClient db) {
        this.db = db;
    }

    Mono<Boolean> contains(TenantRoom room) {
        return db.sql(CONTAINS)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .mapValue(Boolean.class)
                .one();
    }

    /** @param moreBans whether bans of the predecessor are still to be copied */
    record RoomHead(
            TenantRoom key,
            UserId creator,
            long statePos,
            int joined,
            int invited,
            boolean published,
            long stateBytes,
            boolean moreBans) {}

    Mono<List<RoomHead>> heads(Collection<TenantRoom> rooms) {
        if (rooms.isEmpty()) {
            return Mono.just(List.of());
        }
        return db.sql(HEADS)
                .bind("tenants", RoomColumns.tenants(rooms))
                .bind("rooms", RoomColumns.ids(rooms))
                .map(Rooms::head)
                .all()
                .collectList();
    }

    Mono<Void> create(RoomWork room, long nowMillis) {
        return db.sql(CREATE)
                .bind("tenant", room.key.tenant())
                .bind("room", room.key.room())
                .bind("shard", room.key.shard())
                .bind("creator", Objects.requireNonNull(room.core().creator()))
                .bind("now", nowMillis)
                .bind("statePos", room.statePos())
                .bind("joined", room.joined())
                .bind("invited", room.invited())
                .bind("published", room.isPublished())
                .bind("stateBytes", room.stateBytes())
                .then();
    }

    Mono<Void> update(Collection<RoomWork> rooms) {
        if (rooms.isEmpty()) {
            return Mono.empty();
        }
        var keys = rooms.stream().map(room -> room.key).toList();
        return db.sql(UPDATE)
                .bind("tenants", RoomColumns.tenants(keys))
                .bind("rooms", RoomColumns.ids(keys))
                .bind("positions", longs(rooms, RoomWork::statePos))
                .bind("joined", rooms.stream().map(RoomWork::joined).toArray(Integer[]::new))
                .bind("invited", rooms.stream().map(RoomWork::invited).toArray(Integer[]::new))
                .bind("stateBytes", longs(rooms, RoomWork::stateBytes))
                .then();
    }

    Mono<Void> list(Map<TenantRoom, Boolean> published) {
        return published.isEmpty()
                ? Mono.empty()
                : db.sql(LIST)
                        .bind("tenants", RoomColumns.tenants(published.keySet()))
                        .bind("rooms", RoomColumns.ids(published.keySet()))
                        .bind("published", published.values().toArray(Boolean[]::new))
                        .then();
    }

    private static RoomHead head(Readable row) {
        return new RoomHead(
                RoomColumns.room(row),
                RequiredColumn.of(row, "creator", UserId.class),
                RequiredColumn.of(row, "state_pos", Long.class),
                RequiredColumn.of(row, "joined", Integer.class),
                RequiredColumn.of(row, "invited", Integer.class),
                RequiredColumn.of(row, "published", Boolean.class),
                RequiredColumn.of(row, "state_bytes", Long.class),
                RequiredColumn.of(row, "more_bans", Boolean.class));
    }
}
