package rookery.room.space;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.space.SpaceRoom.Child;
import rookery.room.table.StoredEvent;
import tools.jackson.databind.JsonNode;

/** Rooms of spaces, many in one statement. */
@Component
class SpaceRows {
    /** The children of a space that are looked at; of one with more it is not said which. */
    static final int CHILDREN_MAX = 1_000;

    private static final List<String> TYPES = List.of(
            EventTypes.CREATE,
            EventTypes.JOIN_RULES,
            EventTypes.HISTORY_VISIBILITY,
            EventTypes.GUEST_ACCESS,
            EventTypes.NAME,
            EventTypes.TOPIC,
            EventTypes.AVATAR,
            EventTypes.CANONICAL_ALIAS,
            EventTypes.ENCRYPTION);

    private static final String ROOMS = """
            SELECT r.room_id, r.joined, l.pos, l.body
              FROM unnest(:rooms::text[]) AS k (room_id)
              JOIN room.room r ON r.tenant = :tenant AND r.room_id = k.room_id
             CROSS JOIN unnest(:types::text[], :keys::text[]) AS t (type, state_key)
              JOIN room.current_state s ON s.tenant = r.tenant AND s.room_id = r.room_id
                                       AND s.type = t.type AND s.state_key = t.state_key
              JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.pos
            """;

    private static final String CHILDREN = """
            SELECT r.room_id, l.pos, l.body
              FROM unnest(:rooms::text[]) AS k (room_id)
              JOIN room.room r ON r.tenant = :tenant AND r.room_id = k.room_id
             CROSS JOIN LATERAL (SELECT c.pos FROM room.current_state c
                                  WHERE c.tenant = r.tenant AND c.room_id = r.room_id AND c.type = 'm.space.child'
                                  LIMIT :limit) s
              JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.pos
            """;

    private static final String JOINED = """
            SELECT m.room_id
              FROM room.room_of_user m
             WHERE m.tenant = :tenant AND m.user_id = :user
               AND m.room_id = ANY (:rooms::text[]) AND m.membership = 'join'
            """;

    private final DatabaseClient db;

    SpaceRows(DatabaseClient db) {
        this.db = db;
    }

    /** Those of the rooms that the tenant has and the caller may be told of, spaces with their children. */
    Mono<List<SpaceRoom>> accessible(Caller caller, Collection<RoomId> rooms) {
        return rooms(caller, rooms)
                .zipWhen(found -> joined(caller, found))
                .map(both -> both.getT1().stream()
                        .filter(room -> room.isAccessible(both.getT2()))
                        .toList())
                .flatMap(found -> children(caller, found).map(children -> withChildren(found, children)));
    }

    private static List<SpaceRoom> withChildren(List<SpaceRoom> rooms, Map<RoomId, List<Child>> children) {
        return rooms.stream()
                .map(room -> room.with(children.getOrDefault(room.room(), List.of())))
                .toList();
    }

    private Mono<List<SpaceRoom>> rooms(Caller caller, Collection<RoomId> rooms) {
        String user = caller.user().value();
        return db.sql(ROOMS)
                .bind("tenant", caller.tenant().value())
                .bind("rooms", ids(rooms))
                .bind(
                        "types",
                        Stream.concat(TYPES.stream(), Stream.of(EventTypes.MEMBER))
                                .toArray(String[]::new))
                .bind(
                        "keys",
                        Stream.concat(TYPES.stream().map(_ -> ""), Stream.of(user))
                                .toArray(String[]::new))
                .map(SpaceRows::row)
                .all()
                .collectList()
                .map(SpaceRows::grouped);
    }

    private record Row(RoomId room, int joined, StoredEvent event) {}

    private static Row row(Readable row) {
        return new Row(
                new RoomId(RequiredColumn.of(row, "room_id", String.class)),
                RequiredColumn.of(row, "joined", Integer.class),
                event(row));
    }

    private static StoredEvent event(Readable row) {
        return StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
    }

    private static List<SpaceRoom> grouped(List<Row> rows) {
        var byRoom = rows.stream().collect(Collectors.groupingBy(Row::room));
        var rooms = new ArrayList<SpaceRoom>();
        byRoom.forEach((room, state) -> rooms.add(room(room, state)));
        return rooms;
    }

    private static SpaceRoom room(RoomId room, List<Row> rows) {
        Map<String, JsonNode> state = new HashMap<>();
        @Nullable Membership membership = null;
        for (var row : rows) {
            var meta = row.event.event().meta();
            if (meta.membership() != null) {
                membership = meta.membership();
            } else {
                state.put(meta.type(), row.event.content());
            }
        }
        return new SpaceRoom(room, rows.getFirst().joined, state, membership, List.of());
    }

    /** Those of the rooms that restricted rules name which the caller is in. */
    private Mono<Set<String>> joined(Caller caller, List<SpaceRoom> rooms) {
        var named = rooms.stream().flatMap(room -> room.allowed().stream()).collect(Collectors.toSet());
        if (named.isEmpty()) {
            return Mono.just(Set.of());
        }
        return db.sql(JOINED)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("rooms", named.toArray(String[]::new))
                .mapValue(String.class)
                .all()
                .collectList()
                .map(HashSet::new);
    }

    private Mono<Map<RoomId, List<Child>>> children(Caller caller, List<SpaceRoom> rooms) {
        var spaces =
                rooms.stream().filter(SpaceRoom::isSpace).map(SpaceRoom::room).toList();
        if (spaces.isEmpty()) {
            return Mono.just(Map.of());
        }
        return db.sql(CHILDREN)
                .bind("tenant", caller.tenant().value())
                .bind("rooms", ids(spaces))
                .bind("limit", CHILDREN_MAX)
                .map(row -> Map.entry(new RoomId(RequiredColumn.of(row, "room_id", String.class)), event(row)))
                .all()
                .collectList()
                .map(SpaceRows::childrenOf);
    }

    private static Map<RoomId, List<Child>> childrenOf(List<Map.Entry<RoomId, StoredEvent>> rows) {
        var children = new HashMap<RoomId, List<Child>>();
        for (var row : rows) {
            var child = Child.of(row.getValue());
            if (child != null) {
                children.computeIfAbsent(row.getKey(), _ -> new ArrayList<>()).add(child);
            }
        }
        children.values().forEach(all -> all.sort(Child.SHOWN));
        return children;
    }

    private static String[] ids(Collection<RoomId> rooms) {
        return rooms.stream().map(room -> room.value()).toArray(String[]::new);
    }
}
