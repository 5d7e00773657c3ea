package rookery.room.roomlog;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.UserId;

/** The events of rooms, as appending writes them. */
@Component
class Events {
    private static final String INSERT = """
            INSERT INTO room.event (tenant, room_id, pos, shard, event_id, type, sender, state_key, ts)
            SELECT tenant, room_id, pos, :shard, event_id, type, sender, CASE WHEN is_state THEN state_key END, :now
              FROM unnest(:tenants::int[], :rooms::text[], :positions::bigint[], :events::text[], :types::text[],
                          :senders::text[], :keys::text[], :states::boolean[])
                   AS e (tenant, room_id, pos, event_id, type, sender, state_key, is_state)
            """;

    private final DatabaseClient db;

    Events(DatabaseClient db) {
        this.db = db;
    }

    record Row(
            RoomKey room,
            long pos,
            EventId id,
            String type,
            UserId sender,
            @Nullable String stateKey) {}

    Mono<Void> insert(int shard, List<Row> rows, long nowMillis) {
        if (rows.isEmpty()) {
            return Mono.empty();
        }
        var rooms = rows.stream().map(Row::room).toList();
        return db.sql(INSERT)
                .bind("shard", shard)
                .bind("now", nowMillis)
                .bind("tenants", Rooms.tenants(rooms))
                .bind("rooms", Rooms.ids(rooms))
                .bind("positions", rows.stream().map(Row::pos).toArray(Long[]::new))
                .bind("events", rows.stream().map(row -> row.id.value()).toArray(String[]::new))
                .bind("types", rows.stream().map(Row::type).toArray(String[]::new))
                .bind("senders", rows.stream().map(row -> row.sender.value()).toArray(String[]::new))
                .bind("keys", rows.stream().map(Events::stateKey).toArray(String[]::new))
                .bind("states", rows.stream().map(row -> row.stateKey != null).toArray(Boolean[]::new))
                .then();
    }

    private static String stateKey(Row row) {
        return row.stateKey == null ? "" : row.stateKey;
    }
}
