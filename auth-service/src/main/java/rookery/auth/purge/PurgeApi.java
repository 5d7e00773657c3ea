// SPDX-License-Identifier: Apache-2.0
package rookery.auth.purge;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Deletes all users' tags and account data of a purged room for room-service (contract.md 5.4). Internal. */
@RestController
class PurgeApi {
    private final PurgedRows rows;

    PurgeApi(PurgedRows rows) {
        this.rows = rows;
    }

    /** Answers when no rows are left. */
    @Callers(ServiceName.ROOM)
    @PostMapping("/internal/rooms/purge")
    Mono<Map<String, Object>> purge(@RequestBody Purge purge) {
        return rows.remove(purge.tenant, purge.room).thenReturn(Map.of());
    }

    record Purge(TenantId tenant, RoomId room) {}
}
