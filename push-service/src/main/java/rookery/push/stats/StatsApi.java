package rookery.push.stats;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What admin-service asks for {@code /stats} (CONTRACT.md 4). */
@RestController
class StatsApi {
    /** Pushers cannot be set yet, so there is none. */
    @GetMapping("/internal/stats")
    Stats stats() {
        return new Stats(0);
    }

    record Stats(long pushers) {}
}
