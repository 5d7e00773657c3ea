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
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.StoredEvent;

/** Reads the rooms of spaces, for the filter of the lists of sliding sync (contract.md 10.9). */
@Component
class SpaceChildren {
    private static final String READ = """
            SELECT k.room_id, s.valid_from AS pos, l.body
              FROM unnest(:rooms::text[]) AS k (room_id)
              JOIN room.room r ON r.tenant = :tenant AND r.room_id = k.room_id
             CROSS JOIN LATERAL (SELECT v.valid_from FROM room.state v
                                  WHERE v.tenant = :tenant AND v.room_id = k.room_id AND v.type = 'm.space.child'
                                    AND v.valid_to = 9223372036854775807 OFFSET 0) s
              JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.valid_from
             WHERE 'join' = (SELECT m.membership FROM room.member_history m
                              WHERE m.tenant = :tenant AND m.room_id = k.room_id AND m.user_id = :user
                              ORDER BY m.valid_from DESC LIMIT 1)
            """;

    private final DatabaseClient db;

    SpaceChildren(DatabaseClient db) {
        this.db = db;
    }

    private record Child(RoomId space, StoredEvent event) {
        /** A child without servers has been removed from the space. */
        boolean isPresent() {
            return !event.content().path("via").isEmpty();
        }
    }

    /** The children of the spaces that the user is joined to, by space. */
    Mono<Map<RoomId, Set<String>>> read(TenantUser user, Collection<RoomId> spaces) {
        return db.sql(READ)
                .bind("tenant", user.tenant())
                .bind("user", user.user())
                .bind("rooms", texts(spaces, RoomId::value))
                .map(SpaceChildren::child)
                .all()
                .collectList()
                .map(SpaceChildren::bySpace);
    }

    private static Child child(Readable row) {
        var event =
                StoredEvent.of(RequiredColumn.of(row, "pos", Long.class), RequiredColumn.of(row, "body", String.class));
        return new Child(RequiredColumn.of(row, "room_id", RoomId.class), event);
    }

    private static Map<RoomId, Set<String>> bySpace(List<Child> children) {
        var bySpace = new HashMap<RoomId, Set<String>>();
        children.stream()
                .filter(Child::isPresent)
                .forEach(child -> bySpace.computeIfAbsent(child.space, _ -> new HashSet<>())
                        .add(String.valueOf(child.event.event().meta().stateKey())));
        return bySpace;
    }
}
