// SPDX-License-Identifier: Apache-2.0
package rookery.room.purge;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.PurgeProperties;
import rookery.room.table.Purges;
import rookery.room.table.WorkQueue;

/**
 * The queue of purged rooms with rows left to delete. A row exists since the commit that made the room invisible, is claimed
 * after the grace period, when all requests from before the purge have ended, and keeps no {@code due_ms} at the end.
 */
@Component
class PurgeQueue extends WorkQueue<PurgeQueue.PurgedRoom> {
    PurgeQueue(DatabaseClient db, Clock clock, Purges purges, PurgeProperties properties) {
        super(
                db,
                clock,
                purges.due(),
                new QueueTable(
                        "room.purged",
                        "",
                        "purged_ms <= :now - " + properties.grace().toMillis(),
                        "UPDATE room.purged SET due_ms = NULL, ended_ms = :now"),
                Map.of("tenant", room -> room.tenant.value(), "room_id", room -> room.room.value()),
                PurgeQueue::room);
    }

    record PurgedRoom(TenantId tenant, RoomId room, int shard, long epoch, long pos) {}

    private static PurgedRoom room(Readable row) {
        return new PurgedRoom(
                RequiredColumn.of(row, "tenant", TenantId.class),
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "shard", Integer.class),
                RequiredColumn.of(row, "epoch", Long.class),
                RequiredColumn.of(row, "pos", Long.class));
    }
}
