// SPDX-License-Identifier: Apache-2.0
package rookery.room.search;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.event.Membership;
import rookery.model.filter.EventFilter;
import rookery.model.id.RoomId;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.RequiredColumn;
import rookery.room.authorization.MemberHistory;
import rookery.room.authorization.MemberHistory.Span;
import rookery.room.table.BoundedRows;
import rookery.room.table.EventRows;
import rookery.room.table.RoomColumns;
import rookery.room.table.SearchIndex.Searchable;
import rookery.room.table.StoredEvent;
import rookery.room.timeline.RoomReader.ReaderInRoom;

/** Reads the search index {@code room.search}, and the rooms in which a user may search. */
@Component
class SearchRows {
    /** Limit of ranked rows for a word. Of a more common word the newest rows and a sample of the others are ranked. */
    static final int HITS_MAX = 20_000;

    private static final int OTHERS_MAX = 1_000;
    private static final int NEWEST_MAX = 20_000;
    private static final int NEWEST_OF_ROOM_MIN = 20;

    private static final String ROOMS = """
            SELECT m.room_id, r.shard, s.epoch, s.pos AS head, m.valid_from, m.membership
              FROM room.member_history m
              JOIN room.room r ON r.tenant = m.tenant AND r.room_id = m.room_id
              JOIN room.shard s ON s.shard = r.shard
             WHERE m.tenant = :tenant AND m.user_id = :user
               AND NOT EXISTS (SELECT 1 FROM room.forgotten f
                                WHERE f.tenant = m.tenant AND f.user_id = :user AND f.room_id = m.room_id)
             ORDER BY m.room_id, m.valid_from
            """;

    private static final String PLACES = """
            WITH place AS MATERIALIZED (
                SELECT * FROM unnest(:rooms::text[], :firsts::bigint[], :lasts::bigint[]) AS p (room_id, first, last))
            """;

    private static final String CONDITIONS = """
            s.words @@ :indexed::tsquery AND s.tenant = :tenant AND s.key = ANY (:keys::smallint[])
               AND (:senders::text[] IS NULL OR s.sender = ANY (:senders::text[]))
               AND NOT s.sender = ANY (:notSenders::text[])
               AND (:url::boolean IS NULL OR s.url = :url::boolean)
               AND NOT (s.key = 1 AND s.sender = ANY (:ignored::text[]))
            """;

    private static final String BY_WORD = """
            SELECT s.room_id, s.shard, s.pos, s.ts, ts_rank(s.words, :term::tsquery, 1)::float8 AS rank
              FROM room.search s WHERE
            """ + CONDITIONS + " LIMIT :most";

    private static final String NEWEST = """
            SELECT s.room_id, s.shard, s.pos, s.ts, ts_rank(s.words, :term::tsquery, 1)::float8 AS rank
              FROM place p
             CROSS JOIN LATERAL (SELECT n.* FROM room.search n
                                  WHERE n.tenant = :tenant AND n.room_id = p.room_id
                                    AND n.pos BETWEEN p.first AND p.last
                                  ORDER BY n.pos DESC LIMIT :each) s
             WHERE
            """ + CONDITIONS;

    private static final String FOUND = """
            , found AS MATERIALIZED (
                SELECT h.*, CASE WHEN :recent THEN 0::float8 ELSE h.rank END AS weight FROM hit h
                 WHERE EXISTS (SELECT 1 FROM place p
                                WHERE p.room_id = h.room_id AND h.pos BETWEEN p.first AND p.last))
            SELECT t.total, t.weighed, f.room_id, f.shard, f.pos, f.ts, f.rank
              FROM (SELECT count(*) AS total, (SELECT count(*) FROM hit) AS weighed FROM found) t
              LEFT JOIN (SELECT * FROM found
                          WHERE NOT :onwards
                             OR (weight, ts, pos, shard)
                                < (:afterWeight::float8, :afterTs::bigint, :afterPos::bigint, :afterShard::int)
                          ORDER BY weight DESC, ts DESC, pos DESC, shard DESC LIMIT :limit) f ON true
             ORDER BY f.weight DESC, f.ts DESC, f.pos DESC, f.shard DESC
            """;

