// SPDX-License-Identifier: Apache-2.0
package rookery.push.purge;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Deletes counts, notifications and pushes of a purged room at the request of room-service (contract.md 5.4). Internal. */
@RestController
class PurgeApi {
    private final PurgedRows rows;

    PurgeApi(PurgedRows rows) {
        this.rows = rows;
    }

    /**
     * Answers after all rows are deleted. 503 until the purge entry has been counted: earlier entries could create rows again.
     */
    @Callers(ServiceName.ROOM)
    @PostMapping("/internal/rooms/purge")
    Mono<Map<String, Object>> purge(@RequestBody Purge purge) {
        return rows.hasCounted(purge.shard, purge.epoch, purge.pos)
                .filter(has -> has)
                .switchIfEmpty(Mono.error(() -> ApiException.unavailable("the room's last entry is not counted yet")))
                .flatMap(_ -> rows.remove(purge.tenant, purge.room))
                .thenReturn(Map.of());
    }

    /** @param pos of the purge entry in the room log */
    record Purge(TenantId tenant, RoomId room, int shard, long epoch, long pos) {}
}
