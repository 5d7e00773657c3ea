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
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** What a tenant uses, in the API of operators (contract.md 20): the counts of {@code /stats}, as old as those. */
@Component
class UsageOperatorApi implements OperatorRoutes {
    private final TenantRegistry registry;
    private final StatsCollector counting;
    private final ServiceClient services;

    UsageOperatorApi(TenantRegistry registry, StatsCollector counting, ServiceClient services) {
        this.registry = registry;
        this.counting = counting;
        this.services = services;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET("/operator/v1/tenants/{tenant}/usage", this::usage)
                .GET("/operator/v1/push-gateways", this::gateways)
                .build();
    }

    /** What became of the pushes of the last hour, by push gateway. */
    private Mono<ServerResponse> gateways(ServerRequest request) {
        return services.get("push-service", "gateways", "/internal/stats/gateways", JsonNode.class)
                .flatMap(OperatorApi::json);
    }

    /** 503 while an owner of the counts does not answer. */
    private Mono<ServerResponse> usage(ServerRequest request) {
        var tenant = registry.findWithData(request.pathVariable("tenant"));
        return counting.of(new TenantId(tenant.number())).flatMap(OperatorApi::json);
    }
}
