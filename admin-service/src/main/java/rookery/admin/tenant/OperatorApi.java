// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.tenant.DeletionRows.Deletion;
import rookery.admin.tenant.TenantRegistry.ChangedTenant;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.platform.http.JsonBody;
import rookery.platform.json.StrictJson;
import rookery.platform.tenant.RegisteredTenant;
import rookery.platform.tenant.RegisteredTenant.State;
import rookery.platform.tenant.TenantSettings;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The tenants in the API of operators (contract.md 20). */
@Component
class OperatorApi implements OperatorRoutes {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int BODY_BYTES_MAX = 256 << 10;
    private static final int PAGE = 100;
    private static final int PAGE_MAX = 1_000;
    private static final int KEY_LENGTH_MAX = 255;
    private static final long GRACE_SECONDS_MAX = 366L * 24 * 3_600;

    private final TenantRegistry registry;
    private final FirstAdministrator first;
    private final DeletionRows deletions;
    private final Duration grace;

    OperatorApi(
            TenantRegistry registry, FirstAdministrator first, DeletionRows deletions, OperatorProperties properties) {
        this.registry = registry;
        this.first = first;
        this.deletions = deletions;
        this.grace = properties.deletionGrace();
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET("/operator/v1/tenants", this::list)
                .POST("/operator/v1/tenants", this::create)
                .GET("/operator/v1/tenants/{tenant}", request -> shownWhole(tenant(request)))
                .DELETE("/operator/v1/tenants/{tenant}", changing(this::delete))
                .POST("/operator/v1/tenants/{tenant}/erase", changing(this::erase))
                .PATCH("/operator/v1/tenants/{tenant}/settings", changing(this::settings))
                .PUT(
                        "/operator/v1/tenants/{tenant}/hosts/{host}",
                        changing((tenant, request) ->
                                registry.addHost(tenant, TenantHosts.of(request.pathVariable("host")))))
                .DELETE(
                        "/operator/v1/tenants/{tenant}/hosts/{host}",
                        changing((tenant, request) ->
                                registry.removeHost(tenant, TenantHosts.canonical(request.pathVariable("host")))))
                .POST(
                        "/operator/v1/tenants/{tenant}/suspend",
                        changing((tenant, _) -> registry.setState(tenant, State.SUSPENDED)))
                .POST(
                        "/operator/v1/tenants/{tenant}/resume",
                        changing((tenant, _) -> registry.setState(tenant, State.ACTIVE)))
                .POST(
                        "/operator/v1/tenants/{tenant}/first-administrator",
                        request -> first.invitation(registry.findWithData(request.pathVariable("tenant")))
                                .flatMap(OperatorApi::json))
                .build();
    }

    private RegisteredTenant tenant(ServerRequest request) {
        return registry.find(request.pathVariable("tenant").toLowerCase(Locale.ROOT));
    }

    static Mono<ServerResponse> json(Object answer) {
        return ServerResponse.ok()
                .header(HttpHeaders.CONTENT_TYPE, "application/json")
                .bodyValue(JSON.writeValueAsBytes(answer));
    }

    /** An answer in pieces. */
    static Mono<ServerResponse> json(Flux<String> pieces) {
        return ServerResponse.ok()
                .header(HttpHeaders.CONTENT_TYPE, "application/json")
                .body(pieces, String.class);
    }

