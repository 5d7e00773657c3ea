// SPDX-License-Identifier: Apache-2.0
package rookery.room.upgrade;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.sql.RequiredColumn;
import rookery.room.table.Upgrades;
import rookery.room.table.WorkQueue;

/** The queue of users whose tags, push rule and direct chats follow them into a room's successor. */
@Component
class CarryOvers extends WorkQueue<CarryOvers.CarryOver> {
    private static final QueueTable TABLE =
            new QueueTable("room.carry_over", ", attempts = q.attempts + 1", "true", "DELETE FROM room.carry_over");

    CarryOvers(DatabaseClient db, Clock clock, Upgrades upgrades) {
        super(
                db,
                clock,
                upgrades.dueCarryOvers(),
                TABLE,
                Map.of(
                        "tenant", carryOver -> carryOver.tenant.value(),
                        "user_id", carryOver -> carryOver.user.value(),
                        "room_id", carryOver -> carryOver.to.value(),
                        "attempts", CarryOver::attempts),
                CarryOvers::carryOver);
    }

    /** @param attempts the number of claims, including the current one */
    record CarryOver(TenantId tenant, UserId user, RoomId from, RoomId to, int attempts) {}

    private static CarryOver carryOver(Readable row) {
        return new CarryOver(
                RequiredColumn.of(row, "tenant", TenantId.class),
                RequiredColumn.of(row, "user_id", UserId.class),
                RequiredColumn.of(row, "predecessor", RoomId.class),
                RequiredColumn.of(row, "room_id", RoomId.class),
                RequiredColumn.of(row, "attempts", Integer.class));
    }
}
