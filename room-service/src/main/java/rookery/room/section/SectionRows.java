package rookery.room.section;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import rookery.room.roomlog.StoredEvent;

/** What syncs read, for many rooms in one statement. */
@Component
class SectionRows {
    private static final String MEMBERSHIPS = """
            SELECT m.room_id, r.shard, m.valid_from, m.membership,
                   EXISTS (SELECT 1 FROM room.forgotten f
                            WHERE f.tenant = m.tenant AND f.user_id = :user AND f.room_id = m.room_id) AS forgotten
              FROM room.state m JOIN room.room r ON r.tenant = m.tenant AND r.room_id = m.room_id
             WHERE m.tenant = :tenant AND m.type = 'm.room.member' AND m.state_key = :user
               AND (:rooms::text[] IS NULL OR m.room_id = ANY (:rooms::text[]))
             ORDER BY m.room_id, m.valid_from
            """;

    private static final String STRETCHES = """
            SELECT k.room_id, e.pos, l.body
              FROM unnest(:rooms::text[], :uptos::bigint[], :afters::bigint[]) AS k (room_id, upto, after)
             CROSS JOIN LATERAL (SELECT v.pos, v.shard FROM room.event v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id
                                    AND v.pos <= k.upto AND v.pos > k.after
                                  ORDER BY v.pos DESC LIMIT :limit) e
              JOIN room.log_entry l ON l.shard = e.shard AND l.pos = e.pos
             ORDER BY k.room_id, e.pos DESC
            """;

    private static final String CHANGED_STATE = """
            SELECT l.pos, l.body
              FROM room.state s JOIN room.log_entry l ON l.shard = :shard AND l.pos = s.valid_from
             WHERE s.tenant = :tenant AND s.room_id = :room
               AND s.valid_from > :after AND s.valid_from <= :upto AND s.valid_to > :upto
             ORDER BY l.pos
            """;

    private static final String HEROES = """
            SELECT state_key FROM room.state
             WHERE tenant = :tenant AND room_id = :room AND type = 'm.room.member' AND state_key <> :user
               AND valid_from <= :pos AND valid_to > :pos AND membership = ANY (:memberships::text[])
             ORDER BY valid_from LIMIT 5
            """;

    private static final String SUMMARY_CHANGED = """
            SELECT EXISTS (SELECT 1 FROM room.event
                            WHERE tenant = :tenant AND room_id = :room AND pos > :after AND pos <= :upto
                              AND type IN ('m.room.member', 'm.room.name', 'm.room.canonical_alias')
                              AND state_key IS NOT NULL)
            """;

    private final DatabaseClient db;

    SectionRows(DatabaseClient db) {
        this.db = db;
    }

    /** A room of the user, with the user's whole history in it. */
    record Known(RoomId room, int shard, MemberHistory history, boolean forgotten) {}

    Mono<List<Known>> memberships(SyncRequest request) {
        var rooms = request.rooms();
        var sql = db.sql(MEMBERSHIPS)
                .bind("tenant", request.tenant().value())
                .bind("user", request.user().value());
        var bound = rooms == null
                ? sql.bindNull("rooms", String[].class)
                : sql.bind("rooms", rooms.stream().map(RoomId::value).toArray(String[]::new));
        return bound.map(SectionRows::row).all().collectList().map(SectionRows::known);
    }

    private record Row(RoomId room, int shard, Span span, boolean forgotten) {}

    private static Row row(Readable row) {
        return new Row(
                new RoomId(RequiredColumn.of(row, "room_id", String.class)),
                RequiredColumn.of(row, "shard", Integer.class),
                new Span(
                        RequiredColumn.of(row, "valid_from", Long.class),
                        Membership.of(RequiredColumn.of(row, "membership", String.class))
                                .orElseThrow()),
                RequiredColumn.of(row, "forgotten", Boolean.class));
    }

    private static List<Known> known(List<Row> rows) {
        var byRoom = new LinkedHashMap<RoomId, List<Row>>();
        rows.forEach(
                row -> byRoom.computeIfAbsent(row.room, _ -> new ArrayList<>()).add(row));
        var known = new ArrayList<Known>();
        byRoom.forEach((room, all) -> known.add(new Known(
                room,
                all.getFirst().shard,
                new MemberHistory(all.stream().map(Row::span).toList()),
                all.getFirst().forgotten)));
        return known;
    }

    /** For each scan its next events, newest first. */
    Mono<Map<RoomId, List<StoredEvent>>> stretches(TenantId tenant, List<TimelineScan> scans, int limit) {
        return db.sql(STRETCHES)
                .bind("tenant", tenant.value())
                .bind(
                        "rooms",
                        scans.stream().map(scan -> scan.room.room().value()).toArray(String[]::new))
                .bind("uptos", scans.stream().map(TimelineScan::place).toArray(Long[]::new))
                .bind(
                        "afters",
                        scans.stream().map(scan -> scan.room.timelineFrom()).toArray(Long[]::new))
                .bind("limit", limit)
                .map(row -> Map.entry(new RoomId(RequiredColumn.of(row, "room_id", String.class)), event(row)))
                .all()
                .collectList()
                .map(SectionRows::byRoom);
    }

    private static Map<RoomId, List<StoredEvent>> byRoom(List<Map.Entry<RoomId, StoredEvent>> rows) {
        var byRoom = new HashMap<RoomId, List<StoredEvent>>();
        rows.forEach(row ->
                byRoom.computeIfAbsent(row.getKey(), _ -> new ArrayList<>()).add(row.getValue()));
        return byRoom;
    }

    /** State that came into force after a position and was still in force at another one. */
    Mono<List<StoredEvent>> changedState(TenantId tenant, Candidate room, long after, long upto) {
        return db.sql(CHANGED_STATE)
                .bind("tenant", tenant.value())
                .bind("room", room.room().value())
                .bind("shard", room.shard())
                .bind("after", after)
                .bind("upto", upto)
                .map(SectionRows::event)
                .all()
                .collectList();
    }

    /** Whether the range holds anything that the summary hangs on, wherever the timeline begins. */
    Mono<Boolean> hasSummaryChanged(TenantId tenant, Candidate room) {
        return db.sql(SUMMARY_CHANGED)
                .bind("tenant", tenant.value())
                .bind("room", room.room().value())
                .bind("after", room.after())
                .bind("upto", room.upto())
                .mapValue(Boolean.class)
                .one();
    }

    /** The first five others with one of these memberships, in the order they came. */
    Mono<List<String>> heroes(TenantId tenant, Candidate room, UserId user, List<String> memberships) {
        return db.sql(HEROES)
                .bind("tenant", tenant.value())
                .bind("room", room.room().value())
                .bind("user", user.value())
                .bind("pos", room.upto())
                .bind("memberships", memberships.toArray(String[]::new))
                .mapValue(String.class)
                .all()
                .collectList();
    }

    private static StoredEvent event(Readable row) {
        return StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
    }
}