    private static Map<String, Object> shown(RegisteredTenant tenant) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("number", tenant.number());
        shown.put("server_name", tenant.serverName());
        shown.put("state", tenant.state().word());
        shown.put("hosts", tenant.hosts());
        shown.put("settings", tenant.settings());
        return shown;
    }

    private static Map<String, Object> shown(ChangedTenant changed) {
        var shown = shown(changed.tenant());
        shown.put("version", changed.version());
        return shown;
    }

    /** The tenant, with its deletion if there is one. */
    private Mono<ServerResponse> shownWhole(RegisteredTenant tenant) {
        return deletions
                .find(tenant.number())
                .map(deletion -> {
                    var shown = shown(tenant);
                    shown.put("deletion", shown(deletion));
                    return shown;
                })
                .defaultIfEmpty(shown(tenant))
                .flatMap(OperatorApi::json);
    }

    private static Map<String, Object> shown(Deletion deletion) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("due_at", deletion.dueMillis());
        shown.put("deleted", deletion.deleted());
        if (deletion.doneMillis() == null) {
            shown.put("pass", deletion.pass());
            shown.put("service", deletion.service());
        } else {
            shown.put("done_at", deletion.doneMillis());
        }
        return shown;
    }

    /** {@code grace_seconds}, else the configured time. */
    private Mono<ChangedTenant> delete(RegisteredTenant tenant, ServerRequest request) {
        return body(request).flatMap(body -> {
            var seconds = body.optionalInteger("grace_seconds");
            if (seconds != null && (seconds < 0 || seconds > GRACE_SECONDS_MAX)) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, "grace_seconds is between 0 and a year");
            }
            return registry.delete(tenant, seconds == null ? grace : Duration.ofSeconds(seconds));
        });
    }

    /** The body repeats the server name, so that no other tenant is deleted by a mistake in the path. */
    private Mono<ChangedTenant> erase(RegisteredTenant tenant, ServerRequest request) {
        return body(request).flatMap(body -> {
            if (!body.string("server_name").equals(tenant.serverName())) {
                throw new ApiException(
                        ErrorCode.M_INVALID_PARAM,
                        "server_name is the name of the tenant whose data are to be deleted");
            }
            return registry.erase(tenant.number());
        });
    }

    /** Tenants in the order of their numbers: {@code after}, {@code limit}, and {@code search} in names and hosts. */
    private Mono<ServerResponse> list(ServerRequest request) {
        int after = number(request, "after", 0);
        int limit = Math.clamp(number(request, "limit", PAGE), 1, PAGE_MAX);
        var search = request.queryParam("search").orElse("").toLowerCase(Locale.ROOT);
        var state = request.queryParam("state").orElse("").toLowerCase(Locale.ROOT);
        var list = registry.list();
        var found = list.tenants().stream()
                .filter(tenant -> tenant.number() > after
                        && (state.isEmpty()
                                ? tenant.state() != State.DELETED
                                : tenant.state().word().equals(state))
                        && (tenant.serverName().contains(search)
                                || tenant.hosts().stream().anyMatch(host -> host.contains(search))))
                .sorted(Comparator.comparingInt(RegisteredTenant::number))
                .limit(limit + 1L)
                .toList();
        var page = found.subList(0, Math.min(limit, found.size()));
        var answer = new LinkedHashMap<String, Object>();
        answer.put("version", list.version());
        answer.put("tenants", page.stream().map(OperatorApi::shown).toList());
        if (found.size() > limit) {
            answer.put("next", page.getLast().number());
        }
        return json(answer);
    }

    private static int number(ServerRequest request, String name, int otherwise) {
        var text = request.queryParam(name).orElse(null);
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException _) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, name + " is an integer");
        }
    }

    private Mono<ServerResponse> create(ServerRequest request) {
        var key = request.headers().firstHeader("Idempotency-Key");
        if (key != null && key.length() > KEY_LENGTH_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the Idempotency-Key has at most 255 characters");
        }
        return body(request)
                .flatMap(body -> registry.create(asked(body), key))
                .doOnNext(changed -> OperatorGate.target(
                        request, "/tenants/" + changed.tenant().number()))
                .flatMap(changed -> json(shown(changed)));
    }

    private static RegisteredTenant asked(JsonBody body) {
        boolean isImport = Boolean.TRUE.equals(body.optionalBool("import"));
        return new RegisteredTenant(
                0,
                serverName(body.string("server_name")).value(),
                List.copyOf(hosts(body)),
                isImport ? State.IMPORTING : State.ACTIVE,
                settings(body.optionalObject("settings")));
    }

    /** In lower case, as in the Host header: ids of users and rooms distinguish cases, and people do not. */
    private static ServerName serverName(String text) {
        if (!text.equals(text.toLowerCase(Locale.ROOT))) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "write server_name in lower case");
        }
        if (text.chars().allMatch(Character::isDigit)) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "a server name of digits only would look like a tenant's number");
        }
        return new ServerName(text);
    }

    private static Set<String> hosts(JsonBody body) {
        var hosts = new LinkedHashSet<String>();
        if (body.has("hosts")) {
            body.strings("hosts").forEach(host -> hosts.add(TenantHosts.of(host)));
        }
        if (hosts.size() > TenantHosts.MOST) {
            throw TenantHosts.tooMany();
        }
        return hosts;
    }

    private static TenantSettings settings(@Nullable JsonBody body) {
        return body == null ? TenantSettings.NONE : TenantSettings.NONE.with(body.json());
    }

    private Mono<ChangedTenant> settings(RegisteredTenant tenant, ServerRequest request) {
        return body(request).flatMap(body -> registry.changeSettings(tenant, before -> before.with(body.json())));
    }

    private HandlerFunction<ServerResponse> changing(
            BiFunction<RegisteredTenant, ServerRequest, Mono<ChangedTenant>> change) {
        return request -> change.apply(tenant(request), request).flatMap(changed -> json(shown(changed)));
    }

    static Mono<JsonBody> body(ServerRequest request) {
        return object(request, BODY_BYTES_MAX).map(JsonBody::new);
    }

    /** The body, an empty object without one; M_TOO_LARGE. */
    static Mono<ObjectNode> object(ServerRequest request, int bytesMax) {
        return DataBufferUtils.join(request.bodyToFlux(DataBuffer.class), bytesMax)
                .onErrorMap(
                        DataBufferLimitException.class,
                        _ -> new ApiException(ErrorCode.M_TOO_LARGE, "the body is too large"))
                .map(OperatorApi::object)
                .defaultIfEmpty(JsonNodeFactory.instance.objectNode());
    }

    private static ObjectNode object(DataBuffer buffer) {
        var bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes.length == 0 ? JsonNodeFactory.instance.objectNode() : StrictJson.object(bytes);
    }
}
