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
                  FROM room.state mine
                  JOIN room.room r ON r.tenant = mine.tenant AND r.room_id = mine.room_id
                  JOIN room.state other
                    ON other.tenant = mine.tenant AND other.room_id = mine.room_id AND other.type = 'm.room.member'
                   AND other.state_key = :other AND other.valid_to = 9223372036854775807 AND other.membership = 'join'
                 WHERE mine.tenant = :tenant AND mine.type = 'm.room.member' AND mine.state_key = :user
                   AND mine.valid_to = 9223372036854775807 AND mine.membership = 'join') AS shared
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
