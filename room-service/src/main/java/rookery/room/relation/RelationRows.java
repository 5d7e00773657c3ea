// SPDX-License-Identifier: Apache-2.0
package rookery.room.relation;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.topic.EventMeta;
import rookery.platform.http.PageBytes;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.Relation;
import rookery.room.table.RoomColumns;
import rookery.room.table.StoredEvent;

/**
 * Reads relations of all events of several pages in one statement; a long thread costs no more than a short one. A relation is
 * always in the room of its parent, so the parent's id implies the room.
 */
@Component
class RelationRows {
    private static final int REFERENCES_MAX = 100;
    private static final String EDITS = """
            SELECT k.page, k.number, k.event_id AS parent, c.pos, l.body AS text
              FROM unnest(:pages::int[], :numbers::int[], :shards::int[], :uptos::bigint[], :events::text[], :senders::text[],
                          :types::text[]) AS k (page, number, shard, upto, event_id, sender, type)
             CROSS JOIN LATERAL (SELECT e.pos FROM room.unredacted_event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id
                                    AND e.rel_type = 'm.replace' AND e.state_key IS NULL AND NOT e.invalid_edit
                                    AND e.sender = k.sender AND e.type = k.type AND e.pos <= k.upto
                                  ORDER BY e.ts DESC, e.event_id COLLATE "C" DESC LIMIT :candidates) c
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = c.pos
            """;
    // members get the stored count; for a reader who has left, the replies up to the leave are counted
    private static final String THREADS = """
            SELECT k.page, k.number, k.event_id AS parent, c.pos, l.body AS text,
                   CASE WHEN k.whole
                        THEN (SELECT sum(s.replies) FROM room.thread_sender s
                               WHERE s.tenant = t.tenant AND s.room_id = t.room_id AND s.root = t.root
                                 AND s.sender <> ALL (:ignored::text[]))
                        ELSE (SELECT count(*) FROM room.unredacted_event e
                               WHERE e.tenant = :tenant AND e.parent = k.event_id AND e.rel_type = 'm.thread'
                                 AND e.pos <= k.upto AND e.sender <> ALL (:ignored::text[]))
                        END AS replies,
                   EXISTS (SELECT 1 FROM room.thread_sender s
                            WHERE s.tenant = t.tenant AND s.room_id = t.room_id AND s.root = t.root
                              AND s.sender = :user) AS mine
              FROM unnest(:pages::int[], :numbers::int[], :shards::int[], :uptos::bigint[], :events::text[], :rooms::text[],
                          :wholes::boolean[]) AS k (page, number, shard, upto, event_id, room_id, whole)
              JOIN room.thread t ON t.tenant = :tenant AND t.room_id = k.room_id AND t.root = k.event_id
             CROSS JOIN LATERAL (SELECT e.pos FROM room.unredacted_event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id AND e.rel_type = 'm.thread'
                                    AND e.pos <= k.upto AND e.sender <> ALL (:ignored::text[])
                                  ORDER BY e.pos DESC LIMIT :candidates) c
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = c.pos
            """;
    // only the id of a reference is shown, so the content is not read
    private static final String REFERENCES = """
            SELECT k.page, k.number, k.event_id AS parent, c.pos,
                   FACTS AS text
              FROM unnest(:pages::int[], :numbers::int[], :shards::int[], :uptos::bigint[], :events::text[])
                   AS k (page, number, shard, upto, event_id)
             CROSS JOIN LATERAL (SELECT e.pos FROM room.unredacted_event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id
                                    AND e.rel_type = 'm.reference' AND e.pos <= k.upto
                                    AND (e.state_key IS NOT NULL OR e.sender <> ALL (:ignored::text[]))
                                  ORDER BY e.pos DESC LIMIT :candidates) c
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = c.pos
            """.replace("FACTS", StoredEvent.FACTS_SQL);
    private static final String CHILDREN = """
            SELECT 'm.thread' AS rel_type, page, number, parent, pos, text, replies, mine FROM (THREADS) thread
             UNION ALL
            SELECT 'm.reference', page, number, parent, pos, text, 0, false FROM (REFERENCES) reference
            """;
    // the relations of an event are read completely or not at all; a page gets as many as fit into its bytes
    private static final String BOUNDED = """
            SELECT COLUMNS, CASE WHEN b.upto - b.own < MAX THEN b.text END AS body
              FROM (SELECT f.*, sum(octet_length(f.text)) OVER (PARTITION BY f.page ORDER BY f.number) AS upto,
                           sum(octet_length(f.text)) OVER (PARTITION BY f.page, f.number) AS own
                      FROM (FOUND) f) b
             ORDER BY b.pos
            """.replace("MAX", String.valueOf(PageBytes.PAGE_MAX));
    private static final String CHILDREN_SQL = BOUNDED.replace(
                    "COLUMNS", "rel_type, page, number, parent, pos, replies, mine")
            .replace("FOUND", CHILDREN)
            .replace("THREADS", THREADS)
            .replace("REFERENCES", REFERENCES.replace(":candidates", ":references"));
    private static final String EDITS_SQL =
            BOUNDED.replace("COLUMNS", "page, number, parent, pos").replace("FOUND", EDITS);