    private static final String ALL_HITS = PLACES + ", hit AS MATERIALIZED (" + BY_WORD + ")" + FOUND;

    private static final String NEWEST_HITS =
            PLACES + ", hit AS MATERIALIZED ((" + BY_WORD + ") UNION (" + NEWEST + "))" + FOUND;

    private static final String EVENTS = BoundedRows.sql("""
            SELECT k.number, l.pos, l.body
              FROM unnest(:shards::int[], :positions::bigint[]) WITH ORDINALITY AS k (shard, pos, number)
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = k.pos
             WHERE l.tenant = :tenant
            """, "number");

    private final DatabaseClient db;
    private final TransactionalOperator tx;

    SearchRows(DatabaseClient db, TransactionalOperator tx) {
        this.db = db;
        this.tx = tx;
    }

    /** An event that matches the words. */
    record Hit(RoomId room, int shard, long pos, long ts, double rank) {}

    /** The best hits, the number of all visible hits, and the number of rows with the words before visibility is checked. */
    record Hits(long total, long weighed, List<Hit> best) {}

    /**
     * A query of the index: {@code term} is the {@code tsquery} of the words, {@code indexed} the term with the words of the
     * rooms or of the tenant; null senders for all.
     */
    record SearchQuery(
            String term,
            String indexed,
            Set<Searchable> keys,
            @Nullable List<String> senders,
            EventFilter filter,
            Set<String> ignored,
            boolean recent,
            int limit,
            @Nullable SearchPlace after) {}

    /** A range of positions of a room. */
    record RoomStretch(RoomId room, long first, long last) {}

    /** Rooms that the caller is or was in and has not forgotten; world-readable rooms do not count. */
    Mono<List<ReaderInRoom>> rooms(Caller caller) {
        return db.sql(ROOMS)
                .bind("tenant", caller.tenant())
                .bind("user", caller.user())
                .map(SearchRows::memberRow)
                .all()
                .collectList()
                .map(rows -> readings(caller, rows));
    }

    private record MemberRow(RoomId room, int shard, long epoch, long head, Span span) {}

