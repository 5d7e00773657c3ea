// SPDX-License-Identifier: Apache-2.0
package rookery.directory.stats;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.directory.listing.RoomDirectory;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** The count of published rooms for admin-service's {@code /stats} (contract.md 4). */
@RestController
class StatsApi {
    private final RoomDirectory rooms;

    StatsApi(RoomDirectory rooms) {
        this.rooms = rooms;
    }

    @Callers(ServiceName.ADMIN)
    @GetMapping("/internal/stats")
    Mono<Stats> stats(@RequestParam int tenant) {
        return rooms.published(new TenantId(tenant)).map(Stats::new);
    }

    record Stats(long published) {}
}
