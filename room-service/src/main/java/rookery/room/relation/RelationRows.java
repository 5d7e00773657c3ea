package rookery.room.relation;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.authorization.MemberHistory;
import rookery.room.roomlog.Relation;
import rookery.room.roomlog.StoredEvent;

/**
 * What is bundled, for all events of a page in one statement; a long thread costs no more than a short one. What relates to an event is in
 * its room, so the event names the room, too.
 */
@Component
class RelationRows {
    private static final int REFERENCES_MAX = 100;
    private static final String EDITS = """
            SELECT k.event_id AS parent, c.pos, l.body
              FROM unnest(:events::text[], :senders::text[], :types::text[]) AS k (event_id, sender, type)
             CROSS JOIN LATERAL (SELECT e.pos FROM room.event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id
                                    AND e.rel_type = 'm.replace' AND e.redacted IS NULL AND e.state_key IS NULL
                                    AND e.sender = k.sender AND e.type = k.type AND e.pos <= :upto
                                  ORDER BY e.ts DESC, e.event_id COLLATE "C" DESC LIMIT :candidates) c
              JOIN room.log_entry l ON l.shard = :shard AND l.pos = c.pos
            """;
    // a member's count is kept; whoever left is told of what there was by then, and that is counted
    private static final String THREADS = """
            SELECT k.event_id AS parent, c.pos, l.body,
                   CASE WHEN :whole
                        THEN (SELECT sum(s.replies) FROM room.thread_sender s
                               WHERE s.tenant = t.tenant AND s.room_id = t.room_id AND s.root = t.root
                                 AND s.sender <> ALL (:ignored::text[]))
                        ELSE (SELECT count(*) FROM room.event e
                               WHERE e.tenant = :tenant AND e.parent = k.event_id AND e.rel_type = 'm.thread'
                                 AND e.redacted IS NULL AND e.pos <= :upto AND e.sender <> ALL (:ignored::text[]))
                        END AS replies,
                   EXISTS (SELECT 1 FROM room.thread_sender s
                            WHERE s.tenant = t.tenant AND s.room_id = t.room_id AND s.root = t.root
                              AND s.sender = :user) AS mine
              FROM unnest(:events::text[]) AS k (event_id)
              JOIN room.thread t ON t.tenant = :tenant AND t.room_id = :room AND t.root = k.event_id
             CROSS JOIN LATERAL (SELECT e.pos FROM room.event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id AND e.rel_type = 'm.thread'
                                    AND e.redacted IS NULL AND e.pos <= :upto AND e.sender <> ALL (:ignored::text[])
                                  ORDER BY e.pos DESC LIMIT :candidates) c
              JOIN room.log_entry l ON l.shard = :shard AND l.pos = c.pos
            """;
    private static final String REFERENCES = """
            SELECT k.event_id AS parent, c.pos, l.body
              FROM unnest(:events::text[]) AS k (event_id)
             CROSS JOIN LATERAL (SELECT e.pos FROM room.event e
                                  WHERE e.tenant = :tenant AND e.parent = k.event_id
                                    AND e.rel_type = 'm.reference' AND e.redacted IS NULL AND e.pos <= :upto
                                    AND (e.state_key IS NOT NULL OR e.sender <> ALL (:ignored::text[]))
                                  ORDER BY e.pos DESC LIMIT :candidates) c
              JOIN room.log_entry l ON l.shard = :shard AND l.pos = c.pos
             ORDER BY c.pos
            """;
    private static final String CHILDREN = """
            SELECT 'm.thread' AS rel_type, parent, pos, body, replies, mine FROM (THREADS) thread
             UNION ALL
            SELECT 'm.reference', parent, pos, body, 0, false FROM (REFERENCES) reference
             ORDER BY pos
            """;
    private static final String CHILDREN_SQL = CHILDREN.replace("THREADS", THREADS)
            .replace("REFERENCES", REFERENCES.replace(":candidates", ":references"));

    private final DatabaseClient db;

    RelationRows(DatabaseClient db) {
        this.db = db;
    }

    /** An edit that an event has. */
    record Edit(EventId parent, StoredEvent event) {}

    /**
     * A reply or a reference that an event has.
     *
     * @param replies of a thread: how many there are
     * @param mine of a thread: whether the reader is one of those who replied
     */
    record Child(String relType, EventId parent, StoredEvent event, long replies, boolean mine) {
        boolean isReply() {
            return relType.equals(Relation.THREAD);
        }
    }

    /**
     * Edits by the events' own senders, at most so many of each event: the newest ones by their time, then by their id.
     *
     * @param events none of them state, and none redacted
     */
    Mono<List<Edit>> edits(Audience audience, Collection<StoredEvent> events, int candidates) {
        if (events.isEmpty()) {
            return Mono.just(List.of());
        }
        return bound(EDITS, audience, events)
                .bind("candidates", candidates)
                .bind(
                        "senders",
                        events.stream()
                                .map(event -> event.event().meta().sender().value())
                                .toArray(String[]::new))
                .bind(
                        "types",
                        events.stream()
                                .map(event -> event.event().meta().type())
                                .toArray(String[]::new))
                .map(row -> new Edit(parent(row), event(row)))
                .all()
                .collectList();
    }

    /** The newest replies, at most so many of each thread, and references, the oldest of them first. */
    Mono<List<Child>> children(Audience audience, Collection<StoredEvent> events, int candidates) {
        if (events.isEmpty()) {
            return Mono.just(List.of());
        }
        return bound(CHILDREN_SQL, audience, events)
                .bind("room", audience.room().room().value())
                .bind("candidates", candidates)
                .bind("references", REFERENCES_MAX)
                .bind("user", audience.user().value())
                .bind("whole", isThere(audience.history()))
                .bind("ignored", audience.ignored().toArray(String[]::new))
                .map(row -> new Child(
                        RequiredColumn.of(row, "rel_type", String.class),
                        parent(row),
                        event(row),
                        RequiredColumn.of(row, "replies", Long.class),
                        RequiredColumn.of(row, "mine", Boolean.class)))
                .all()
                .collectList();
    }

    private static boolean isThere(MemberHistory history) {
        return history.now() == Membership.JOIN;
    }

    private GenericExecuteSpec bound(String sql, Audience audience, Collection<StoredEvent> events) {
        return db.sql(sql)
                .bind("tenant", audience.room().tenant().value())
                .bind("shard", audience.shard())
                .bind("upto", audience.upto())
                .bind(
                        "events",
                        events.stream()
                                .map(event -> event.event().meta().eventId().value())
                                .toArray(String[]::new));
    }

    private static EventId parent(Readable row) {
        return new EventId(RequiredColumn.of(row, "parent", String.class));
    }

    private static StoredEvent event(Readable row) {
        return StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
    }
}
