// SPDX-License-Identifier: Apache-2.0
package rookery.room.timeline;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.EventTypes;
import rookery.model.event.Membership;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.authorization.CoreState;
import rookery.room.authorization.HistoryVisibility;
import rookery.room.authorization.MemberHistory;
import rookery.room.authorization.MemberHistory.Span;
import rookery.room.authorization.PowerLevels;
import rookery.room.table.BoundedRows;
import rookery.room.table.BoundedRows.SizedRow;
import rookery.room.table.EventRows;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Reads the state of rooms at positions, the memberships of readers, and the rooms of users. */
@Component
public class StateRows {
    private static final String READING = """
            SELECT r.shard, s.epoch, s.pos AS head, m.valid_from, m.membership,
                   EXISTS (SELECT 1 FROM room.forgotten f
                            WHERE f.tenant = r.tenant AND f.user_id = :user AND f.room_id = r.room_id) AS forgotten,
                   (SELECT FACTS
                      FROM room.current_state v JOIN room.entry_body l ON l.shard = r.shard AND l.pos = v.pos
                     WHERE v.tenant = r.tenant AND v.room_id = r.room_id
                       AND v.type = 'm.room.history_visibility' AND v.state_key = '') AS visibility
              FROM room.room r
              JOIN room.shard s ON s.shard = r.shard
              LEFT JOIN room.member_history m ON m.tenant = r.tenant AND m.room_id = r.room_id AND m.user_id = :user
             WHERE r.tenant = :tenant AND r.room_id = :room
             ORDER BY m.valid_from
            """.replace("FACTS", StoredEvent.FACTS_SQL);

    private static final String AT = """
            SELECT l.pos, l.body
              FROM room.state s JOIN room.entry_body l ON l.shard = :shard AND l.pos = s.valid_from
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.valid_from <= :pos AND s.valid_to > :pos
               AND PLACES
             ORDER BY l.pos
            """;

    // separate statements, since the planner would choose one plan for one member and for 100,000
    private static final String ALL_AT = AT.replace("PLACES", "true");
    private static final String LAZILY_AT =
            AT.replace("PLACES", "(s.type <> 'm.room.member' OR s.state_key = ANY (:users::text[]))");
    private static final String OF_TYPES_AT = AT.replace("PLACES", "s.type = ANY (:types::text[])");
    private static final String OF_PLACES_AT =
            AT.replace("PLACES", "s.type = :type AND s.state_key = ANY (:keys::text[])");

    private static final String BYTES_AT = """
            SELECT coalesce(sum(octet_length(l.body)), 0) AS bytes
              FROM room.state s JOIN room.entry_body l ON l.shard = :shard AND l.pos = s.valid_from
             WHERE s.tenant = :tenant AND s.room_id = :room AND s.valid_from <= :pos AND s.valid_to > :pos
               AND (NOT :lazy OR s.type <> 'm.room.member' OR s.state_key = ANY (:users::text[]))
            """;

    private static final String MEMBERS_AT = BoundedRows.sql("""
            SELECT k.number, l.pos, l.body
              FROM unnest(:users::text[]) WITH ORDINALITY AS k (user_id, number)
              JOIN room.member_history m ON m.tenant = :tenant AND m.room_id = :room AND m.user_id = k.user_id
                                        AND m.valid_from <= :pos AND m.valid_to > :pos
              JOIN room.entry_body l ON l.shard = :shard AND l.pos = m.valid_from
            """, "number");

    private static final String FIRST_MEMBER = """
            SELECT m.valid_from
              FROM room.room r
              JOIN room.member_history m ON m.tenant = r.tenant AND m.room_id = r.room_id AND m.user_id = r.creator
             WHERE r.tenant = :tenant AND r.room_id = :room
             ORDER BY m.valid_from LIMIT 1
            """;

    private static final String JOINED_ROOMS = """
            SELECT m.room_id
              FROM room.room_of_user m
             WHERE m.tenant = :tenant AND m.user_id = :user AND m.membership = 'join'
             ORDER BY m.pos
            """;

    private static final String IS_JOINED_ANY = """
            SELECT 1 AS found
              FROM room.room_of_user m
             WHERE m.tenant = :tenant AND m.user_id = :user
               AND m.room_id = ANY (:rooms::text[]) AND m.membership = 'join'
             LIMIT 1
            """;

    private static final List<String> POWER_TYPES = List.of(EventTypes.CREATE, EventTypes.POWER_LEVELS);

    private final DatabaseClient db;

    StateRows(DatabaseClient db) {
        this.db = db;
    }

    /**
     * Empty for an unknown room. A forgotten room appears as a room that the user was never in and that is not world-readable.
     */
    Mono<ReaderInRoom> reading(TenantRoom room, UserId user) {
        return db.sql(READING)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .bind("user", user)
                .map(row -> readingRow(row))
                .all()
                .collectList()
                .filter(rows -> !rows.isEmpty())
                .map(rows -> reading(room, user, rows));
    }

    private record ReadingRow(
            int shard, long epoch, long head, boolean forgotten, boolean worldReadable, List<Span> span) {}

