// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.Objects;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Drops empty query parameters of clients, such as {@code from=} (contract.md 2.1): clients send them for absent values, and no
 * parameter of the API has a meaning when empty. An empty delay stays, so that the event is refused and not sent at once. A DELETE keeps its empty parameters: without {@code app_id}, for example, it
 * deletes the pushers of all apps.
 */
@Component
@Order(2) // behind CallerFilter, which authenticates the caller
class EmptyParameters implements WebFilter {
    private static final String CLIENTS = "/_api/";
    private static final String DELAY = "org.matrix.msc4140.delay";

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        var request = exchange.getRequest();
        boolean mayBeEmpty = request.getPath().value().startsWith(CLIENTS)
                && !request.getMethod().equals(HttpMethod.DELETE);
        return mayBeEmpty && hasEmpty(request.getQueryParams())
                ? chain.filter(
                        exchange.mutate().request(new WithoutEmpty(request)).build())
                : chain.filter(exchange);
    }

    private static boolean hasEmpty(MultiValueMap<String, String> parameters) {
        return parameters.values().stream().anyMatch(values -> values.contains(""));
    }

    private static final class WithoutEmpty extends ServerHttpRequestDecorator {
        private final MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();

        WithoutEmpty(ServerHttpRequest request) {
            super(request);
            request.getQueryParams()
                    .forEach((name, values) -> values.stream()
                            .filter(value -> name.equals(DELAY) || !Objects.equals(value, ""))
                            .forEach(value -> parameters.add(name, value)));
        }

        @Override
        public MultiValueMap<String, String> getQueryParams() {
            return parameters;
        }
    }
}
