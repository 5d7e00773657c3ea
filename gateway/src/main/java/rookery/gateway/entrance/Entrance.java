// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerRequest;
import rookery.gateway.authentication.AccessTokens;
import rookery.gateway.entrance.RequestBodies.ReceivedRequest;
import rookery.gateway.metrics.RequestMeters;
import rookery.gateway.ratelimit.ClientAddresses;
import rookery.gateway.routing.Destination.Kind;
import rookery.gateway.routing.Destination.Own;
import rookery.gateway.routing.Destination.Service;
import rookery.gateway.routing.ForwardedRequest;
import rookery.gateway.routing.Load;
import rookery.gateway.routing.LocalRouting;
import rookery.gateway.routing.PathTable;
import rookery.gateway.routing.SuspendedUsers;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Prefix;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.platform.http.MediaProperties;
import rookery.platform.tenant.Tenant;

/**
 * The filter for every request of the public port: assigns the request id, admits, signs the caller and forwards (design.md 6,
 * contract.md 2).
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class Entrance implements WebFilter {
    /** Services check the expiry on arrival only, so this time covers the transport and differences between clocks. */
    private static final Duration CALLER_LIFE = Duration.ofMinutes(10);

    private static final int USER_AGENT_CHARS_MAX = 200;
    /** The tenant in callers on hosts without tenant; a non-existent server name. */
    private static final Tenant NO_TENANT =
            new Tenant(new TenantId(RequestFacts.NO_TENANT), new ServerName("unknown.invalid"));

    private final ApplicationContext publicPort;
    private final RequestIds requestIds;
    private final HostHeader host;
    private final ClientAddresses addresses;
    private final AccessTokens tokens;
    private final Admission admission;
    private final WaitingRequests waiting;
    private final SendAdmission sends;
    private final ParkedPolls polls;
    private final HeavyRequests heavy;
    private final RequestBodies bodies;
    private final MediaProperties media;
    private final InternalRequests services;
    private final LocalRouting locals;
    private final Clock clock;

    Entrance(
            ApplicationContext publicPort,
            RequestIds requestIds,
            HostHeader host,
            ClientAddresses addresses,
            AccessTokens tokens,
            Admission admission,
            WaitingRequests waiting,
            SendAdmission sends,
            ParkedPolls polls,
            HeavyRequests heavy,
            RequestBodies bodies,
            MediaProperties media,
            InternalRequests services,
            LocalRouting locals,
            Clock clock) {
        this.publicPort = publicPort;
        this.requestIds = requestIds;
        this.host = host;
        this.addresses = addresses;
        this.tokens = tokens;
        this.admission = admission;
        this.waiting = waiting;
        this.sends = sends;
        this.polls = polls;
        this.heavy = heavy;
        this.bodies = bodies;
        this.media = media;
        this.services = services;
        this.locals = locals;
        this.clock = clock;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!publicPort.equals(exchange.getApplicationContext())) {
            return chain.filter(exchange); // the management context inherits this filter, but has no clients
        }
        var request = exchange.getRequest();
        var response = exchange.getResponse();
        String requestId = requestIds.of(request.getHeaders().getFirst(RequestIds.HEADER));
        response.getHeaders().set(RequestIds.HEADER, requestId);
        if (!PathTable.isConsole(request.getURI().getRawPath())) {
            Cors.allow(response.getHeaders());
        }
        if (request.getMethod().equals(HttpMethod.OPTIONS)) {
            RequestMeters.route(request, "preflight");
            response.setStatusCode(HttpStatus.NO_CONTENT);
            return response.setComplete();
        }
        requirePlainTarget(request);
        if (services.isOfService(request)) {
            return chain.filter(exchange);
        }
        var visit = visit(request, requestId);
        if (visit.destination() instanceof Own own) {
            RequestMeters.route(request, own.path());
        }
        if (visit.destination() instanceof Service service) {
            waiting.requirePlace(visit.tenantNumber(), service.kind());
        }
        var entered = Mono.defer(() -> admission.admit(visit, loop(request)))
                .onTerminateDetach() // releases the shared question while the request waits for its answer
                .flatMap(identity -> enter(exchange, chain, visit, identity));
        return visit.destination() instanceof Service service
                ? sends.within(exchange, service, visit, entered)
                : entered;
    }

    private RequestFacts visit(ServerHttpRequest request, String requestId) {
        var headers = request.getHeaders();
        var destination = PathTable.find(request.getURI().getRawPath());
        var forwardedFor = headers.getOrDefault("X-Forwarded-For", List.of());
        var tenant = host.tenant(headers);
        return new RequestFacts(
                requestId,
                tenant,
                addresses.of(request.getRemoteAddress(), forwardedFor),
                destination,
                userAgent(headers),
                destination instanceof Service service && service.kind() != Kind.USERINFO
                        ? tokens.hashOf(tenant, headers, request.getURI().getRawQuery())
                        : null,
                destination instanceof Service service
                        ? Load.of(request.getMethod(), service, request.getURI().getRawQuery())
                        : Load.LIGHT);
    }

    private static @Nullable String userAgent(HttpHeaders headers) {
        String text = headers.getFirst(HttpHeaders.USER_AGENT);
        return text == null || text.length() <= USER_AGENT_CHARS_MAX ? text : text.substring(0, USER_AGENT_CHARS_MAX);
    }

    private Mono<Void> enter(ServerWebExchange exchange, WebFilterChain chain, RequestFacts visit, Identity identity) {
        if (!(visit.destination() instanceof Service service)) {
            return chain.filter(exchange); // endpoints of the gateway itself take no body
        }
        host.requireServed(visit.tenant());
        var request = exchange.getRequest();
        if (identity instanceof Known known
                && known.suspended()
                && !SuspendedUsers.mayAsk(request.getMethod(), service.path())) {
            return Mono.error(ApiException.suspended());
        }
        String owner = key(identity, visit.address().counted());
        return heavy.limited(
                visit.tenantNumber(), owner, visit.load(), send(exchange, chain, visit, service, identity));
    }

    private Mono<Void> send(
            ServerWebExchange exchange, WebFilterChain chain, RequestFacts visit, Service service, Identity identity) {
        var received = service.kind() == Kind.UPLOAD && identity instanceof Known
                ? bodies.stream(exchange)
                : bodies.receive(exchange, visit, identity);
        var passed = received.flatMap(request -> {
                    var forward = forward(request, visit, service, identity);
                    var answer = pass(request.exchange(), chain, forward);
                    return waiting.within(request.exchange(), visit.tenantNumber(), service.kind(), answer);
                })
                .doFinally(_ -> RequestBodies.release(exchange));
        return polls.within(service.kind(), visit.tenant(), identity, passed);
    }

    private ForwardedRequest forward(ReceivedRequest received, RequestFacts visit, Service service, Identity identity) {
        var prefix = PathTable.prefix(received.exchange().getRequest().getURI().getRawPath());
        String query = received.exchange().getRequest().getURI().getRawQuery();
        return new ForwardedRequest(
                service,
                instances(service),
                service.key() == null ? key(identity, visit.address().text()) : service.key(),
                service.kind() == Kind.USERINFO ? query : AccessTokens.withoutToken(query),
                received.tooLarge(),
                () -> caller(visit, identity, prefix));
    }

    private Mono<Void> pass(ServerWebExchange exchange, WebFilterChain chain, ForwardedRequest forward) {
        var local = locals.answer(exchange, forward);
        if (local != null) {
            return local;
        }
        forward.attachTo(exchange);
        return chain.filter(exchange);
    }

    private String instances(Service service) {
        return switch (service.kind()) {
            case MEDIA, DOWNLOAD, UPLOAD -> media.instances();
            case REQUEST, HEAVY, USERINFO, LONG_POLL -> service.service();
        };
    }

    private Caller caller(RequestFacts visit, Identity identity, Prefix prefix) {
        var tenant = visit.tenant() == null ? NO_TENANT : visit.tenant();
        return new Caller(
                tenant.id(),
                tenant.serverName(),
                identity,
                prefix,
                visit.address().text(),
                visit.requestId(),
                clock.instant().plus(CALLER_LIFE));
    }

    private static String key(Identity identity, String ip) {
        return identity instanceof Known known ? known.user().value() : ip;
    }

    /** A target with a host could name another tenant than the Host header. */
    private static void requirePlainTarget(ServerHttpRequest request) {
        if (ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServerRequest plain
                && !plain.uri().startsWith("/")) {
            throw new ApiException(ErrorCode.M_UNKNOWN, "send the path alone as the target of the request")
                    .withStatus(400);
        }
    }

    /** The event loop of the client's connection. Redis answers on its own thread; the request then continues on this loop. */
    private static Executor loop(ServerHttpRequest request) {
        return ServerHttpRequestDecorator.getNativeRequest(request) instanceof Connection connection
                ? connection.channel().eventLoop()
                : Runnable::run;
    }
}