    private static MemberRow memberRow(Readable row) {
        return new MemberRow(
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "head", Long.class),
                new Span(
                        RequiredColumn.of(row, "valid_from", Long.class),
                        Membership.of(RequiredColumn.of(row, "membership", String.class))
                                .orElseThrow()));
    }

    private static List<ReaderInRoom> readings(Caller caller, List<MemberRow> rows) {
        Map<RoomId, List<MemberRow>> byRoom = new LinkedHashMap<>();
        rows.forEach(
                row -> byRoom.computeIfAbsent(row.room, _ -> new ArrayList<>()).add(row));
        var readings = new ArrayList<ReaderInRoom>();
        byRoom.forEach((room, spans) -> {
            var history = new MemberHistory(spans.stream().map(MemberRow::span).toList());
            var first = spans.getFirst();
            if (history.wasEverJoined()) {
                var key = new TenantRoom(caller.tenant(), room);
                readings.add(
                        new ReaderInRoom(key, first.shard, first.epoch, first.head, caller.user(), history, false));
            }
        });
        return readings;
    }

    /** All rows with the words, up to {@link #HITS_MAX}. */
    Mono<Hits> hits(Caller caller, SearchQuery query, List<RoomStretch> places) {
        return hits(bound(db.sql(ALL_HITS), caller, query, places).bind("most", HITS_MAX));
    }

    /** Rows among the newest messages of the rooms, and a sample of other rows. */
    Mono<Hits> newestHits(Caller caller, SearchQuery query, List<RoomStretch> places) {
        int each = Math.max(NEWEST_OF_ROOM_MIN, NEWEST_MAX / places.size());
        return hits(bound(db.sql(NEWEST_HITS), caller, query, places)
                .bind("most", OTHERS_MAX)
                .bind("each", each));
    }

    private static GenericExecuteSpec bound(
            GenericExecuteSpec sql, Caller caller, SearchQuery query, List<RoomStretch> places) {
        var filter = query.filter;
        var notSenders = filter.notSenders() == null ? List.<String>of() : filter.notSenders();
        var after = query.after == null ? new SearchPlace(0, 0, 0, 0, null) : query.after;
        var spec = sql.bind("rooms", RoomColumns.texts(places, place -> place.room.value()))
                .bind("firsts", RoomColumns.longs(places, RoomStretch::first))
                .bind("lasts", RoomColumns.longs(places, RoomStretch::last))
                .bind("tenant", caller.tenant())
                .bind("term", query.term)
                .bind("indexed", query.indexed)
                .bind("keys", query.keys.stream().map(key -> key.number).toArray(Short[]::new))
                .bind("notSenders", texts(notSenders))
                .bind("ignored", texts(query.ignored))
                .bind("recent", query.recent)
                .bind("limit", query.limit)
                .bind("onwards", query.after != null)
                .bind("afterWeight", after.weight())
                .bind("afterTs", after.ts())
                .bind("afterPos", after.pos())
                .bind("afterShard", after.shard());
        spec = query.senders == null
                ? spec.bindNull("senders", String[].class)
                : spec.bind("senders", texts(query.senders));
        return filter.containsUrl() == null
                ? spec.bindNull("url", Boolean.class)
                : spec.bind("url", filter.containsUrl());
    }

    /** Texts without U+0000; a text with U+0000 equals no column. */
    private static String[] texts(Collection<String> texts) {
        return texts.stream().filter(text -> text.indexOf('\0') < 0).toArray(String[]::new);
    }

    /** Overrides force_generic_plan, since the best plan depends on the frequency of the words. */
    private Mono<Hits> hits(GenericExecuteSpec sql) {
        return db.sql("SET LOCAL plan_cache_mode = auto")
                .then()
                .then(sql.map(SearchRows::hitsRow).all().collectList().map(SearchRows::joined))
                .as(tx::transactional);
    }

    private static Hits hitsRow(Readable row) {
        String room = row.get("room_id", String.class);
        List<Hit> best = room == null
                ? List.of()
                : List.of(new Hit(
                        new RoomId(room),
                        RequiredColumn.of(row, "shard", Integer.class),
                        RequiredColumn.of(row, "pos", Long.class),
                        RequiredColumn.of(row, "ts", Long.class),
                        RequiredColumn.of(row, "rank", Double.class)));
        return new Hits(
                RequiredColumn.of(row, "total", Long.class), RequiredColumn.of(row, "weighed", Long.class), best);
    }

    private static Hits joined(List<Hits> rows) {
        return new Hits(
                rows.getFirst().total,
                rows.getFirst().weighed,
                rows.stream().flatMap(row -> row.best.stream()).toList());
    }

    /** A hit with its event; numbers count from 1. */
    record HitEvent(int number, Hit hit, StoredEvent event) {}

    /** The events of the hits in their order, up to the bytes of a page; events deleted meanwhile are absent. */
    Mono<BoundedRows<HitEvent>> events(Caller caller, List<Hit> hits) {
        var rows = db.sql(EVENTS)
                .bind("tenant", caller.tenant())
                .bind("shards", hits.stream().map(Hit::shard).toArray(Integer[]::new))
                .bind("positions", RoomColumns.longs(hits, Hit::pos));
        return EventRows.bounded(rows, row -> hitEvent(hits, row));
    }

    private static HitEvent hitEvent(List<Hit> hits, Readable row) {
        int number = RequiredColumn.of(row, "number", Long.class).intValue();
        return new HitEvent(number, hits.get(number - 1), EventRows.event(row));
    }
}
