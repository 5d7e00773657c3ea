package rookery.room.membership;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Whether two users are in one room now. */
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
}
