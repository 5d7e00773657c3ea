// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import static rookery.room.table.RoomColumns.texts;

import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.platform.http.AnswerBudget;
import rookery.platform.sql.RequiredColumn;

/** Reads the rooms of spaces, for the filter of the lists of sliding sync (contract.md 10.9). */
@Component
class SpaceChildren {
    /** Limit of child events read for a space, as in the space hierarchy; beyond the limit the choice is arbitrary. */
    static final int CHILDREN_MAX = 1_000;

    // bodies stay in the database: a space may have 8 MB of them. json's operators refuse the escapes of U+0000 and of
    // half surrogate pairs anywhere in a text, so escapes of other characters take their places
    static final String READ = """
            SELECT k.room_id, s.state_key AS child
              FROM unnest(:rooms::text[]) AS k (room_id)
             CROSS JOIN (SELECT chr(92) || 'u' AS u) e
              JOIN room.room r ON r.tenant = :tenant AND r.room_id = k.room_id
             CROSS JOIN LATERAL (SELECT c.state_key, c.pos FROM room.current_state c
                                  WHERE c.tenant = :tenant AND c.room_id = k.room_id AND c.type = 'm.space.child'
                                  LIMIT :limit) s
              JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.pos
             CROSS JOIN LATERAL (SELECT replace(replace(replace(split_part(l.body, chr(10), 2),
                                                                e.u || '0000', e.u || '1000'),
                                                        e.u || 'd', e.u || '1'),
                                                e.u || 'D', e.u || '1')::json -> 'content' -> 'via' AS via OFFSET 0) v
             WHERE 'join' = (SELECT m.membership FROM room.member_history m
                              WHERE m.tenant = :tenant AND m.room_id = k.room_id AND m.user_id = :user
                              ORDER BY m.valid_from DESC LIMIT 1)
               AND CASE json_typeof(v.via) WHEN 'array' THEN json_array_length(v.via) > 0 END
            """;

    private final DatabaseClient db;

    SpaceChildren(DatabaseClient db) {
        this.db = db;
    }

    private record Child(RoomId space, String key) {}

    /** The children of the spaces that the user is joined to, by space. A child without servers has been removed. */
    Mono<Map<RoomId, Set<String>>> read(TenantUser user, Collection<RoomId> spaces) {
        return db.sql(READ)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("rooms", texts(spaces, RoomId::value))
                .bind("limit", CHILDREN_MAX)
                .map(SpaceChildren::child)
                .all()
                .collectList()
                .delayUntil(SpaceChildren::reserved)
                .map(SpaceChildren::bySpace);
    }

    private static Child child(Readable row) {
        return new Child(
                RequiredColumn.of(row, "room_id", RoomId.class), RequiredColumn.of(row, "child", String.class));
    }

    private static Mono<Void> reserved(List<Child> children) {
        return AnswerBudget.reserve(
                2 * children.stream().mapToLong(child -> child.key.length()).sum());
    }

    private static Map<RoomId, Set<String>> bySpace(List<Child> children) {
        var bySpace = new HashMap<RoomId, Set<String>>();
        children.forEach(child ->
                bySpace.computeIfAbsent(child.space, _ -> new HashSet<>()).add(child.key));
        return bySpace;
    }
}
