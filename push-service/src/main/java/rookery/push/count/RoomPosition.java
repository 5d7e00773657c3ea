// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantRoom;
import rookery.platform.sql.Portions;
import rookery.push.Columns;

/** A position in a room. */
record RoomPosition(TenantRoom room, long pos) {
    /** Runs a statement with the columns tenants, rooms and positions. */
    static Mono<Void> each(DatabaseClient db, String sql, List<RoomPosition> positions) {
        return Portions.each(
                positions,
                portion -> Columns.of(db.sql(sql), portion)
                        .rooms(RoomPosition::room)
                        .longs("positions", RoomPosition::pos)
                        .then());
    }
}