    private final DatabaseClient db;

    RelationRows(DatabaseClient db) {
        this.db = db;
    }

    /** An edit of an event of a page. */
    record Edit(int page, EventId parent, StoredEvent event) {}

    /**
     * A reply or a reference to an event of a page.
     *
     * @param event of a reference, without the content
     * @param replies number of replies in the thread
     * @param mine whether the reader replied in the thread
     */
    record Child(String relType, int page, int number, EventId parent, StoredEvent event, long replies, boolean mine) {
        boolean isReply() {
            return relType.equals(Relation.THREAD);
        }
    }

    /**
     * An event whose relations are read.
     *
     * @param number index of the event in its page; of a reply in a thread, the index of the root
     */
    record ParentEvent(int page, int number, Audience audience, EventMeta meta) {}

    /** Relations of the first events of pages, and the events left out because their relations exceed the bytes of a page. */
    record RelationPortion<T>(List<T> rows, List<Unread> unread) {
        static <T> RelationPortion<T> none() {
            return new RelationPortion<>(List.of(), List.of());
        }
    }

    /** An event of a page whose relations were not read. */
    record Unread(int page, int number) {}

    /**
     * Valid edits by the events' own senders, at most {@code candidates} for each event: the newest by timestamp, then by event
     * id. The parents are for one reader; none is state, redacted or an edit.
     */
    Mono<RelationPortion<Edit>> edits(List<ParentEvent> parents, int candidates) {
        if (parents.isEmpty()) {
            return Mono.just(RelationPortion.none());
        }
        var sql = bound(EDITS_SQL, parents)
                .bind("candidates", candidates)
                .bind(
                        "senders",
                        RoomColumns.texts(parents, each -> each.meta.sender().value()))
                .bind("types", RoomColumns.texts(parents, each -> each.meta.type()));
        return portion(sql, (row, event) -> new Edit(page(row), parent(row), event));
    }

    /**
     * The newest replies, at most {@code candidates} for each thread, and references, oldest first. The parents are
     * for one reader.
     */
    Mono<RelationPortion<Child>> children(List<ParentEvent> parents, int candidates) {
        if (parents.isEmpty()) {
            return Mono.just(RelationPortion.none());
        }
        var reader = parents.getFirst().audience;
        var sql = bound(CHILDREN_SQL, parents)
                .bind(
                        "rooms",
                        RoomColumns.texts(
                                parents, each -> each.audience.room().room().value()))
                .bind(
                        "wholes",
                        parents.stream().map(each -> isThere(each.audience)).toArray(Boolean[]::new))
                .bind("candidates", candidates)
                .bind("references", REFERENCES_MAX)
                .bind("user", reader.user())
                .bind("ignored", reader.ignored().toArray(String[]::new));
        return portion(sql, RelationRows::child);
    }

    private static boolean isThere(Audience audience) {
        return audience.history().now() == Membership.JOIN;
    }

    private GenericExecuteSpec bound(String sql, List<ParentEvent> parents) {
        return db.sql(sql)
                .bind("tenant", parents.getFirst().audience.room().tenant())
                .bind("pages", parents.stream().map(ParentEvent::page).toArray(Integer[]::new))
                .bind("numbers", parents.stream().map(ParentEvent::number).toArray(Integer[]::new))
                .bind(
                        "shards",
                        parents.stream().map(each -> each.audience.shard()).toArray(Integer[]::new))
                .bind("uptos", RoomColumns.longs(parents, each -> each.audience.upto()))
                .bind(
                        "events",
                        RoomColumns.texts(parents, each -> each.meta.eventId().value()));
    }

    /** A row, or null for an event whose relations were left out. */
    private record Line<T>(@Nullable T row, Unread place) {}

    private static <T> Mono<RelationPortion<T>> portion(
            GenericExecuteSpec sql, BiFunction<Readable, StoredEvent, T> read) {
        return sql.map(row -> line(row, read)).all().collectList().map(RelationRows::portion);
    }

    private static <T> Line<T> line(Readable row, BiFunction<Readable, StoredEvent, T> read) {
        String body = row.get("body", String.class);
        var place = new Unread(page(row), number(row));
        return new Line<>(
                body == null ? null : read.apply(row, StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), body)),
                place);
    }

    private static <T> RelationPortion<T> portion(List<Line<T>> lines) {
        var rows = new ArrayList<T>();
        var unread = new ArrayList<Unread>();
        for (var line : lines) {
            if (line.row == null) {
                unread.add(line.place);
            } else {
                rows.add(line.row);
            }
        }
        return new RelationPortion<>(rows, unread);
    }

    private static Child child(Readable row, StoredEvent event) {
        return new Child(
                RequiredColumn.of(row, "rel_type", String.class),
                page(row),
                number(row),
                parent(row),
                event,
                RequiredColumn.of(row, "replies", Long.class),
                RequiredColumn.of(row, "mine", Boolean.class));
    }

    private static int page(Readable row) {
        return RequiredColumn.of(row, "page", Integer.class);
    }

    private static int number(Readable row) {
        return RequiredColumn.of(row, "number", Integer.class);
    }

    private static EventId parent(Readable row) {
        return RequiredColumn.of(row, "parent", EventId.class);
    }
}
