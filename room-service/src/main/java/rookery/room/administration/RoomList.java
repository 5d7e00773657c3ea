// SPDX-License-Identifier: Apache-2.0
package rookery.room.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.r2dbc.spi.Readable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.http.ListOrder;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.EventRows;
import rookery.room.table.RowOrder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rooms of a tenant, for administrators (contract.md 5.2). */
@Component
class RoomList {
    private static final String COUNT = """
            SELECT count(*) AS rooms FROM room.room r WHERE r.tenant = :tenant MATCHING
            """;

    private static final String PLACE = """
            SELECT KEY FROM room.room r WHERE r.tenant = :tenant MATCHING ORDER BY COLUMNS OFFSET :skipped LIMIT 1
            """;

    /** Chooses the rooms of the page first: the order may need a sort of all rooms, whose state is not read. */
    private static final String PAGE = """
            SELECT r.room_id, r.creator, r.created_ms, r.joined, r.invited, r.published,
                   (SELECT e.ts FROM room.event e WHERE e.tenant = r.tenant AND e.room_id = r.room_id
                     ORDER BY e.pos DESC LIMIT 1) AS last_ts,
                   s.types, s.banned
              FROM (SELECT * FROM room.room r WHERE r.tenant = :tenant MATCHING ORDER BY COLUMNS LIMIT :limit) AS r
             CROSS JOIN LATERAL (
                SELECT json_object_agg(t.type, t.number)::text AS types, coalesce(sum(t.banned), 0)::int AS banned
                  FROM (SELECT type, count(*) AS number, count(*) FILTER (WHERE membership = 'ban') AS banned
                          FROM room.current_state
                         WHERE tenant = r.tenant AND room_id = r.room_id
                         GROUP BY type) AS t) AS s
             ORDER BY COLUMNS
            """;

    private static final String STATE = """
            SELECT s.room_id, l.pos, l.body
              FROM room.current_state s
              JOIN room.event_text l ON l.tenant = s.tenant AND l.room_id = s.room_id AND l.pos = s.pos
             WHERE s.tenant = :tenant AND s.room_id = ANY (:rooms::text[]) AND s.type = ANY (:types::text[])
               AND s.state_key = ''
            """;

    private static final List<String> SHOWN = List.of(
            EventTypes.CREATE,
            EventTypes.NAME,
            EventTypes.TOPIC,
            EventTypes.AVATAR,
            EventTypes.CANONICAL_ALIAS,
            EventTypes.JOIN_RULES,
            EventTypes.HISTORY_VISIBILITY,
            EventTypes.GUEST_ACCESS,
            EventTypes.ENCRYPTION);

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseClient db;

    RoomList(DatabaseClient db) {
        this.db = db;
    }

    /**
     * Conditions on rooms; null matches every room.
     *
     * @param empty whether nobody is joined
     */
    record RoomFilter(
            TenantId tenant,
            @Nullable Boolean published,
            @Nullable List<RoomId> rooms,
            @Nullable Boolean empty) {}

    /** M_INVALID_PARAM for an order that the list does not have; null for the order of room ids. */
    static RowOrder order(@Nullable ListOrder order) {
        var by = order == null ? "room_id" : order.by();
        var number = switch (by) {
            case "room_id" -> null;
            case "created_at" -> "r.created_ms";
            case "joined_members" -> "r.joined";
            default -> throw RowOrder.unknown("room_id, created_at and joined_members");
        };
        return new RowOrder(number, "r.room_id", order != null && order.backwards());
    }

    Mono<Long> count(RoomFilter filter) {
        return bound(COUNT, "", filter).mapValue(Long.class).one();
    }

    /** The key of the last of that many rooms, at least one; empty if there are fewer. */
    Mono<String> place(RoomFilter filter, RowOrder order, int skipped) {
        return bound(PLACE.replace("KEY", order.key()).replace("COLUMNS", order.columns()), "", filter)
                .bind("skipped", skipped - 1)
                .mapValue(String.class)
                .one();
    }

    /** The rooms after a key. M_INVALID_PARAM for a malformed key. */
    Mono<List<ListedRoom>> after(RoomFilter filter, RowOrder order, String key, int limit) {
        var page = bound(PAGE.replace("COLUMNS", order.columns()), order.condition(key), filter);
        return order.bound(page, key)
                .bind("limit", limit)
                .map(RoomList::bare)
                .all()
                .collectList()
                .flatMap(bare -> bare.isEmpty()
                        ? Mono.just(List.of())
                        : state(filter.tenant, bare)
                                .map(state -> bare.stream()
                                        .map(row -> row.with(state.getOrDefault(row.id, Map.of())))
                                        .toList()));
    }

