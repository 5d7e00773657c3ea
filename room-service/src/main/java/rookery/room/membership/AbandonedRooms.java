// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;

/** Rooms without members that all former members have forgotten, and which no user can read any more (contract.md 14). */
@Component
class AbandonedRooms {
    // deactivated users cannot forget rooms, so they do not count
    private static final String FIND = """
            SELECT r.room_id
              FROM room.room r
             WHERE r.tenant = :tenant AND r.room_id > :after AND r.joined = 0 AND r.invited = 0
               AND NOT EXISTS (SELECT 1 FROM room.current_member k
                                WHERE k.tenant = r.tenant AND k.room_id = r.room_id AND k.membership = 'knock')
               AND NOT EXISTS (SELECT 1 FROM room.member_history m
                                WHERE m.tenant = r.tenant AND m.room_id = r.room_id AND m.membership = 'join'
                                  AND NOT EXISTS (SELECT 1 FROM room.forgotten f
                                                   WHERE f.tenant = m.tenant AND f.user_id = m.user_id
                                                     AND f.room_id = m.room_id)
                                  AND NOT EXISTS (SELECT 1 FROM room.departed d
                                                   WHERE d.tenant = m.tenant AND d.user_id = m.user_id))
             ORDER BY r.room_id
             LIMIT :limit
            """;

    private final DatabaseClient db;

    AbandonedRooms(DatabaseClient db) {
        this.db = db;
    }

    /** Rooms of the tenant with ids after the given one, ordered by id. */
    Mono<List<String>> find(TenantId tenant, String after, int limit) {
        return db.sql(FIND)
                .bind("tenant", tenant)
                .bind("after", after)
                .bind("limit", limit)
                .mapValue(String.class)
                .all()
                .collectList();
    }
}
