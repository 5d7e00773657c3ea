package rookery.room.relation;

import io.r2dbc.spi.Readable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.topic.EventMeta;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.Relation;
import rookery.room.table.StoredEvent;

/**
 * What is bundled, for all events of some pages in one statement; a long thread costs no more than a short one. What relates to an event is in
 * its room, so the event names the room, too.
 */
@Component
class RelationRows {
    private static final int REFERENCES_MAX = 100;
    private static final String EDITS = """
            SELECT k.page, k.event_id AS parent, c.pos, l.body
              FROM unnest(:pages::int[], :shards::int[], :uptos::bigint[], :events::text[], :senders::text[],
                          :types::text[]) AS k (page, shard, upto, event_id, sender, type)
             CROSS JOIN LATERAL (SELECT e.pos FROM room.unredacted_event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id
                                    AND e.rel_type = 'm.replace' AND e.state_key IS NULL
                                    AND e.sender = k.sender AND e.type = k.type AND e.pos <= k.upto
                                  ORDER BY e.ts DESC, e.event_id COLLATE "C" DESC LIMIT :candidates) c
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = c.pos
            """;
    // a member's count is kept; whoever left is told of what there was by then, and that is counted
    private static final String THREADS = """
            SELECT k.page, k.event_id AS parent, c.pos, l.body,
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
              FROM unnest(:pages::int[], :shards::int[], :uptos::bigint[], :events::text[], :rooms::text[],
                          :wholes::boolean[]) AS k (page, shard, upto, event_id, room_id, whole)
              JOIN room.thread t ON t.tenant = :tenant AND t.room_id = k.room_id AND t.root = k.event_id
             CROSS JOIN LATERAL (SELECT e.pos FROM room.unredacted_event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id AND e.rel_type = 'm.thread'
                                    AND e.pos <= k.upto AND e.sender <> ALL (:ignored::text[])
                                  ORDER BY e.pos DESC LIMIT :candidates) c
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = c.pos
            """;
    private static final String REFERENCES = """
            SELECT k.page, k.event_id AS parent, c.pos, l.body
              FROM unnest(:pages::int[], :shards::int[], :uptos::bigint[], :events::text[])
                   AS k (page, shard, upto, event_id)
             CROSS JOIN LATERAL (SELECT e.pos FROM room.unredacted_event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id
                                    AND e.rel_type = 'm.reference' AND e.pos <= k.upto
                                    AND (e.state_key IS NOT NULL OR e.sender <> ALL (:ignored::text[]))
                                  ORDER BY e.pos DESC LIMIT :candidates) c
              JOIN room.entry_body l ON l.shard = k.shard AND l.pos = c.pos
             ORDER BY c.pos
            """;
    private static final String CHILDREN = """
            SELECT 'm.thread' AS rel_type, page, parent, pos, body, replies, mine FROM (THREADS) thread
             UNION ALL
            SELECT 'm.reference', page, parent, pos, body, 0, false FROM (REFERENCES) reference
             ORDER BY pos
            """;
    private static final String CHILDREN_SQL = CHILDREN.replace("THREADS", THREADS)
            .replace("REFERENCES", REFERENCES.replace(":candidates", ":references"));

    private final DatabaseClient db;

    RelationRows(DatabaseClient db) {
        this.db = db;
    }

    /** An edit that an event of a page has. */
    record Edit(int page, EventId parent, StoredEvent event) {}

    /**
     * A reply or a reference that an event of a page has.
     *
     * @param replies of a thread: how many there are
     * @param mine of a thread: whether the reader is one of those who replied
     */
    record Child(String relType, int page, EventId parent, StoredEvent event, long replies, boolean mine) {
        boolean isReply() {
            return relType.equals(Relation.THREAD);
        }
    }

    /** An event whose relations are asked for. */
    private record ParentEvent(int page, Audience audience, EventMeta meta) {
        static List<ParentEvent> of(List<Page> pages) {
            var asked = new ArrayList<ParentEvent>();
            for (int i = 0; i < pages.size(); i++) {
                for (var event : pages.get(i).events()) {
                    asked.add(new ParentEvent(
                            i, pages.get(i).audience(), event.event().meta()));
                }
            }
            return asked;
        }
    }

    /**
     * Edits by the events' own senders, at most so many of each event: the newest ones by their time, then by their id.
     *
     * @param pages of one reader; none of the events is state, and none redacted
     */
    Mono<List<Edit>> edits(List<Page> pages, int candidates) {
        var asked = ParentEvent.of(pages);
        return asked.isEmpty()
                ? Mono.just(List.of())
                : bound(EDITS, asked)
                        .bind("candidates", candidates)
                        .bind("senders", texts(asked, each -> each.meta.sender().value()))
                        .bind("types", texts(asked, each -> each.meta.type()))
                        .map(row -> new Edit(page(row), parent(row), event(row)))
                        .all()
                        .collectList();
    }

    /**
     * The newest replies, at most so many of each thread, and references, the oldest of them first.
     *
     * @param pages of one reader
     */
    Mono<List<Child>> children(List<Page> pages, int candidates) {
        var asked = ParentEvent.of(pages);
        if (asked.isEmpty()) {
            return Mono.just(List.of());
        }
        var reader = asked.getFirst().audience;
        return bound(CHILDREN_SQL, asked)
                .bind("rooms", texts(asked, each -> each.audience.room().room().value()))
                .bind(
                        "wholes",
                        asked.stream().map(each -> isThere(each.audience)).toArray(Boolean[]::new))
                .bind("candidates", candidates)
                .bind("references", REFERENCES_MAX)
                .bind("user", reader.user().value())
                .bind("ignored", reader.ignored().toArray(String[]::new))
                .map(RelationRows::child)
                .all()
                .collectList();
    }

    private static boolean isThere(Audience audience) {
        return audience.history().now() == Membership.JOIN;
    }

    private GenericExecuteSpec bound(String sql, List<ParentEvent> asked) {
        return db.sql(sql)
                .bind("tenant", asked.getFirst().audience.room().tenant().value())
                .bind("pages", asked.stream().map(ParentEvent::page).toArray(Integer[]::new))
                .bind(
                        "shards",
                        asked.stream().map(each -> each.audience.shard()).toArray(Integer[]::new))
                .bind("uptos", asked.stream().map(each -> each.audience.upto()).toArray(Long[]::new))
                .bind("events", texts(asked, each -> each.meta.eventId().value()));
    }

    private static String[] texts(List<ParentEvent> asked, Function<ParentEvent, String> text) {
        return asked.stream().map(text).toArray(String[]::new);
    }

    private static Child child(Readable row) {
        return new Child(
                RequiredColumn.of(row, "rel_type", String.class),
                page(row),
                parent(row),
                event(row),
                RequiredColumn.of(row, "replies", Long.class),
                RequiredColumn.of(row, "mine", Boolean.class));
    }

    private static int page(Readable row) {
        return RequiredColumn.of(row, "page", Integer.class);
    }

    private static EventId parent(Readable row) {
        return new EventId(RequiredColumn.of(row, "parent", String.class));
    }

    private static StoredEvent event(Readable row) {
        return StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
    }
}