    private GenericExecuteSpec bound(String sql, String more, RoomFilter filter) {
        var matching = more
                + (filter.published == null ? "" : " AND " + (filter.published ? "" : "NOT ") + "r.published")
                + (filter.empty == null ? "" : " AND r.joined " + (filter.empty ? "= 0" : "> 0"))
                + (filter.rooms == null ? "" : " AND r.room_id = ANY (:rooms::text[])");
        var query = db.sql(sql.replace("MATCHING", matching)).bind("tenant", filter.tenant);
        return filter.rooms == null
                ? query
                : query.bind("rooms", filter.rooms.stream().map(RoomId::value).toArray(String[]::new));
    }

    private Mono<Map<String, Map<String, JsonNode>>> state(TenantId tenant, List<RoomRow> rooms) {
        var state = new HashMap<String, Map<String, JsonNode>>();
        return db.sql(STATE)
                .bind("tenant", tenant)
                .bind("rooms", rooms.stream().map(RoomRow::id).toArray(String[]::new))
                .bind("types", SHOWN.toArray(String[]::new))
                .map(row -> {
                    var event = EventRows.event(row);
                    return state.computeIfAbsent(RequiredColumn.of(row, "room_id", String.class), _ -> new HashMap<>())
                                    .put(event.event().meta().type(), event.content())
                            == null;
                })
                .all()
                .then(Mono.just(state));
    }

    private static RoomRow bare(Readable row) {
        return new RoomRow(
                RequiredColumn.of(row, "room_id", String.class),
                RequiredColumn.of(row, "creator", String.class),
                RequiredColumn.of(row, "created_ms", Long.class),
                row.get("last_ts", Long.class),
                RequiredColumn.of(row, "published", Boolean.class),
                RequiredColumn.of(row, "joined", Integer.class),
                RequiredColumn.of(row, "invited", Integer.class),
                RequiredColumn.of(row, "banned", Integer.class),
                JSON.readTree(RequiredColumn.of(row, "types", String.class)));
    }

    /** A row of {@link #PAGE}, without the room's state events. */
    private record RoomRow(
            String id,
            String creator,
            long createdMillis,
            @Nullable Long lastMillis,
            boolean published,
            int joined,
            int invited,
            int banned,
            JsonNode types) {
        ListedRoom with(Map<String, JsonNode> state) {
            var encryption = state.get(EventTypes.ENCRYPTION);
            var counts = new TreeMap<String, Long>();
            types.properties()
                    .forEach(type -> counts.put(type.getKey(), type.getValue().longValue()));
            return new ListedRoom(
                    id,
                    text(state, EventTypes.NAME, "name"),
                    text(state, EventTypes.TOPIC, "topic"),
                    text(state, EventTypes.CANONICAL_ALIAS, "alias"),
                    text(state, EventTypes.AVATAR, "url"),
                    creator,
                    text(state, EventTypes.CREATE, "room_version"),
                    text(state, EventTypes.CREATE, "type"),
                    published,
                    encryption != null,
                    createdMillis,
                    lastMillis == null ? createdMillis : lastMillis,
                    joined,
                    invited,
                    banned,
                    joined,
                    counts.values().stream().mapToLong(number -> number).sum(),
                    new Summary(
                            text(state, EventTypes.JOIN_RULES, "join_rule"),
                            text(state, EventTypes.HISTORY_VISIBILITY, "history_visibility"),
                            text(state, EventTypes.GUEST_ACCESS, "guest_access"),
                            text(state, EventTypes.ENCRYPTION, "algorithm"),
                            counts));
        }
    }

    private static @Nullable String text(Map<String, JsonNode> state, String type, String field) {
        var content = state.get(type);
        return content == null ? null : content.path(field).stringValue(null);
    }

    /** A room; times in ms. */
    record ListedRoom(
            @JsonProperty("room_id") String roomId,
            @Nullable String name,
            @Nullable String topic,
            @JsonProperty("canonical_alias") @Nullable String canonicalAlias,
            @JsonProperty("avatar_url") @Nullable String avatarUrl,
            String creator,
            @JsonProperty("room_version") @Nullable String roomVersion,
            @JsonProperty("room_type") @Nullable String roomType,
            boolean published,
            boolean encrypted,
            @JsonProperty("created_at") long createdAt,
            @JsonProperty("last_event_ts") long lastEventTs,
            @JsonProperty("joined_members") int joinedMembers,
            @JsonProperty("invited_members") int invitedMembers,
            @JsonProperty("banned_members") int bannedMembers,
            @JsonProperty("num_joined_members") int numJoinedMembers,
            @JsonProperty("state_events") long stateEvents,
            @JsonProperty("state_summary") Summary stateSummary) {
        /** The next page of a list in this order begins after this key. */
        String key(RowOrder order) {
            return order.key("r.joined".equals(order.number()) ? joinedMembers : createdAt, roomId);
        }
    }

    /** Parts of the room's state; {@code types} counts state events by type. */
    record Summary(
            @JsonProperty("join_rule") @Nullable String joinRule,
            @JsonProperty("history_visibility") @Nullable String historyVisibility,
            @JsonProperty("guest_access") @Nullable String guestAccess,
            @JsonProperty("encryption_algorithm") @Nullable String encryptionAlgorithm,
            Map<String, Long> types) {}
}
