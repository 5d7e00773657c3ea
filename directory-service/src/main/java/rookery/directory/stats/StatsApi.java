package rookery.directory.stats;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What admin-service asks for {@code /stats} (CONTRACT.md 4). */
@RestController
class StatsApi {
    /** Publishing rooms is not served yet, so none is published. */
    @GetMapping("/internal/stats")
    Stats stats() {
        return new Stats(0);
    }

    record Stats(long published) {}
}
