package rookery.directory.stats;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.directory.listing.RoomDirectory;
import rookery.model.id.TenantId;

/** What admin-service asks for {@code /stats} (CONTRACT.md 4). */
@RestController
class StatsApi {
    private final RoomDirectory rooms;

    StatsApi(RoomDirectory rooms) {
        this.rooms = rooms;
    }

    @GetMapping("/internal/stats")
    Mono<Stats> stats(@RequestParam int tenant) {
        return rooms.published(new TenantId(tenant)).map(Stats::new);
    }

    record Stats(long published) {}
}
