// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import static rookery.room.table.RoomColumns.texts;

import java.util.ArrayList;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;

@Component
class SharedRooms {
    private static final String SHARED = """
            SELECT EXISTS (
                SELECT 1
                  FROM room.room_of_user mine
                  JOIN room.current_member other
                    ON other.tenant = mine.tenant AND other.room_id = mine.room_id AND other.user_id = :other
                   AND other.membership = 'join'
                 WHERE mine.tenant = :tenant AND mine.user_id = :user AND mine.membership = 'join') AS shared
            """;

    /**
     * Memberships by invitation or knock count as well. Looks up the rooms of each other user until a room of the user
     * is found; IS TRUE keeps the planner from reading all members of the user's rooms instead.
     */
    private static final String ACQUAINTED = """
            WITH mine AS MATERIALIZED (
                 SELECT room_id FROM room.room_of_user
                  WHERE tenant = :tenant AND user_id = :user AND membership IN ('join', 'invite', 'knock'))
            SELECT asked.user_id
              FROM unnest(:others::text[]) AS asked (user_id)
             CROSS JOIN LATERAL (SELECT 1 FROM room.current_member theirs
                                  WHERE theirs.tenant = :tenant AND theirs.user_id = asked.user_id
                                    AND theirs.membership IN ('join', 'invite', 'knock')
                                    AND (theirs.room_id IN (SELECT room_id FROM mine)) IS TRUE
                                  LIMIT 1) AS shared
            """;

    /** Looks each room of the user up in the other user's rooms, and counts before the page is cut. */
    private static final String MUTUAL = """
            SELECT shared.room_id, shared.total
              FROM (SELECT mine.room_id, count(*) OVER () AS total
                      FROM room.room_of_user mine
                      JOIN room.current_member other
                        ON other.tenant = mine.tenant AND other.room_id = mine.room_id AND other.user_id = :other
                       AND other.membership = 'join'
                     WHERE mine.tenant = :tenant AND mine.user_id = :user AND mine.membership = 'join') shared
             WHERE shared.room_id > :after
             ORDER BY shared.room_id LIMIT :limit
            """;

    /** Users in one statement: few enough for its timeout, also for users in hundreds of rooms. */
    private static final int ASKED_AT_ONCE = 500;

    private final DatabaseClient db;

    SharedRooms(DatabaseClient db) {
        this.db = db;
    }

    Mono<Boolean> areShared(TenantId tenant, UserId user, UserId other) {
        return db.sql(SHARED)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("other", other)
                .mapValue(Boolean.class)
                .one();
    }

    record MutualRoom(RoomId room, long total) {}

    /** The shared rooms after the given id, ordered by id; an empty id is before all others. */
    Mono<List<MutualRoom>> mutual(TenantId tenant, UserId user, UserId other, String after, int limit) {
        return db.sql(MUTUAL)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("other", other)
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new MutualRoom(
                        RequiredColumn.of(row, "room_id", RoomId.class), RequiredColumn.of(row, "total", Long.class)))
                .all()
                .collectList();
    }

    /** The others who are joined to, invited to or knocking at a room to which the user has such a membership, too. */
    Mono<List<UserId>> acquainted(TenantId tenant, UserId user, List<UserId> others) {
        return Flux.fromIterable(Portions.of(others, ASKED_AT_ONCE))
                .concatMap(some -> acquaintedOf(tenant, user, some))
                .collect(ArrayList::new, List::addAll);
    }

    private Mono<List<UserId>> acquaintedOf(TenantId tenant, UserId user, List<UserId> others) {
        return db.sql(ACQUAINTED)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("others", texts(others, UserId::value))
                .map(row -> RequiredColumn.of(row, "user_id", UserId.class))
                .all()
                .collectList();
    }
}
