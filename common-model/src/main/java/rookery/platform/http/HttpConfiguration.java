package rookery.platform.http;

import java.util.random.RandomGenerator;
import org.springframework.boot.webflux.autoconfigure.WebFluxRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import rookery.model.token.TokenCodec;

/** Puts the access check into the handler mapping, and the token codec beside it. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration {
    @Bean
    static WebFluxRegistrations accessChecked() {
        return new WebFluxRegistrations() {
            @Override
            public RequestMappingHandlerMapping getRequestMappingHandlerMapping() {
                return new AccessMapping(BodyBudget.ofHeap());
            }
        };
    }

    @Bean
    @Lazy // only services that make tokens have the key
    static TokenCodec tokenCodec(InternalProperties properties, RandomGenerator random) {
        return new TokenCodec(properties.required(ServiceName.TOKENS), random);
    }
}
