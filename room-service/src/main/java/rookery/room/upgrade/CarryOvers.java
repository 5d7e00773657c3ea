package rookery.room.upgrade;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;

/** The queue of users whose tags, push rule and direct chats follow them into a room's successor. */
@Component
class CarryOvers {
    private static final String CLAIM = """
            UPDATE room.carry_over c SET due_ms = :until, attempts = c.attempts + 1
              FROM (SELECT tenant, user_id, room_id FROM room.carry_over
                     WHERE due_ms <= :now ORDER BY due_ms LIMIT :limit FOR UPDATE SKIP LOCKED) k
             WHERE c.tenant = k.tenant AND c.user_id = k.user_id AND c.room_id = k.room_id
            RETURNING c.tenant, c.user_id, c.room_id, c.predecessor, c.attempts
            """;

    private static final String POSTPONE = """
            UPDATE room.carry_over SET due_ms = :due
             WHERE tenant = :tenant AND user_id = :user AND room_id = :room AND attempts = :attempts
            """;

    private static final String DONE = """
            DELETE FROM room.carry_over WHERE tenant = :tenant AND user_id = :user AND room_id = :room
            """;

    private final DatabaseClient db;

    CarryOvers(DatabaseClient db) {
        this.db = db;
    }

    /** @param attempts the number of claims, including the current one */
    record CarryOver(TenantId tenant, UserId user, RoomId from, RoomId to, int attempts) {}

    /** Claims due rows: a claim is a lease until {@code untilMillis}. Concurrent claims skip locked rows. */
    Mono<List<CarryOver>> claim(long nowMillis, long untilMillis, int limit) {
        return db.sql(CLAIM)
                .bind("now", nowMillis)
                .bind("until", untilMillis)
                .bind("limit", limit)
                .map(CarryOvers::carryOver)
                .all()
                .collectList();
    }

    Mono<Void> postpone(CarryOver carryOver, long dueMillis) {
        return bound(POSTPONE, carryOver)
                .bind("attempts", carryOver.attempts)
                .bind("due", dueMillis)
                .then();
    }

    Mono<Void> done(CarryOver carryOver) {
        return bound(DONE, carryOver).then();
    }

    private DatabaseClient.GenericExecuteSpec bound(String sql, CarryOver carryOver) {
        return db.sql(sql)
                .bind("tenant", carryOver.tenant.value())
                .bind("user", carryOver.user.value())
                .bind("room", carryOver.to.value());
    }

    private static CarryOver carryOver(Readable row) {
        return new CarryOver(
                new TenantId(RequiredColumn.of(row, "tenant", Integer.class)),
                new UserId(RequiredColumn.of(row, "user_id", String.class)),
                new RoomId(RequiredColumn.of(row, "predecessor", String.class)),
                new RoomId(RequiredColumn.of(row, "room_id", String.class)),
                RequiredColumn.of(row, "attempts", Integer.class));
    }
}
