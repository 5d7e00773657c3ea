// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.util.Map;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.admin.registration.RegistrationTokenClient;
import rookery.admin.registration.TokenTerms;
import rookery.model.id.TenantId;

/** The registration tokens of a tenant in the API of operators, who may also make tokens of administrators (contract.md 20). */
@Component
class TokensOperatorApi implements OperatorRoutes {
    private static final String TOKENS = "/operator/v1/tenants/{tenant}/registration-tokens";
    private static final String TOKEN = TOKENS + "/{id}";

    private final TenantRegistry registry;
    private final RegistrationTokenClient tokens;

    TokensOperatorApi(TenantRegistry registry, RegistrationTokenClient tokens) {
        this.registry = registry;
        this.tokens = tokens;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(TOKENS, this::list)
                .POST(TOKENS, this::make)
                .GET(
                        TOKEN,
                        request -> tokens.find(tenant(request), request.pathVariable("id"))
                                .flatMap(OperatorApi::json))
                .DELETE(
                        TOKEN,
                        request -> tokens.revoke(tenant(request), request.pathVariable("id"))
                                .then(Mono.defer(() -> OperatorApi.json(Map.of()))))
                .build();
    }

    private TenantId tenant(ServerRequest request) {
        return new TenantId(
                registry.findWithData(request.pathVariable("tenant")).number());
    }

    private Mono<ServerResponse> list(ServerRequest request) {
        var page = ListQuery.of(request.queryParams());
        return OperatorApi.json(ListDocument.of("registration_tokens", tokens.list(tenant(request), page)));
    }

    private Mono<ServerResponse> make(ServerRequest request) {
        var tenant = tenant(request);
        return OperatorApi.body(request)
                .flatMap(body -> tokens.make(tenant, TokenTerms.of(body)))
                .flatMap(OperatorApi::json);
    }
}
