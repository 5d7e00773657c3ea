// SPDX-License-Identifier: Apache-2.0
package rookery.push.stats;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.push.pusher.Pushers;

/** The number of pushers for admin-service's {@code /stats} (contract.md 4). */
@RestController
class StatsApi {
    private final Pushers pushers;

    StatsApi(Pushers pushers) {
        this.pushers = pushers;
    }

    @Callers(ServiceName.ADMIN)
    @GetMapping("/internal/stats")
    Mono<Stats> stats(@RequestParam int tenant) {
        return pushers.count(new TenantId(tenant)).map(Stats::new);
    }

    record Stats(long pushers) {}
}
