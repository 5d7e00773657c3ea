// SPDX-License-Identifier: Apache-2.0
package rookery.room.space;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import rookery.platform.http.PageBytes;
import rookery.platform.sql.RequiredColumn;
import rookery.room.space.SpaceRoom.Child;
import rookery.room.table.StoredEvent;
import tools.jackson.databind.JsonNode;

/** Reads rooms of spaces, many in one statement. */
@Component
class SpaceRows {
    /** Limit of children read for a space; beyond the limit the choice is arbitrary. */
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

    // a room is read completely or left out, and the walk requests it again
    private static final String BOUNDED = """
            SELECT b.room_id, b.joined, b.pos, CASE WHEN b.upto - b.own < MAX THEN b.text END AS body
              FROM (SELECT f.*, sum(octet_length(f.text)) OVER (ORDER BY f.number) AS upto,
                           sum(octet_length(f.text)) OVER (PARTITION BY f.number) AS own
                      FROM (FOUND) f) b
            """.replace("MAX", String.valueOf(PageBytes.PAGE_MAX));

    private static final String ROOMS = BOUNDED.replace("FOUND", """
            SELECT k.number, r.room_id, r.joined, l.pos, l.body AS text
              FROM unnest(:rooms::text[]) WITH ORDINALITY AS k (room_id, number)
              JOIN room.room r ON r.tenant = :tenant AND r.room_id = k.room_id
             CROSS JOIN unnest(:types::text[], :keys::text[]) AS t (type, state_key)
              JOIN room.current_state s ON s.tenant = r.tenant AND s.room_id = r.room_id
                                       AND s.type = t.type AND s.state_key = t.state_key
              JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.pos
            """);

    private static final String CHILDREN = BOUNDED.replace("FOUND", """
            SELECT k.number, r.room_id, r.joined, l.pos, l.body AS text
              FROM unnest(:rooms::text[]) WITH ORDINALITY AS k (room_id, number)
              JOIN room.room r ON r.tenant = :tenant AND r.room_id = k.room_id
             CROSS JOIN LATERAL (SELECT c.pos FROM room.current_state c
                                  WHERE c.tenant = r.tenant AND c.room_id = r.room_id AND c.type = 'm.space.child'
                                  LIMIT :limit) s
              JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.pos
            """);

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

    /** Existing accessible rooms, spaces with their children, and the requested rooms left out for the bytes of a page. */
    record FoundRooms(List<SpaceRoom> rooms, Set<RoomId> leftOut) {}

    /** Reads at least the first of the rooms. */
    Mono<FoundRooms> accessible(Caller caller, Collection<RoomId> rooms) {
        return rows(caller, rooms).flatMap(rows -> {
            var read = grouped(rows);
            return joined(caller, read)
                    .map(joined -> read.stream()
                            .filter(room -> room.isAccessible(joined))
                            .toList())
                    .flatMap(accessible -> withChildren(caller, accessible, leftOut(rows)));
        });
    }

    private Mono<FoundRooms> withChildren(Caller caller, List<SpaceRoom> rooms, Set<RoomId> leftOut) {
        return children(caller, rooms).map(rows -> {
            var children = childrenOf(rows);
            var all = new HashSet<>(leftOut);
            all.addAll(leftOut(rows));
            return new FoundRooms(
                    rooms.stream()
                            .filter(room -> !all.contains(room.room()))
                            .map(room -> room.with(children.getOrDefault(room.room(), List.of())))
                            .toList(),
                    all);
        });
    }

    private static Set<RoomId> leftOut(List<StateRow> rows) {
        return rows.stream()
                .filter(row -> row.event == null)
                .map(StateRow::room)
                .collect(Collectors.toSet());
    }

    private Mono<List<StateRow>> rows(Caller caller, Collection<RoomId> rooms) {
        String user = caller.user().value();
        return db.sql(ROOMS)
                .bind("tenant", caller.tenant())
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
                .collectList();
    }

    /** A state event of a room; null if left out. */
    private record StateRow(
            RoomId room, int joined, @Nullable StoredEvent event) {}

    private static StateRow row(Readable row) {
        return new StateRow(
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "joined", Integer.class),
                event(row));
    }

    private static @Nullable StoredEvent event(Readable row) {
        String body = row.get("body", String.class);
        return body == null ? null : StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), body);
    }

    private static List<SpaceRoom> grouped(List<StateRow> rows) {
        var byRoom = rows.stream().filter(row -> row.event != null).collect(Collectors.groupingBy(StateRow::room));
        var rooms = new ArrayList<SpaceRoom>();
        byRoom.forEach((room, state) -> rooms.add(room(room, state)));
        return rooms;
    }

    private static SpaceRoom room(RoomId room, List<StateRow> rows) {
        Map<String, JsonNode> state = new HashMap<>();
        @Nullable Membership membership = null;
        for (var row : rows) {
            var event = Objects.requireNonNull(row.event);
            var meta = event.event().meta();
            if (meta.membership() != null) {
                membership = meta.membership();
            } else {
                state.put(meta.type(), event.content());
            }
        }
        return new SpaceRoom(room, rows.getFirst().joined, state, membership, List.of());
    }

    /** The rooms named by restricted join rules that the caller is joined to. */
    private Mono<Set<String>> joined(Caller caller, List<SpaceRoom> rooms) {
        var named = rooms.stream().flatMap(room -> room.allowed().stream()).collect(Collectors.toSet());
        if (named.isEmpty()) {
            return Mono.just(Set.of());
        }
        return db.sql(JOINED)
                .bind("tenant", caller.tenant())
                .bind("user", caller.user())
                .bind("rooms", named.toArray(String[]::new))
                .mapValue(String.class)
                .all()
                .collectList()
                .map(HashSet::new);
    }

    private Mono<List<StateRow>> children(Caller caller, List<SpaceRoom> rooms) {
        var spaces =
                rooms.stream().filter(SpaceRoom::isSpace).map(SpaceRoom::room).toList();
        if (spaces.isEmpty()) {
            return Mono.just(List.of());
        }
        return db.sql(CHILDREN)
                .bind("tenant", caller.tenant())
                .bind("rooms", ids(spaces))
                .bind("limit", CHILDREN_MAX)
                .map(SpaceRows::row)
                .all()
                .collectList();
    }

    private static Map<RoomId, List<Child>> childrenOf(List<StateRow> rows) {
        var children = new HashMap<RoomId, List<Child>>();
        for (var row : rows) {
            var child = row.event == null ? null : Child.of(row.event);
            if (child != null) {
                children.computeIfAbsent(row.room, _ -> new ArrayList<>()).add(child);
            }
        }
        children.values().forEach(all -> all.sort(Child.SHOWN));
        return children;
    }

    private static String[] ids(Collection<RoomId> rooms) {
        return rooms.stream().map(room -> room.value()).toArray(String[]::new);
    }
}
