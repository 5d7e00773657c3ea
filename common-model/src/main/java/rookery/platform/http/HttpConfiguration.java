// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.random.RandomGenerator;
import org.springframework.boot.webflux.autoconfigure.WebFluxRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import rookery.model.token.TokenCodec;

/** Registers the access check as handler mapping, the budget of responses and the token codec. */
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
    static AnswerBudget answerBudget(HttpProperties properties) {
        long bytes = properties.answers().toBytes();
        return bytes == 0 ? AnswerBudget.ofProcess() : new AnswerBudget(bytes);
    }

    @Bean
    static MeterBinder answerMeter(AnswerBudget answers) {
        return meters -> Gauge.builder("answers_reserved_bytes", answers, AnswerBudget::reservedBytes)
                .description("reserved memory of responses that clients have not read yet, of an eighth of the heap")
                .register(meters);
    }

    @Bean
    static MeterBinder versionMeter() {
        var version = HttpConfiguration.class.getPackage().getImplementationVersion();
        return meters -> Gauge.builder("instance_version", () -> 1)
                .description("1 for the version of the instance")
                .tag("version", version == null ? "0.0.0" : version)
                .register(meters);
    }

    @Bean
    @Lazy // only services that write tokens have the key
    static TokenCodec tokenCodec(InternalProperties properties, RandomGenerator random) {
        return new TokenCodec(properties.required(ServiceName.TOKENS), random);
    }
}
