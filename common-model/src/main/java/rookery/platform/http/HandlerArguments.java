package rookery.platform.http;

import org.springframework.core.MethodParameter;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
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
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.json.StrictJson;

/** Hands a handler its {@link Caller} and its {@link JsonBody}; answers are JSON whatever the client says it accepts. */
@Component
class HandlerArguments implements WebFluxConfigurer {
    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final int KEYS_BODY_BYTES_MAX = 5 << 20; // /keys/* and /sendToDevice, CONTRACT.md 2.1

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
            var request = exchange.getRequest();
            String path = request.getPath().value();
            int most =
                    path.contains("/keys/") || path.contains("/sendToDevice/") ? KEYS_BODY_BYTES_MAX : BODY_BYTES_MAX;
            if (request.getHeaders().getContentLength() > most) {
                return Mono.error(tooLarge(most));
            }
            return DataBufferUtils.join(request.getBody(), most)
                    .onErrorMap(DataBufferLimitException.class, _ -> tooLarge(most))
                    .map(BodyArgument::bytes)
                    .defaultIfEmpty(new byte[0])
                    .map(bytes -> new JsonBody(StrictJson.object(bytes)));
        }

        private static byte[] bytes(DataBuffer buffer) {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            DataBufferUtils.release(buffer);
            return bytes;
        }

        private static ApiException tooLarge(int most) {
            return new ApiException(ErrorCode.M_TOO_LARGE, "a body here has at most " + most + " bytes");
        }
    }
}
