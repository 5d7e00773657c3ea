// SPDX-License-Identifier: Apache-2.0
package rookery.auth.stats;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.stats.Counts.AccountCounts;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Auth-service's part of the statistics (contract.md 4), for admin-service, which caches the answer. */
@RestController
class InternalStatsApi {
    private final Counts counts;

    InternalStatsApi(Counts counts) {
        this.counts = counts;
    }

    @Callers(ServiceName.ADMIN)
    @GetMapping("/internal/stats")
    Mono<AccountCounts> stats(@RequestParam int tenant) {
        return counts.of(new TenantId(tenant));
    }
}
