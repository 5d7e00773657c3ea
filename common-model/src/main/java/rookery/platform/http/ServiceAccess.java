// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.server.ServerWebExchange;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** Access of services to each other, after the check of their credential. */
public final class ServiceAccess {
    private static final Logger log = LoggerFactory.getLogger(ServiceAccess.class);
    private static final String ATTRIBUTE = ServiceAccess.class.getName();

    private ServiceAccess() {}

    static void set(ServerWebExchange exchange, ServiceName caller) {
        exchange.getAttributes().put(ATTRIBUTE, caller);
    }

    /** The calling service, or null for the gateway on behalf of a client. */
    static @Nullable ServiceName caller(ServerWebExchange exchange) {
        return exchange.getAttribute(ATTRIBUTE);
    }

    /**
     * Refuses calls of undeclared services with M_FORBIDDEN. For functional handlers, which cannot have the annotation {@link Callers}.
     */
    public static void require(ServerWebExchange exchange, Set<ServiceName> declared) {
        var caller = caller(exchange);
        if (caller == null || !declared.contains(caller)) {
            throw refusal(exchange);
        }
    }

    /** The services in the annotation of a handler. */
    public static Set<ServiceName> declared(Method handler, Class<?> type) {
        var onMethod = AnnotatedElementUtils.findMergedAnnotation(handler, Callers.class);
        var callers = onMethod != null ? onMethod : AnnotatedElementUtils.findMergedAnnotation(type, Callers.class);
        return callers == null ? Set.of() : Set.of(callers.value());
    }

    static ApiException refusal(ServerWebExchange exchange) {
        log.atWarn()
                .addKeyValue("path", exchange.getRequest().getPath())
                .addKeyValue("peer", exchange.getRequest().getRemoteAddress())
                .addKeyValue("service", caller(exchange))
                .log("refused a call without a signature of the gateway or of a permitted service");
        return new ApiException(ErrorCode.M_FORBIDDEN, "this port is not for clients");
    }
}
