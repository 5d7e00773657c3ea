// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.admin.person.PersonExports;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;

/** One person's data as a ZIP, in the API of operators (contract.md 20). */
@Component
class PersonOperatorApi implements OperatorRoutes {
    private final TenantRegistry registry;
    private final PersonExports exports;

    PersonOperatorApi(TenantRegistry registry, PersonExports exports) {
        this.registry = registry;
        this.exports = exports;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET("/operator/v1/tenants/{tenant}/users/{localpart}/data", this::data)
                .build();
    }

    private Mono<ServerResponse> data(ServerRequest request) {
        var tenant = registry.findWithData(request.pathVariable("tenant"));
        var user = AdministratorsOperatorApi.user(tenant, request.pathVariable("localpart"));
        var person = new TenantUser(new TenantId(tenant.number()), user);
        return ServerResponse.ok()
                .build((exchange, _) -> exchange.getResponse()
                        .writeWith(exports.of(person, "an operator of the server", exchange.getResponse())));
    }
}
