// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.node.ObjectNode;

/** What operators do with the logs and the data derived from them (contract.md 20). The owner of a log does the work. */
@Component
class LogOperatorApi implements OperatorRoutes {
    /** A new epoch waits for the appends that are in progress. */
    private static final Duration LONGEST = Duration.ofSeconds(25);

    private static final Map<String, ServiceName> OWNERS = Map.of("room", ServiceName.ROOM, "user", ServiceName.AUTH);

    private final ServiceClient services;

    LogOperatorApi(ServiceClient services) {
        this.services = services.waiting(LONGEST);
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .POST("/operator/v1/logs/{log}/raise-epoch", request -> ask(request, "raise-epoch"))
                .POST("/operator/v1/logs/{log}/trust-timeline", request -> ask(request, "trust-timeline"))
                .POST("/operator/v1/rebuild/directory", _ -> rebuilt())
                .build();
    }

    private Mono<ServerResponse> ask(ServerRequest request, String action) {
        var log = request.pathVariable("log");
        var owner = OWNERS.get(log);
        return owner == null
                ? Mono.error(new ApiException(ErrorCode.M_NOT_FOUND, "the logs are room and user"))
                : services.post(owner.title(), log, "/internal/admin/" + action, Map.of(), ObjectNode.class)
                        .flatMap(OperatorApi::json);
    }

    /** The lines of directory-service, each as soon as it is there; the last one has {@code done}. */
    private Mono<ServerResponse> rebuilt() {
        var lines = services.lines(ServiceName.DIRECTORY.title(), "rebuild", "/internal/admin/rebuild", Map.of());
        return ServerResponse.ok()
                .header(HttpHeaders.CONTENT_TYPE, "application/x-ndjson")
                .body((answer, _) -> answer.writeAndFlushWith(lines.map(line ->
                        Mono.just(answer.bufferFactory().wrap((line + "\n").getBytes(StandardCharsets.UTF_8))))));
    }
}
