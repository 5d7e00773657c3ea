package rookery.room.spreading;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The rooms that a user has to do with, for whoever must miss none of them. */
@Component
class Memberships {
    // waits for the append that holds the shard, and holds nothing itself afterwards
    private static final String PASS = """
            SELECT pos FROM room.shard WHERE shard = :shard FOR SHARE
            """;

    private static final String ROOMS = """
            SELECT m.room_id
              FROM room.room_of_user m
             WHERE m.tenant = :tenant AND m.user_id = :user AND m.membership = ANY (:memberships::text[])
               AND m.room_id > :after
             ORDER BY m.room_id LIMIT :limit
            """;

    private final DatabaseClient db;

    Memberships(DatabaseClient db) {
        this.db = db;
    }

    /**
     * Waits until every append that is under way has ended. What was committed before this was asked is seen by all appends that
     * end after it, so whatever those that did not see it have changed is there to be read.
     */
    Mono<Void> settled() {
        return Flux.range(0, Shards.COUNT).concatMap(this::pass).then();
    }

    private Mono<Long> pass(int shard) {
        return db.sql(PASS).bind("shard", shard).mapValue(Long.class).one();
    }

    /** Ordered by id; the rooms after the given one. */
    Mono<List<RoomId>> rooms(TenantId tenant, UserId user, List<Membership> memberships, String after, int limit) {
        return db.sql(ROOMS)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .bind("memberships", memberships.stream().map(m -> m.word).toArray(String[]::new))
                .bind("after", after)
                .bind("limit", limit)
                .mapValue(String.class)
                .all()
                .map(RoomId::new)
                .collectList();
    }
}
