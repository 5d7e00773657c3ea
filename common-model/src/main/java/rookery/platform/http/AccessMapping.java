// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Locked;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access.Level;

/** Finds the handler, checks its access level, and only then reads the body (contract.md 2.2). */
public final class AccessMapping extends RequestMappingHandlerMapping {
    /**
     * Response header for the gateway: the template of the path, such as {@code /_api/client/v3/rooms/{roomId}/leave}. The
     * gateway measures by route and knows only paths. Clients do not see the header.
     */
    public static final String ROUTE_HEADER = "X-Rookery-Route";

    /** Exchange attribute: the caller of the request. Only the console replaces the caller, by the owner of its cookie. */
    public static final String CALLER = CallerFilter.ATTRIBUTE;

    private final BodyBudget bodies;
    /** Caches annotations by handler. */
    private final Map<Method, Level> levels = new ConcurrentHashMap<>();

    private final Map<Method, Set<ServiceName>> callers = new ConcurrentHashMap<>();

    public AccessMapping(BodyBudget bodies) {
        this.bodies = bodies;
    }

    @Override
    public Mono<HandlerMethod> getHandlerInternal(ServerWebExchange exchange) {
        return super.getHandlerInternal(exchange).flatMap(handler -> {
            PathPattern route = Objects.requireNonNull(exchange.getAttribute(BEST_MATCHING_PATTERN_ATTRIBUTE));
            CallerFilter.requireRoute(exchange, route);
            exchange.getResponse().getHeaders().set(ROUTE_HEADER, route.getPatternString());
            requireAccess(handler, exchange);
            return BodyStream.isTakenBy(handler)
                    ? Mono.just(handler)
                    : keepBody(exchange).thenReturn(handler);
        });
    }

    private Mono<Void> keepBody(ServerWebExchange exchange) {
        if (CallerFilter.isOfService(exchange)) {
            return Mono.empty(); // the filter has read the body
        }
        Caller caller = Objects.requireNonNull(exchange.getAttribute(CallerFilter.ATTRIBUTE));
        var request = exchange.getRequest();
        int most = BodyLimits.of(request.getMethod(), request.getPath().value(), caller.known() != null);
        return WholeBody.of(exchange).keep(most, bodies, caller.ip());
    }

    private void requireAccess(HandlerMethod handler, ServerWebExchange exchange) {
        if (CallerFilter.isOfService(exchange)) {
            var callers = this.callers.computeIfAbsent(
                    handler.getMethod(), method -> ServiceAccess.declared(method, handler.getBeanType()));
            ServiceAccess.require(exchange, callers);
            return;
        }
        var level = levels.computeIfAbsent(handler.getMethod(), _ -> level(handler, exchange));
        if (level == Level.NONE) {
            return;
        }
        Caller caller = Objects.requireNonNull(exchange.getAttribute(CallerFilter.ATTRIBUTE));
        switch (caller.who()) {
            case Known known -> {
                if (level == Level.ADMIN && !known.admin()) {
                    throw new ApiException(ErrorCode.M_FORBIDDEN, "only an administrator may do this");
                }
            }
            case Locked _ -> {
                if (level != Level.LOCKED_TOO) {
                    throw new ApiException(ErrorCode.M_USER_LOCKED, "this account is locked").with("soft_logout", true);
                }
            }
            case Anonymous(var reason) -> refuse(reason, level);
        }
    }

    private static void refuse(Reason reason, Level level) {
        switch (reason) {
            case MISSING -> {
                if (level != Level.OPTIONAL) {
                    throw new ApiException(
                            ErrorCode.M_MISSING_TOKEN, "send an access token in the Authorization header");
                }
            }
            case UNKNOWN -> throw unknown("the access token is not known", false);
            case EXPIRED -> throw unknown("the access token has expired", true);
        }
    }

    private static ApiException unknown(String reason, boolean softLogout) {
        return new ApiException(ErrorCode.M_UNKNOWN_TOKEN, reason).with("soft_logout", softLogout);
    }

    private static Level level(HandlerMethod handler, ServerWebExchange exchange) {
        var onMethod = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), Access.class);
        if (onMethod != null) {
            return onMethod.value();
        }
        var onType = AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), Access.class);
        return onType == null ? unsaid(exchange) : onType.value();
    }

    /** Administration paths require an administrator even without an annotation. */
    private static Level unsaid(ServerWebExchange exchange) {
        return exchange.getAttribute(BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof PathPattern route
                        && route.getPatternString().contains("/admin/")
                ? Level.ADMIN
                : Level.REQUIRED;
    }
}
