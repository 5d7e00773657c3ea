// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.health;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.accept.RequestedContentTypeResolverBuilder;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Answers JSON regardless of the Accept header (contract.md 2.1). */
@Configuration(proxyBeanMethods = false)
class JsonAnswers implements WebFluxConfigurer {
    @Override
    public void configureContentTypeResolver(RequestedContentTypeResolverBuilder builder) {
        builder.fixedResolver(MediaType.APPLICATION_JSON);
    }
}
