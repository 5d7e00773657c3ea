// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import rookery.platform.tenant.RegisteredTenant;
import rookery.platform.transfer.TransferApi;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Export and import of tenants (contract.md 21): passes requests on to the services, which have the rows and files. */
@Component
class TransferOperatorApi implements OperatorRoutes {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String KEY = "transfer";
    /** Below the largest body of a call between services. */
    private static final int BATCH_BYTES_MAX = 4 << 20;

    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private final TenantRegistry registry;
    private final ServiceClient services;
    private final TransferApi own;

    TransferOperatorApi(TenantRegistry registry, ServiceClient services, TransferApi own) {
        this.registry = registry;
        this.services = services;
        this.own = own;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET("/operator/v1/tenants/{tenant}/export/{service}", this::export)
                .GET("/operator/v1/tenants/{tenant}/media/{sha256}", this::media)
                .PUT("/operator/v1/tenants/{tenant}/media/{sha256}", this::putMedia)
                .POST("/operator/v1/tenants/{tenant}/import/done", this::done)
                .POST("/operator/v1/tenants/{tenant}/import/{service}/{step}", this::step)
                .build();
    }

    private RegisteredTenant tenant(ServerRequest request) {
        return registry.find(request.pathVariable("tenant").toLowerCase(Locale.ROOT));
    }

    private static ServiceName service(ServerRequest request) {
        var named = ServiceName.named(request.pathVariable("service"));
        if (named == null || named == ServiceName.GATEWAY || named == ServiceName.OPERATOR) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "no service with this name has rows of tenants");
        }
        return named;
    }

    private Mono<ServerResponse> export(ServerRequest request) {
        var exported = registry.findWithData(request.pathVariable("tenant"));
        var tenant = new TransferApi.TenantRequest(new TenantId(exported.number()));
        var service = service(request);
        Flux<byte[]> lines = service == ServiceName.ADMIN
                ? own.export(tenant)
                : services.lines(service.title(), KEY, TransferApi.EXPORT, tenant)
                        .map(line -> (line + "\n").getBytes(StandardCharsets.UTF_8));
        return ServerResponse.ok()
                .header(HttpHeaders.CONTENT_TYPE, "application/x-ndjson")
                .body(BodyInserters.fromPublisher(lines, byte[].class));
    }

    /** A step of an import; the body is that of the service's own endpoint, without the tenant. */
    private Mono<ServerResponse> step(ServerRequest request) {
        var path = switch (request.pathVariable("step")) {
            case "begin" -> TransferApi.BEGIN;
            case "rows" -> TransferApi.STORE;
            case "finish" -> TransferApi.FINISH;
            case "followed" -> TransferApi.FOLLOWED;
            default -> throw new ApiException(ErrorCode.M_UNRECOGNIZED, "no such step of an import");
        };
        var tenant = tenant(request);
        var service = service(request);
        return OperatorApi.object(request, BATCH_BYTES_MAX)
                .flatMap(body -> {
                    body.put("tenant", tenant.number());
                    return service == ServiceName.ADMIN
                            ? ofOwn(path, body)
                            : services.post(service.title(), KEY, path, body, JsonNode.class);
                })
                .flatMap(OperatorApi::json);
    }

    private Mono<JsonNode> ofOwn(String path, ObjectNode body) {
        Mono<?> answer = switch (path) {
            case TransferApi.BEGIN -> own.begin(read(body, TransferApi.BeginRequest.class));
            case TransferApi.STORE -> own.store(read(body, TransferApi.StoreRequest.class));
            case TransferApi.FINISH -> own.finish(read(body, TransferApi.TenantRequest.class));
            default -> own.followed(read(body, TransferApi.FollowedRequest.class));
        };
        return answer.map(JSON::valueToTree);
    }

    private static <T> T read(ObjectNode body, Class<T> type) {
        try {
            return JSON.treeToValue(body, type);
        } catch (JacksonException _) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "the body is not that of this step of an import");
        }
    }

    private Mono<ServerResponse> done(ServerRequest request) {
        return registry.finishImport(tenant(request))
                .flatMap(changed -> OperatorApi.json(
                        Map.of("server_name", changed.tenant().serverName(), "version", changed.version())));
    }

    private Mono<ServerResponse> media(ServerRequest request) {
        long size = size(request);
        var bytes = services.bytes(
                ServiceName.ROOM.title(),
                KEY,
                "/internal/tenants/media/%d/%s?size=%d"
                        .formatted(tenant(request).number(), sha256(request), size));
        return ServerResponse.ok()
                .header(HttpHeaders.CONTENT_TYPE, "application/octet-stream")
                .body(BodyInserters.fromDataBuffers(bytes));
    }

    private static long size(ServerRequest request) {
        try {
            return Math.max(0, Long.parseLong(request.queryParam("size").orElse("0")));
        } catch (NumberFormatException _) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "size is the size of the file in bytes");
        }
    }

    private Mono<ServerResponse> putMedia(ServerRequest request) {
        return services.upload(
                        ServiceName.ROOM.title(),
                        KEY,
                        "/internal/tenants/media/%d/%s"
                                .formatted(tenant(request).number(), sha256(request)),
                        request.bodyToFlux(DataBuffer.class),
                        JsonNode.class)
                .flatMap(OperatorApi::json);
    }

    private static String sha256(ServerRequest request) {
        var hash = request.pathVariable("sha256");
        if (!SHA256.matcher(hash).matches()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a file is named by its SHA-256 in hexadecimal digits");
        }
        return hash;
    }
}
