package rookery.platform.http;

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
import rookery.platform.json.StrictJson;

/** Hands a handler its {@link Caller} and its {@link JsonBody}; answers are JSON whatever the client says it accepts. */
@Component
class HandlerArguments implements WebFluxConfigurer {
    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final int KEYS_BODY_BYTES_MAX = WholeBody.BYTES_MAX; // /keys/* and /sendToDevice, CONTRACT.md 2.1

    @Override
    public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
        resolvers.addCustomResolver(new CallerArgument(), new BodyArgument());
    }

    @Override
    public void configureContentTypeResolver(RequestedContentTypeResolverBuilder builder) {
        builder.fixedResolver(MediaType.APPLICATION_JSON);
    }

    private static final class CallerArgument implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == Caller.class;
        }

        @Override
        public Mono<Object> resolveArgument(
                MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
            return Mono.justOrEmpty(exchange.<Object>getAttribute(CallerFilter.ATTRIBUTE));
        }
    }

    private static final class BodyArgument implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == JsonBody.class;
        }

        @Override
        public Mono<Object> resolveArgument(
                MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
            String path = exchange.getRequest().getPath().value();
            int most =
                    path.contains("/keys/") || path.contains("/sendToDevice/") ? KEYS_BODY_BYTES_MAX : BODY_BYTES_MAX;
            return Mono.fromSupplier(() -> new JsonBody(StrictJson.object(WholeBody.bytes(exchange, most))));
        }
    }
}
