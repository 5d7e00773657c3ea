// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import rookery.admin.audit.Actor;
import rookery.admin.audit.Audit;
import rookery.admin.audit.Audit.OpenRecord;
import rookery.admin.tenant.OperatorCredentials.Operator;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.tenant.RegisteredTenant;
import rookery.platform.tenant.RegisteredTenant.State;

/**
 * Admits operators to their API, each within the scope of the credential, and writes an audit record for every request that is
 * not GET, and for exports: before the effect, refused requests included (contract.md 20). Requests without a valid token are not
 * recorded.
 */
@Component
class OperatorGate {
    private static final String OPERATOR = OperatorGate.class.getName() + ".operator";
    private static final String TARGET = OperatorGate.class.getName() + ".target";
    private static final String ROOT_PATH = "/operator/v1";
    private static final String CONSOLE = "/_rookery/console";
    private static final String TENANTS = ROOT_PATH + "/tenants/";
    private static final int TARGET_CHARS = 1_000;
    private static final int OK = 200;

    private final OperatorCredentials credentials;
    private final TenantRegistry registry;
    private final Audit audit;
    private final ConsolePeer console;

    OperatorGate(OperatorCredentials credentials, TenantRegistry registry, Audit audit, ConsolePeer console) {
        this.console = console;
        this.credentials = credentials;
        this.registry = registry;
        this.audit = audit;
    }

    /** The operator who sent the request. */
    static Operator operator(ServerRequest request) {
        return (Operator) Objects.requireNonNull(request.attributes().get(OPERATOR));
    }

    /** Lets the audit record name a target that is in the body, as a path. */
    static void target(ServerRequest request, String path) {
        request.attributes().put(TARGET, path);
    }

    /** Passes requests for the console, which calls the API with the operator's token itself. */
    Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (exchange.getRequest().getPath().value().startsWith(CONSOLE)) {
            return chain.filter(exchange);
        }
        var header = exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
        return credentials.operator(header).flatMap(operator -> admitted(operator, exchange, chain));
    }

    private Mono<Void> admitted(Operator operator, ServerWebExchange exchange, WebFilterChain chain) {
        exchange.getAttributes().put(OPERATOR, operator);
        var request = exchange.getRequest();
        var subject = subject(request.getURI().getRawPath());
        boolean reads = request.getMethod().equals(HttpMethod.GET);
        if (reads && !subject.isExported()) {
            return chain.filter(exchange);
        }
        Mono<Void> act = operator.writes() ? chain.filter(exchange) : Mono.error(mayNotWrite());
        return subject.isUnrecorded(reads)
                ? act
                : audit.opened(
                                actor(operator, request, subject),
                                request.getMethod().name(),
                                subject.path)
                        .flatMap(open -> ended(open, exchange, act));
    }

    private static ApiException mayNotWrite() {
        return new ApiException(ErrorCode.M_FORBIDDEN, "this operator may read only");
    }

    private Mono<Void> ended(OpenRecord open, ServerWebExchange exchange, Mono<Void> act) {
        return act.then(Mono.defer(() -> audit.closed(named(open, exchange), status(exchange))))
                .onErrorResume(
                        failure -> audit.failed(named(open, exchange), failure).then(Mono.error(failure)));
    }

    private static OpenRecord named(OpenRecord open, ServerWebExchange exchange) {
        return exchange.getAttribute(TARGET) instanceof String target ? open.about(shown(target)) : open;
    }

    private static int status(ServerWebExchange exchange) {
        var status = exchange.getResponse().getStatusCode();
        return status == null ? OK : status.value();
    }

    private Actor actor(Operator operator, ServerHttpRequest request, Subject subject) {
        InetSocketAddress peer = request.getRemoteAddress();
        var browser = console.address(request.getHeaders().getFirst(ConsolePeer.HEADER));
        return new Actor(
                subject.tenant,
                "operator:" + operator.name(),
                browser != null
                        ? browser
                        : peer == null ? "" : peer.getAddress().getHostAddress(),
                request.getId());
    }

    /**
     * What a request is about.
     *
     * @param tenant whose data the audit record is; {@link Actor#NO_TENANT} for records that outlive the tenant
     * @param path below the root, with the tenant's number instead of its name, which must not outlive the tenant
     * @param rest the path below the tenant; empty without a tenant
     */
    private record Subject(TenantId tenant, String path, String rest) {
        /** Everything that people of the tenant wrote, and hashes of their passwords: not for operators who may only read. */
        boolean isExported() {
            return rest.startsWith("/export/") || rest.startsWith("/media/") || isPerson();
        }

        private boolean isPerson() {
            return rest.startsWith("/users/") && rest.endsWith("/data");
        }

        /** The files of an export, which has a record of its own, and the waiting of an import, which changes nothing. */
        boolean isUnrecorded(boolean reads) {
            return (reads && rest.startsWith("/media/")) || (rest.startsWith("/import/") && rest.endsWith("/followed"));
        }
    }

    private Subject subject(String path) {
        if (!path.startsWith(TENANTS)) {
            return new Subject(Actor.NO_TENANT, shown(path), "");
        }
        var below = path.substring(TENANTS.length());
        int slash = below.indexOf('/');
        var rest = slash < 0 ? "" : below.substring(slash);
        var named = URLDecoder.decode(slash < 0 ? below : below.substring(0, slash), StandardCharsets.UTF_8);
        return registry.search(named.toLowerCase(Locale.ROOT))
                .map(tenant -> new Subject(recordOf(tenant, rest), shown(TENANTS + tenant.number() + rest), rest))
                .orElseGet(() -> new Subject(Actor.NO_TENANT, shown(path), rest));
    }

    /** The deletion of a tenant deletes its records, and not the record of the deletion. */
    private static TenantId recordOf(RegisteredTenant tenant, String rest) {
        boolean outlives = rest.isEmpty()
                || rest.equals("/erase")
                || tenant.state() == State.ERASING
                || tenant.state() == State.DELETED;
        return outlives ? Actor.NO_TENANT : new TenantId(tenant.number());
    }

    private static String shown(String path) {
        var below = path.startsWith(ROOT_PATH) ? path.substring(ROOT_PATH.length()) : path;
        var whole = below.replace('\0', '\uFFFD'); // the database has no U+0000
        return whole.length() > TARGET_CHARS ? whole.substring(0, TARGET_CHARS) : whole;
    }
}
