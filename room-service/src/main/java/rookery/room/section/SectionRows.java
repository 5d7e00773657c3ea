// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static rookery.room.table.RoomColumns.longs;
import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.authorization.MemberHistory;
import rookery.room.authorization.MemberHistory.Span;
import rookery.room.table.StoredEvent;

/** The rooms of sync responses and their events; many rooms in one statement. */
@Component
class SectionRows {
    private static final String MEMBERSHIPS = """
            SELECT m.room_id, r.shard, r.joined + r.invited AS members, r.state_bytes, m.valid_from, m.membership,
                   EXISTS (SELECT 1 FROM room.forgotten f
                            WHERE f.tenant = m.tenant AND f.user_id = :user AND f.room_id = m.room_id) AS forgotten,
                   m.membership = 'invite'
                       AND (:blocksInvites
                            OR (SELECT e.sender FROM room.event e
                                 WHERE e.tenant = m.tenant AND e.room_id = m.room_id AND e.pos = m.valid_from)
                               = ANY (:ignored::text[])) AS unwanted,
                   NULL::text AS purged_by, NULL::bigint AS purged_ms
              FROM room.member_history m JOIN room.room r ON r.tenant = m.tenant AND r.room_id = m.room_id
             WHERE m.tenant = :tenant AND m.user_id = :user
               AND ROOMS
             UNION ALL
            SELECT m.room_id, p.shard, 0, 0, p.pos, 'leave', false, false, p.purged_by, p.purged_ms
              FROM room.purged_member m JOIN room.purged p ON p.tenant = m.tenant AND p.room_id = m.room_id
             WHERE m.tenant = :tenant AND m.user_id = :user
               AND ROOMS
             ORDER BY room_id, valid_from
            """;

    // two statements, because the planner would need one plan for both
    private static final String ALL_MEMBERSHIPS = MEMBERSHIPS.replace("ROOMS", "true");
    private static final String MEMBERSHIPS_IN = MEMBERSHIPS.replace("ROOMS", "m.room_id = ANY (:rooms::text[])");

    private static final String STRETCHES = """
            SELECT k.room_id, e.pos, e.body, e.found
              FROM unnest(:rooms::text[], :uptos::bigint[], :afters::bigint[]) AS k (room_id, upto, after)
             CROSS JOIN LATERAL (SELECT n.pos, l.body,
                                        count(*) OVER () AS found,
                                        sum(octet_length(l.body)) OVER (ORDER BY n.pos DESC) - octet_length(l.body) AS before
                                   FROM (SELECT v.pos, v.shard FROM room.event v
                                          WHERE v.tenant = :tenant AND v.room_id = k.room_id
                                            AND v.pos <= k.upto AND v.pos > k.after
                                          ORDER BY v.pos DESC LIMIT :limit) n
                                   JOIN room.entry_body l ON l.shard = n.shard AND l.pos = n.pos) e
             WHERE e.before < :bytes
            """;

    private static final Comparator<StoredEvent> NEWEST_FIRST =
            Comparator.comparingLong(StoredEvent::pos).reversed();

    private final DatabaseClient db;

    SectionRows(DatabaseClient db) {
        this.db = db;
    }

    /**
     * A room of the user, with all memberships of the user.
     *
     * @param members the approximate number of members
     * @param stateBytes bytes of the current state without member events
     * @param unwanted positions of invitations by ignored users
     * @param purge for a purged room that the user was joined to, invited to or knocking at: then the history is only the purge
     */
    record KnownRoom(
            RoomId room,
            int shard,
            int members,
            long stateBytes,
            MemberHistory history,
            boolean forgotten,
            Set<Long> unwanted,
            @Nullable Purge purge) {
        /** The history up to the position, without unwanted invitations at its end. */
        MemberHistory historyUpTo(long upto) {
            var visible = history.upTo(upto);
            while (!visible.spans().isEmpty()
                    && unwanted.contains(visible.spans().getLast().from())) {
                visible = visible.upTo(visible.spans().getLast().from() - 1);
            }
            return visible;
        }
    }

    /** The administrator who purged a room, and the time in milliseconds. */
    record Purge(UserId by, long at) {}

    /** A range of a room: after one position, up to another. */
    record Stretch(RoomId room, long after, long upto) {}

    Mono<List<KnownRoom>> memberships(SyncRequest request) {
        var rooms = request.rooms();
        var sql = db.sql(rooms == null ? ALL_MEMBERSHIPS : MEMBERSHIPS_IN)
                .bind("tenant", request.tenant())
                .bind("user", request.user())
                .bind("blocksInvites", Boolean.TRUE.equals(request.blocksInvites()))
                .bind("ignored", texts(request.ignored(), UserId::value));
        var bound = rooms == null ? sql : sql.bind("rooms", texts(rooms, RoomId::value));
        return bound.map(SectionRows::row).all().collectList().map(SectionRows::rooms);
    }

