// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import static rookery.room.table.RoomColumns.texts;

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

/** Reads all rooms of a user without missing rooms of concurrent appends. */
@Component
public class RoomsOfUser {
    // waits for the append that has locked the shard, and keeps no lock
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

    RoomsOfUser(DatabaseClient db) {
        this.db = db;
    }

    /**
     * Waits for all running appends. Later appends see all data committed before, and the rows of the earlier ones can be read.
     */
    public Mono<Void> settled() {
        return Flux.range(0, Shards.COUNT).concatMap(this::pass).then();
    }

    private Mono<Long> pass(int shard) {
        return db.sql(PASS).bind("shard", shard).mapValue(Long.class).one();
    }

    /** The rooms after the given id, ordered by id. */
    public Mono<List<RoomId>> rooms(
            TenantId tenant, UserId user, List<Membership> memberships, String after, int limit) {
        return db.sql(ROOMS)
                .bind("tenant", tenant)
                .bind("user", user)
                .bind("memberships", texts(memberships, m -> m.word))
                .bind("after", after)
                .bind("limit", limit)
                .mapValue(String.class)
                .all()
                .map(RoomId::new)
                .collectList();
    }
}