    private static ReadingRow readingRow(Readable row) {
        String membership = row.get("membership", String.class);
        List<Span> span = membership == null
                ? List.of()
                : List.of(new Span(
                        RequiredColumn.of(row, "valid_from", Long.class),
                        Membership.of(membership).orElseThrow()));
        return new ReadingRow(
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "head", Long.class),
                RequiredColumn.of(row, "forgotten", Boolean.class),
                isWorldReadable(row.get("visibility", String.class)),
                span);
    }

    private static boolean isWorldReadable(@Nullable String visibilityEvent) {
        return visibilityEvent != null
                && StoredEvent.of(0, visibilityEvent)
                        .event()
                        .meta()
                        .room()
                        .visibility()
                        .equals(HistoryVisibility.WORLD_READABLE);
    }

    private static ReaderInRoom reading(TenantRoom room, UserId user, List<ReadingRow> rows) {
        var first = rows.getFirst();
        var spans = new ArrayList<Span>();
        if (!first.forgotten) {
            rows.forEach(row -> spans.addAll(row.span));
        }
        return new ReaderInRoom(
                room,
                first.shard,
                first.epoch,
                first.head,
                user,
                new MemberHistory(spans),
                first.worldReadable && !first.forgotten);
    }

    /** The whole state at a position, oldest event first. */
    public Flux<StoredEvent> at(TenantRoom room, int shard, long pos) {
        return bound(ALL_AT, room, shard, pos).map(EventRows::event).all();
    }

    /** The state at a position, with the member events of these users only; oldest event first. */
    public Flux<StoredEvent> lazilyAt(TenantRoom room, int shard, long pos, List<String> users) {
        return bound(LAZILY_AT, room, shard, pos)
                .bind("users", users.toArray(String[]::new))
                .map(EventRows::event)
                .all();
    }

    /** Bytes of the events of {@link #at}, or with users of {@link #lazilyAt}. */
    public Mono<Long> bytesAt(TenantRoom room, int shard, long pos, @Nullable List<String> users) {
        return bound(BYTES_AT, room, shard, pos)
                .bind("lazy", users != null)
                .bind("users", users == null ? new String[0] : users.toArray(String[]::new))
                .mapValue(Long.class)
                .one();
    }

    /** One state event at a position. */
    public Mono<StoredEvent> at(TenantRoom room, int shard, long pos, String type, String stateKey) {
        return bound(OF_PLACES_AT, room, shard, pos)
                .bind("type", type)
                .bind("keys", new String[] {stateKey})
                .map(EventRows::event)
                .one();
    }

    /** State events of these types at a position. */
    public Flux<StoredEvent> ofTypesAt(TenantRoom room, int shard, long pos, List<String> types) {
        return bound(OF_TYPES_AT, room, shard, pos)
                .bind("types", types.toArray(String[]::new))
                .map(EventRows::event)
                .all();
    }

    /** Member events of the first {@code looked} users; the events of the others would exceed the bytes of a page. */
    public record MemberEvents(List<StoredEvent> events, int looked) {}

    /** Member events of users at a position, in the order of the users. */
    public Mono<MemberEvents> membersAt(TenantRoom room, int shard, long pos, List<String> users) {
        var sql = bound(MEMBERS_AT, room, shard, pos).bind("users", users.toArray(String[]::new));
        return EventRows.bounded(sql, StateRows::member).map(read -> members(read, users.size()));
    }

    private record Member(StoredEvent event, long number) {}

    private static Member member(Readable row) {
        return new Member(EventRows.event(row), RequiredColumn.of(row, "number", Long.class));
    }

    private static MemberEvents members(BoundedRows<Member> read, int users) {
        var members = read.rows().stream().map(SizedRow::row).toList();
        return new MemberEvents(
                members.stream().map(Member::event).toList(), read.cut() ? (int) members.getLast().number : users);
    }

    /** The power levels in force now. */
    public Mono<PowerLevels> power(ReaderInRoom reading) {
        return ofTypesAt(reading.room(), reading.shard(), reading.head(), POWER_TYPES)
                .reduce(CoreState.NONE, StateRows::after)
                .map(CoreState::power);
    }

    private static CoreState after(CoreState core, StoredEvent event) {
        var meta = event.event().meta();
        return core.after(meta.type(), Objects.requireNonNull(meta.stateKey()), meta.sender(), event.content());
    }

    /** The position at which the creator joined; before, the room had no members. */
    public Mono<Long> firstMember(TenantRoom room) {
        return db.sql(FIRST_MEMBER)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .mapValue(Long.class)
                .one();
    }

    public Flux<String> joinedRooms(TenantId tenant, UserId user) {
        return db.sql(JOINED_ROOMS)
                .bind("tenant", tenant)
                .bind("user", user)
                .mapValue(String.class)
                .all();
    }

    /** Whether the user is joined to one of these rooms of the tenant. */
    public Mono<Boolean> isJoinedToAny(TenantId tenant, UserId user, List<String> rooms) {
        if (rooms.isEmpty()) {
            return Mono.just(false);
        }
        return db.sql(IS_JOINED_ANY)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("rooms", rooms.toArray(String[]::new))
                .mapValue(Integer.class)
                .one()
                .hasElement();
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, TenantRoom room, int shard, long pos) {
        return db.sql(sql)
                .bind("tenant", room.tenant())
                .bind("room", room.room())
                .bind("shard", shard)
                .bind("pos", pos);
    }
}
