// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.admin.stats.StatsCollector;
import rookery.model.id.TenantId;

/** What a tenant uses, in the API of operators (contract.md 20): the counts of {@code /stats}, as old as those. */
@Component
class UsageOperatorApi implements OperatorRoutes {
    private final TenantRegistry registry;
    private final StatsCollector counting;

    UsageOperatorApi(TenantRegistry registry, StatsCollector counting) {
        this.registry = registry;
        this.counting = counting;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET("/operator/v1/tenants/{tenant}/usage", this::usage)
                .build();
    }

    /** 503 while an owner of the counts does not answer. */
    private Mono<ServerResponse> usage(ServerRequest request) {
        var tenant = registry.findWithData(request.pathVariable("tenant"));
        return counting.of(new TenantId(tenant.number())).flatMap(OperatorApi::json);
    }
}
