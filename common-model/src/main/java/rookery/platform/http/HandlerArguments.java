// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.accept.RequestedContentTypeResolverBuilder;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;

/**
 * Resolves the handler arguments {@link Caller}, {@link JsonBody} and {@link BodyStream}. Responses are JSON regardless of the
 * Accept header.
 */
@Component
class HandlerArguments implements WebFluxConfigurer {
    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
        resolvers.addCustomResolver(
                new Argument<>(Caller.class, exchange -> exchange.getAttribute(CallerFilter.ATTRIBUTE)),
                new Argument<>(JsonBody.class, JsonBody::of),
                new Argument<>(BodyStream.class, exchange -> new BodyStream(WholeBody.of(exchange))));
    }

    @Override
    public void configureContentTypeResolver(RequestedContentTypeResolverBuilder builder) {
        builder.fixedResolver(MediaType.APPLICATION_JSON);
    }

    /** The argument of one type, which a function reads from the exchange. */
    private record Argument<T>(Class<T> type, Function<ServerWebExchange, @Nullable T> value)
            implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == type;
        }

        @Override
        public Mono<Object> resolveArgument(
                MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
            return Mono.fromSupplier(() -> value.apply(exchange));
        }
    }
}
