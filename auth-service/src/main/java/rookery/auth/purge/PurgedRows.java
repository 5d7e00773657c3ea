// SPDX-License-Identifier: Apache-2.0
package rookery.auth.purge;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.sql.RoomRemoval;

/** The rows of purged rooms in the tables of auth-service. In the user log, only entries of room account data name a room. */
@Component
class PurgedRows {
    private static final List<String> TABLES = List.of("auth.account_data", "auth.log_entry");

    private final RoomRemoval removal;

    PurgedRows(DatabaseClient db) {
        this.removal = new RoomRemoval(db, TABLES);
    }

    Mono<Void> remove(TenantId tenant, RoomId room) {
        return removal.all(tenant, room);
    }
}