    private record Row(
            RoomId room,
            int shard,
            int members,
            long stateBytes,
            Span span,
            boolean forgotten,
            boolean unwanted,
            @Nullable Purge purge) {}

    private static Row row(Readable row) {
        return new Row(
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "members", Integer.class),
                RequiredColumn.of(row, "state_bytes", Long.class),
                new Span(
                        RequiredColumn.of(row, "valid_from", Long.class),
                        Membership.of(RequiredColumn.of(row, "membership", String.class))
                                .orElseThrow()),
                RequiredColumn.of(row, "forgotten", Boolean.class),
                RequiredColumn.of(row, "unwanted", Boolean.class),
                purge(row));
    }

    private static @Nullable Purge purge(Readable row) {
        String by = row.get("purged_by", String.class);
        return by == null ? null : new Purge(new UserId(by), RequiredColumn.of(row, "purged_ms", Long.class));
    }

    private static List<KnownRoom> rooms(List<Row> rows) {
        var byRoom = new LinkedHashMap<RoomId, List<Row>>();
        rows.forEach(
                row -> byRoom.computeIfAbsent(row.room, _ -> new ArrayList<>()).add(row));
        var rooms = new ArrayList<KnownRoom>();
        byRoom.forEach((room, all) -> rooms.add(new KnownRoom(
                room,
                all.getFirst().shard,
                all.getFirst().members,
                all.getFirst().stateBytes,
                new MemberHistory(all.stream().map(Row::span).toList()),
                all.getFirst().forgotten,
                unwanted(all),
                all.getFirst().purge)));
        return rooms;
    }

    private static Set<Long> unwanted(List<Row> rows) {
        return rows.stream().filter(Row::unwanted).map(row -> row.span.from()).collect(Collectors.toSet());
    }

    /**
     * The newest events of a range, newest first.
     *
     * @param last whether the range has no older events
     */
    record NewestEvents(List<StoredEvent> events, boolean last) {
        static final NewestEvents NONE = new NewestEvents(List.of(), true);
    }

    private record RangeEvent(RoomId room, StoredEvent event, long total) {}

    /** Reads each range from its end, up to {@code limit} events, and up to the event that exceeds {@code bytes}. */
    Mono<Map<RoomId, NewestEvents>> newest(TenantId tenant, List<Stretch> stretches, int limit, int bytes) {
        if (stretches.isEmpty()) {
            return Mono.just(Map.of());
        }
        return db.sql(STRETCHES)
                .bind("tenant", tenant)
                .bind("rooms", texts(stretches, each -> each.room.value()))
                .bind("uptos", longs(stretches, Stretch::upto))
                .bind("afters", longs(stretches, Stretch::after))
                .bind("limit", limit)
                .bind("bytes", bytes)
                .map(row -> {
                    var event = event(row);
                    return new RangeEvent(
                            event.getKey(), event.getValue(), RequiredColumn.of(row, "found", Long.class));
                })
                .all()
                .collectMultimap(RangeEvent::room)
                .map(byRoom -> newest(byRoom, limit));
    }

    private static Map<RoomId, NewestEvents> newest(Map<RoomId, Collection<RangeEvent>> byRoom, int limit) {
        var newest = new HashMap<RoomId, NewestEvents>();
        byRoom.forEach((room, rows) -> {
            long within = rows.iterator().next().total;
            var events =
                    rows.stream().map(RangeEvent::event).sorted(NEWEST_FIRST).toList();
            newest.put(room, new NewestEvents(events, within < limit && events.size() == within));
        });
        return newest;
    }

    static Map.Entry<RoomId, StoredEvent> event(Readable row) {
        var event =
                StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
        return Map.entry(RequiredColumn.of(row, "room_id", RoomId.class), event);
    }

    static Map<RoomId, List<StoredEvent>> oldestFirst(Map<RoomId, List<StoredEvent>> byRoom) {
        byRoom.values().forEach(events -> events.sort(NEWEST_FIRST.reversed()));
        return byRoom;
    }

    /** Groups values by room, in the order of the rows. */
    static <T> Collector<Map.Entry<RoomId, T>, ?, Map<RoomId, List<T>>> byRoom() {
        return Collectors.groupingBy(
                Map.Entry::getKey, HashMap::new, Collectors.mapping(Map.Entry::getValue, Collectors.toList()));
    }
}
