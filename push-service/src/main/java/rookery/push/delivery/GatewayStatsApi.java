// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.push.delivery.UnitQueue.GatewayCounts;

/** What became of the pushes of the last hour by push gateway, for operators (contract.md 20). */
@RestController
class GatewayStatsApi {
    private static final Duration PERIOD = Duration.ofHours(1);
    private static final int GATEWAYS_MAX = 50;

    private final UnitQueue units;
    private final Clock clock;

    GatewayStatsApi(UnitQueue units, Clock clock) {
        this.units = units;
        this.clock = clock;
    }

    @Callers(ServiceName.ADMIN)
    @GetMapping("/internal/stats/gateways")
    Mono<GatewayStats> gateways() {
        return units.byGateway(clock.instant().minus(PERIOD), GATEWAYS_MAX)
                .collectList()
                .map(GatewayStats::new);
    }

    record GatewayStats(List<GatewayCounts> gateways) {}
}
