// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.NettyRoutingFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.http.client.HttpClient;
import rookery.platform.http.CallerSignature;

/**
 * Sends a request to the chosen instance with the headers of {@link PassedHeaders}, and reuses one HTTP client for all requests.
 */
final class ServiceRouting extends NettyRoutingFilter {
    private final HttpClient client;
    private final List<HttpHeadersFilter> headers;

    ServiceRouting(
            HttpClient client,
            ObjectProvider<List<HttpHeadersFilter>> unused,
            HttpClientProperties properties,
            CallerSignature signature) {
        super(client, unused, properties);
        this.client = client;
        this.headers = PassedHeaders.bothWays(signature);
    }

    @Override
    public @Nullable List<HttpHeadersFilter> getHeadersFilters() {
        return headers;
    }

    @Override
    protected HttpClient getHttpClient(Route route, ServerWebExchange exchange) {
        return client;
    }
}
