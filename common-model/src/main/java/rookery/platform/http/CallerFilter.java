// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Locked;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.id.TenantUser;
import rookery.platform.tenant.Tenants;

/**
 * Admits only requests that the gateway has signed or makes in this JVM, and on {@code /internal/**} only requests of other services.
 *
 * <p>A request runs to its end even if its client is gone: a cancelled query can break its connection without the pool noticing.
 * Only long polls end with their client.
 */
@Component
@Order(0)
class CallerFilter implements WebFilter {
    static final String ATTRIBUTE = Caller.class.getName();

    private static final Logger log = LoggerFactory.getLogger(CallerFilter.class);
    private static final String INTERNAL = "/internal/";
    /** The tenant number of the few requests that every host answers. */
    private static final int NO_TENANT = 0;
    /** Services limit their requests themselves. */
    private static final BodyBudget OF_SERVICES = new BodyBudget(Long.MAX_VALUE);

    private final CallerSignature callers;
    private final ServiceCredential services;

    private final AnswerBudget answers;
    private final Tenants tenants;
    private final Set<String> longPollPaths;
    private final ApplicationContext own;

    CallerFilter(
            CallerSignature callers,
            ServiceCredential services,
            AnswerBudget answers,
            Tenants tenants,
            HttpProperties http,
            ApplicationContext own) {
        this.answers = answers;
        this.tenants = tenants;
        this.longPollPaths = http.longPollPaths();
        this.callers = callers;
        this.services = services;
        this.own = own;
    }

    /** Whether the caller is another service, and not the gateway for a client. */
    static boolean isOfService(ServerWebExchange exchange) {
        return ServiceAccess.caller(exchange) != null;
    }

    /**
     * M_FORBIDDEN unless services call internal routes and clients call the others. The raw path does not decide: the matched
     * path is decoded and has no parameters.
     */
    static void requireRoute(ServerWebExchange exchange, PathPattern route) {
        if (route.getPatternString().startsWith(INTERNAL) != isOfService(exchange)) {
            throw ServiceAccess.refusal(exchange);
        }
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!own.equals(exchange.getApplicationContext())) {
            return chain.filter(exchange); // the management port inherits this filter and answers unsigned probes
        }
        boolean waits = longPollPaths.contains(exchange.getRequest().getPath().value());
        var body = WholeBody.of(exchange);
        var answer = Mono.defer(() -> judge(exchange, chain, body))
                .onErrorResume(failure -> body.drop().then(Mono.error(failure)))
                .doFinally(_ -> body.release());
        return waits ? answer : answer.cache(); // cancelling a cached Mono does not cancel its source
    }

    private Mono<Void> judge(ServerWebExchange exchange, WebFilterChain chain, WholeBody body) {
        var headers = exchange.getRequest().getHeaders();
        var method = exchange.getRequest().getMethod();
        String path = exchange.getRequest().getURI().getRawPath();
        if (exchange.getRequest().getPath().value().startsWith(INTERNAL)) {
            String credential = headers.getFirst(ServiceCredential.HEADER);
            var service = credential == null ? null : services.verified(credential, method, path);
            if (service == null) {
                return Mono.error(ServiceAccess.refusal(exchange));
            }
            ServiceAccess.set(exchange, service);
            return budgeted(exchange, null, counted -> ofService(counted, chain, body));
        }
        var local = LocalService.callerOf(exchange.getRequest());
        var caller = local == null ? signed(headers, method, path) : local;
        if (caller == null) {
            return Mono.error(ServiceAccess.refusal(exchange));
        }
        requireTenant(caller);
        var served = ofTenant(caller);
        exchange.getAttributes().put(ATTRIBUTE, served);
        return budgeted(exchange, owner(served), chain::filter);
    }

    private @Nullable Caller signed(HttpHeaders headers, HttpMethod method, String path) {
        String header = headers.getFirst(CallerSignature.HEADER);
        return header == null ? null : callers.verified(header, method, path);
    }

    /** The owner of the response's share of the budget. */
    private static Object owner(Caller caller) {
        return caller.known() == null ? caller.ip() : new TenantUser(caller.tenant(), caller.user());
    }

    private Mono<Void> budgeted(
            ServerWebExchange exchange, @Nullable Object user, Function<ServerWebExchange, Mono<Void>> next) {
        var reservation = AnswerReservation.begin(exchange, answers, user);
        var counted = exchange.mutate()
                .response(new CountedAnswer(exchange.getResponse(), reservation))
                .build();
        return next.apply(counted)
                .contextWrite(context -> context.put(AnswerReservation.class, reservation))
                .doFinally(_ -> reservation.end());
    }

    /** Treats a user of another tenant as unknown, even if older data have two tenants under one number. */
    private static Caller ofTenant(Caller caller) {
        boolean isOwn = switch (caller.who()) {
            case Known known -> known.user().isOf(caller.server());
            case Locked(var user, var _) -> user.isOf(caller.server());
            case Anonymous _ -> true;
        };
        return isOwn ? caller : caller.as(new Anonymous(Reason.UNKNOWN));
    }

    /** 503 if the gateway's configuration has other tenants than this service: one tenant would get another tenant's data. */
    private void requireTenant(Caller caller) {
        var tenant = tenants.find(caller.tenant());
        boolean isOurs = tenant != null && tenant.serverName().equals(caller.server());
        if (!isOurs && caller.tenant().value() != NO_TENANT) {
            log.atError()
                    .addKeyValue("tenant", caller.tenant().value())
                    .addKeyValue("serverName", caller.server().value())
                    .log("a gateway has other tenants than this service: give both the same rookery.tenants");
            throw ApiException.unavailable(
                    "the parts of this server disagree about who is served, try again in a moment");
        }
    }

    private static Mono<Void> ofService(ServerWebExchange exchange, WebFilterChain chain, WholeBody body) {
        if (exchange.getRequest().getPath().value().startsWith(ServiceClient.FILES)) {
            return chain.filter(exchange); // the handler reads the body in parts
        }
        return body.keep(BodyLimits.BYTES_MAX, OF_SERVICES, "")
                .then(Mono.defer(() ->
                        chain.filter(exchange.mutate().request(body.replayed()).build())));
    }
}
