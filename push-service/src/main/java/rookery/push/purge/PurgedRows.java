// SPDX-License-Identifier: Apache-2.0
package rookery.push.purge;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.topic.Topics;
import rookery.platform.sql.RoomRemoval;

/** Deletes a purged room's rows from the tables of push-service. */
@Component
class PurgedRows {
    private static final List<String> TABLES = List.of(
            "push.deferred_event", // before push.unit: their units are in it
            "push.unit",
            "push.pushed_event",
            "push.noted",
            "push.exception",
            "push.thread_head",
            "push.read_position",
            "push.member",
            "push.member_past",
            "push.room_cohort",
            "push.room");

    private static final String HAS_COUNTED = """
            SELECT epoch > :epoch OR (epoch = :epoch AND pos >= :pos) AS has FROM push.follow
             WHERE log = :log AND shard = :shard
            """;

    private final DatabaseClient db;
    private final RoomRemoval removal;

    PurgedRows(DatabaseClient db) {
        this.db = db;
        this.removal = new RoomRemoval(db, TABLES);
    }

    Mono<Void> remove(TenantId tenant, RoomId room) {
        return removal.all(tenant, room);
    }

    /** Whether the room log has been counted up to this position. */
    Mono<Boolean> hasCounted(int shard, long epoch, long pos) {
        return db.sql(HAS_COUNTED)
                .bind("log", Topics.ROOM_LOG)
                .bind("shard", shard)
                .bind("epoch", epoch)
                .bind("pos", pos)
                .mapValue(Boolean.class)
                .one();
    }
}
