package rookery.room.section;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.room.table.StoredEvent;

/**
 * State of many rooms, each at a position of its own, in one statement; always the oldest event first.
 *
 * <p>{@code OFFSET 0} makes the planner look rooms up one by one by index, regardless of its estimates. The statements
 * do not sort, because bodies are large and sorting them spills to disk.
 */
@Component
class RoomStates {
    private static final String AT = """
            SELECT k.room_id, s.valid_from AS pos, l.body
              FROM unnest(:rooms::text[], :shards::int[], :places::bigint[]) AS k (room_id, shard, place)
             CROSS JOIN LATERAL (SELECT v.valid_from FROM room.state v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id
                                    AND v.valid_from <= k.place AND v.valid_to > k.place OFFSET 0) s
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = s.valid_from
            """;

    // two ranges of the primary key skip the members of a large room, which the index on valid_to would read
    private static final String WITHOUT_MEMBERS_AT = """
            SELECT k.room_id, s.valid_from AS pos, l.body
              FROM unnest(:rooms::text[], :shards::int[], :places::bigint[]) AS k (room_id, shard, place)
             CROSS JOIN LATERAL (SELECT v.valid_from FROM room.state v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id AND v.type < 'm.room.member'
                                    AND v.valid_from <= k.place AND v.valid_to + 0 > k.place
                                  UNION ALL
                                 SELECT v.valid_from FROM room.state v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id AND v.type > 'm.room.member'
                                    AND v.valid_from <= k.place AND v.valid_to + 0 > k.place OFFSET 0) s
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = s.valid_from
            """;

    private static final String PIECES_AT = """
            SELECT k.room_id, s.valid_from AS pos, l.body
              FROM unnest(:rooms::text[], :shards::int[], :places::bigint[], :types::text[], :keys::text[])
                   AS k (room_id, shard, place, type, state_key)
             CROSS JOIN LATERAL (SELECT v.valid_from FROM room.state v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id
                                    AND v.type = k.type AND v.state_key = k.state_key AND v.valid_from <= k.place
                                  ORDER BY v.valid_from DESC LIMIT 1) s
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = s.valid_from
            """;

    private static final String CHANGED = """
            SELECT k.room_id, s.valid_from AS pos, l.body
              FROM unnest(:rooms::text[], :shards::int[], :places::bigint[], :afters::bigint[])
                   AS k (room_id, shard, place, after)
             CROSS JOIN LATERAL (SELECT v.valid_from FROM room.state v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id
                                    AND v.valid_from > k.after AND v.valid_from <= k.place AND v.valid_to > k.place
                                 OFFSET 0) s
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = s.valid_from
            """;

    private final DatabaseClient db;

    RoomStates(DatabaseClient db) {
        this.db = db;
    }

    /** A position in a room. */
    record RoomPosition(RoomId room, int shard, long pos) {}

    /** A piece of a room's state at a position. */
    record StatePiece(RoomPosition position, String type, String stateKey) {}

    /** State that came into force between two positions of a room and was still in force at the second. */
    record StateChange(RoomPosition position, long after) {}

    Mono<Map<RoomId, List<StoredEvent>>> at(TenantId tenant, Collection<RoomPosition> positions) {
        return positions.isEmpty() ? Mono.just(Map.of()) : read(bound(AT, tenant, positions));
    }

    Mono<Map<RoomId, List<StoredEvent>>> withoutMembersAt(TenantId tenant, Collection<RoomPosition> positions) {
        return positions.isEmpty() ? Mono.just(Map.of()) : read(bound(WITHOUT_MEMBERS_AT, tenant, positions));
    }

    Mono<Map<RoomId, List<StoredEvent>>> piecesAt(TenantId tenant, Collection<StatePiece> pieces) {
        return pieces.isEmpty()
                ? Mono.just(Map.of())
                : read(bound(
                                PIECES_AT,
                                tenant,
                                pieces.stream().map(StatePiece::position).toList())
                        .bind("types", pieces.stream().map(StatePiece::type).toArray(String[]::new))
                        .bind("keys", pieces.stream().map(StatePiece::stateKey).toArray(String[]::new)));
    }

    Mono<Map<RoomId, List<StoredEvent>>> changed(TenantId tenant, Collection<StateChange> changes) {
        return changes.isEmpty()
                ? Mono.just(Map.of())
                : read(bound(
                                CHANGED,
                                tenant,
                                changes.stream().map(StateChange::position).toList())
                        .bind("afters", changes.stream().map(StateChange::after).toArray(Long[]::new)));
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, TenantId tenant, Collection<RoomPosition> positions) {
        return db.sql(sql)
                .bind("tenant", tenant.value())
                .bind(
                        "rooms",
                        positions.stream()
                                .map(position -> position.room.value())
                                .toArray(String[]::new))
                .bind("shards", positions.stream().map(RoomPosition::shard).toArray(Integer[]::new))
                .bind("places", positions.stream().map(RoomPosition::pos).toArray(Long[]::new));
    }

    private static Mono<Map<RoomId, List<StoredEvent>>> read(DatabaseClient.GenericExecuteSpec sql) {
        return sql.map(SectionRows::event).all().collect(SectionRows.byRoom()).map(SectionRows::oldestFirst);
    }
}
