package rookery.room.membership;

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

/** Which users are in one room now, or in one by invitation. */
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
     * A member counts from the invitation or the knock on. Each of the others is looked up until one room is found that is one's own
     * too; IS TRUE keeps the planner from turning that around and reading all members of one's own rooms.
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

    /** Each room of the user's own is looked up among those of the other, and they are counted before the page is cut. */
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

    /** As many as one statement looks up well within its time, also where each is in hundreds of rooms. */
    private static final int ASKED_AT_ONCE = 500;

    private final DatabaseClient db;

    SharedRooms(DatabaseClient db) {
        this.db = db;
    }

    Mono<Boolean> areShared(TenantId tenant, UserId user, UserId other) {
        return db.sql(SHARED)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("other", other.value())
                .mapValue(Boolean.class)
                .one();
    }

    /** A room in which both are, and how many such rooms there are. */
    record MutualRoom(RoomId room, long total) {}

    /** The rooms in which both are, in the order of their IDs, from behind that one on; an empty text is before all. */
    Mono<List<MutualRoom>> mutual(TenantId tenant, UserId user, UserId other, String after, int limit) {
        return db.sql(MUTUAL)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("other", other.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new MutualRoom(
                        new RoomId(RequiredColumn.of(row, "room_id", String.class)),
                        RequiredColumn.of(row, "total", Long.class)))
                .all()
                .collectList();
    }

    /** Those of the others who are, or are asked to be, in a room in which the user is, or is asked to be. */
    Mono<List<UserId>> acquainted(TenantId tenant, UserId user, List<UserId> others) {
        return Flux.fromIterable(Portions.of(others, ASKED_AT_ONCE))
                .concatMap(some -> acquaintedOf(tenant, user, some))
                .collect(ArrayList::new, List::addAll);
    }

    private Mono<List<UserId>> acquaintedOf(TenantId tenant, UserId user, List<UserId> others) {
        return db.sql(ACQUAINTED)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("others", others.stream().map(UserId::value).toArray(String[]::new))
                .map(row -> new UserId(RequiredColumn.of(row, "user_id", String.class)))
                .all()
                .collectList();
    }
}
