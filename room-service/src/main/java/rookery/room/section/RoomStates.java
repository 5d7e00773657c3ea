// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
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

    record RoomPosition(RoomId room, int shard, long pos) {}

    record StatePiece(RoomPosition position, String type, String stateKey) {}

    /** State that came into force between two positions of a room and was still in force at the second. */
    record StateChange(RoomPosition position, long after) {}

    Mono<Map<RoomId, List<StoredEvent>>> at(TenantId tenant, List<RoomPosition> positions) {
        return read(AT, tenant, positions, sql -> sql);
    }

    Mono<Map<RoomId, List<StoredEvent>>> withoutMembersAt(TenantId tenant, List<RoomPosition> positions) {
        return read(WITHOUT_MEMBERS_AT, tenant, positions, sql -> sql);
    }

    Mono<Map<RoomId, List<StoredEvent>>> piecesAt(TenantId tenant, List<StatePiece> pieces) {
        var positions = pieces.stream().map(StatePiece::position).toList();
        return read(
                PIECES_AT,
                tenant,
                positions,
                sql -> sql.bind("types", texts(pieces, StatePiece::type))
                        .bind("keys", texts(pieces, StatePiece::stateKey)));
    }

    Mono<Map<RoomId, List<StoredEvent>>> changed(TenantId tenant, List<StateChange> changes) {
        var positions = changes.stream().map(StateChange::position).toList();
        return read(CHANGED, tenant, positions, sql -> sql.bind("afters", longs(changes, StateChange::after)));
    }

    private Mono<Map<RoomId, List<StoredEvent>>> read(
            String text, TenantId tenant, List<RoomPosition> positions, UnaryOperator<GenericExecuteSpec> bound) {
        if (positions.isEmpty()) {
            return Mono.just(Map.of());
        }
        var sql = db.sql(text)
                .bind("tenant", tenant)
                .bind("rooms", texts(positions, position -> position.room.value()))
                .bind("shards", positions.stream().map(RoomPosition::shard).toArray(Integer[]::new))
                .bind("places", longs(positions, RoomPosition::pos));
        return bound.apply(sql)
                .map(SectionRows::event)
                .all()
                .collect(SectionRows.byRoom())
                .map(SectionRows::oldestFirst);
    }
}
