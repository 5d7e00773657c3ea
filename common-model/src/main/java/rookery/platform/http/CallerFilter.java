package rookery.platform.http;

import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;
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
 * Lets in only what the gateway vouches for, and on {@code /internal/**} only other services.
 *
 * <p>What has begun runs to its end, whether or not somebody still waits for the answer: a query that is cancelled in the middle
 * can leave its connection unusable, and the pool does not notice. Only long polls end with their client.
 */
@Component
@Order(0)
class CallerFilter implements WebFilter {
    static final String ATTRIBUTE = Caller.class.getName();

    private static final Logger log = LoggerFactory.getLogger(CallerFilter.class);
    private static final String INTERNAL = "/internal/";
    /** Of the few questions that are answered on any host. */
    private static final int NO_TENANT = 0;
    /** Services send what they have bounds for themselves. */
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

    /** Whether another service asks, and not the gateway for a client. */
    static boolean isOfService(ServerWebExchange exchange) {
        return ServiceAccess.caller(exchange) != null;
    }

    /**
     * M_FORBIDDEN unless services ask the routes that are for them, and clients the others. The path as it came says nothing about
     * that: what is matched is decoded and without its parameters.
     */
    static void requireRoute(ServerWebExchange exchange, PathPattern route) {
        if (route.getPatternString().startsWith(INTERNAL) != isOfService(exchange)) {
            throw ServiceAccess.refusal(exchange);
        }
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!own.equals(exchange.getApplicationContext())) {
            return chain.filter(
                    exchange); // the management port inherits this filter, and answers probes that nobody signs
        }
        boolean waits = longPollPaths.contains(exchange.getRequest().getPath().value());
        var body = WholeBody.of(exchange);
        var answer = Mono.defer(() -> judge(exchange, chain, body))
                .onErrorResume(failure -> body.drop().then(Mono.error(failure)))
                .doFinally(_ -> body.release());
        return waits ? answer : answer.cache(); // whoever leaves a cached mono does not cancel it
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
        String header = headers.getFirst(CallerSignature.HEADER);
        var caller = header == null ? null : callers.verified(header, method, path);
        if (caller == null) {
            return Mono.error(ServiceAccess.refusal(exchange));
        }
        requireTenant(caller);
        var served = ofTenant(caller);
        exchange.getAttributes().put(ATTRIBUTE, served);
        return budgeted(exchange, owner(served), chain::filter);
    }

    /** Whose share of the budget an answer is taken from. */
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

    /** A user of another tenant is nobody here, also in data where an older version has mixed two tenants under one number. */
    private static Caller ofTenant(Caller caller) {
        boolean isOwn = switch (caller.who()) {
            case Known known -> known.user().isOf(caller.server());
            case Locked(var user, var _) -> user.isOf(caller.server());
            case Anonymous _ -> true;
        };
        return isOwn
                ? caller
                : new Caller(
                        caller.tenant(),
                        caller.server(),
                        new Anonymous(Reason.UNKNOWN),
                        caller.prefix(),
                        caller.ip(),
                        caller.requestId(),
                        caller.expiry());
    }

    /** 503 where the gateway was configured with other tenants than this service: one would be served what is another's. */
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
        return body.keep(BodyLimits.BYTES_MAX, OF_SERVICES, "")
                .then(Mono.defer(() ->
                        chain.filter(exchange.mutate().request(body.replayed()).build())));
    }
}
