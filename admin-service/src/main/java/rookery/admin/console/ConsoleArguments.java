// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.util.Objects;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Resolves the handler argument {@link Form}, which {@link ConsoleFilter} has read and checked. */
@Component
class ConsoleArguments implements WebFluxConfigurer, HandlerMethodArgumentResolver {
    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
        resolvers.addCustomResolver(this);
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Form.class;
    }

    @Override
    public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
        return Mono.fromSupplier(() -> Objects.requireNonNull(exchange.getAttribute(Form.ATTRIBUTE)));
    }
}
