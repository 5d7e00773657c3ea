// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.admin.tenant.Operators.OperatorRow;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;

/** The operators in their own API (contract.md 20). Only the root operator makes and revokes operators. */
@Component
class CredentialApi implements OperatorRoutes {
    private static final String OPERATORS = "/operator/v1/operators";
    private static final String READ = "read";
    private static final String WRITE = "write";

    private final OperatorCredentials credentials;
    private final Operators operators;

    CredentialApi(OperatorCredentials credentials, Operators operators) {
        this.credentials = credentials;
        this.operators = operators;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(OPERATORS, _ -> operators.all().flatMap(CredentialApi::list))
                .POST(OPERATORS, ofRoot(this::make))
                .DELETE(OPERATORS + "/{name}", ofRoot(this::revoke))
                .build();
    }

    private static HandlerFunction<ServerResponse> ofRoot(HandlerFunction<ServerResponse> handler) {
        return request -> OperatorGate.operator(request).isRoot()
                ? handler.handle(request)
                : Mono.error(new ApiException(
                        ErrorCode.M_FORBIDDEN, "operators are made and revoked with the token of the configuration"));
    }

    private static Mono<ServerResponse> list(List<OperatorRow> rows) {
        return OperatorApi.json(
                Map.of("operators", rows.stream().map(CredentialApi::shown).toList()));
    }

    private Mono<ServerResponse> make(ServerRequest request) {
        return OperatorApi.body(request).flatMap(body -> {
            var name = body.string("name");
            boolean writes = writes(body);
            OperatorGate.target(request, request.path() + "/" + name);
            return credentials
                    .make(name, writes, OperatorGate.operator(request))
                    .flatMap(token -> OperatorApi.json(new MadeOperator(name, scopes(writes), token)));
        });
    }

    private static boolean writes(JsonBody body) {
        if (!body.has("scopes")) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "the field scopes is missing");
        }
        var scopes = Set.copyOf(body.strings("scopes"));
        if (!scopes.contains(READ) || !Set.of(READ, WRITE).containsAll(scopes)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "scopes are read, or read and write");
        }
        return scopes.contains(WRITE);
    }

    private static List<String> scopes(boolean writes) {
        return writes ? List.of(READ, WRITE) : List.of(READ);
    }

    private Mono<ServerResponse> revoke(ServerRequest request) {
        return credentials.revoke(request.pathVariable("name")).then(Mono.defer(() -> OperatorApi.json(Map.of())));
    }

    private static ShownOperator shown(OperatorRow row) {
        return new ShownOperator(row.name(), scopes(row.writes()), row.createdMillis(), row.createdBy());
    }

    /** @param createdAt in milliseconds since the epoch */
    private record ShownOperator(
            String name,
            List<String> scopes,
            @JsonProperty("created_at") long createdAt,
            @JsonProperty("created_by") String createdBy) {}

    private record MadeOperator(String name, List<String> scopes, String token) {
        @Override
        public String toString() {
            return name; // without the token
        }
    }
}
