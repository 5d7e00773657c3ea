// SPDX-License-Identifier: Apache-2.0
package rookery.room.relation;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.room.table.BoundedRows;
import rookery.room.table.EventRows;
import rookery.room.table.StoredEvent;

/** Reads the events that relate to an event, ordered by position, in stretches. */
@Component
public class RelatedEvents {
    /** Levels of indirect relations that are followed. */
    public static final int DEPTH_MAX = 3;

    // the inner statement omits the room, implied by the parent: with a room the planner would scan in the room's order
    private static final String DIRECT = """
            SELECT l.pos, l.body
              FROM (SELECT e.pos, e.shard FROM room.unredacted_event e
                     WHERE e.tenant = :tenant AND e.parent = :parent AND REL_TYPE
                       AND (:type::text IS NULL OR e.type = :type)
                       AND (e.state_key IS NOT NULL OR e.sender <> ALL (:ignored::text[]))
                       AND e.pos > :after AND e.pos <= :upto
                     ORDER BY e.pos DIRECTION LIMIT :limit) c
              JOIN room.entry_body l ON l.shard = c.shard AND l.pos = c.pos
             ORDER BY l.pos DIRECTION
            """;
    // intermediate events may be of any type; only the results are filtered
    private static final String INDIRECT = """
            WITH RECURSIVE related (event_id, depth, pos, shard, type, rel_type, sender, state_key) AS (
                 SELECT :parent::text, 0, 0::bigint, 0, ''::text, ''::text, ''::text, NULL::text
                  UNION ALL
                 SELECT e.event_id, r.depth + 1, e.pos, e.shard, e.type, e.rel_type, e.sender, e.state_key
                   FROM related r JOIN room.unredacted_event e ON e.tenant = :tenant AND e.parent = r.event_id
                  WHERE r.depth < :depth AND e.pos <= :upto)
            SELECT l.pos, l.body
              FROM (SELECT e.pos, e.shard FROM related e
                     WHERE e.depth > 0 AND REL_TYPE
                       AND (:type::text IS NULL OR e.type = :type)
                       AND (e.state_key IS NOT NULL OR e.sender <> ALL (:ignored::text[]))
                       AND e.pos > :after AND e.pos <= :upto
                     ORDER BY e.pos DIRECTION LIMIT :limit) c
              JOIN room.entry_body l ON l.shard = c.shard AND l.pos = c.pos
             ORDER BY l.pos DIRECTION
            """;

    private final DatabaseClient db;

    RelatedEvents(DatabaseClient db) {
        this.db = db;
    }

    /** Conditions on related events; null matches every type. Message events of {@code ignored} users are left out. */
    public record RelationQuery(
            TenantId tenant,
            EventId parent,
            @Nullable String relType,
            @Nullable String type,
            boolean recurse,
            boolean backwards,
            Set<String> ignored) {}

    /** Events with {@code after < pos <= upto}; the newest first if backwards, otherwise the oldest first. */
    public Mono<BoundedRows<StoredEvent>> stretch(RelationQuery query, long after, long upto, int limit) {
        var sql = bound(db.sql(sql(query)), query)
                .bind("after", after)
                .bind("upto", upto)
                .bind("limit", limit);
        return EventRows.bounded(sql, EventRows::event);
    }

    private static String sql(RelationQuery query) {
        // separate statements, since the planner would choose one plan for both
        return BoundedRows.sql(query.recurse ? INDIRECT : DIRECT, "pos DIRECTION")
                .replace("REL_TYPE", query.relType == null ? "true" : "e.rel_type = :relType")
                .replace("DIRECTION", query.backwards ? "DESC" : "ASC");
    }

    private static GenericExecuteSpec bound(GenericExecuteSpec sql, RelationQuery query) {
        var bound = sql.bind("tenant", query.tenant)
                .bind("parent", query.parent)
                .bind("ignored", query.ignored.toArray(String[]::new));
        bound = query.type == null ? bound.bindNull("type", String.class) : bound.bind("type", query.type);
        bound = query.relType == null ? bound : bound.bind("relType", query.relType);
        return query.recurse ? bound.bind("depth", DEPTH_MAX) : bound;
    }
}
