// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.support.RouteMetadataUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;
import rookery.gateway.hardening.ConnectionProperties;
import rookery.gateway.routing.Destination.Kind;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.MediaProperties;

/** One route for each response timeout; {@link PathTable} decides about the route. */
@Configuration(proxyBeanMethods = false)
class RoutingConfiguration {
    static final Duration LONG_POLL_MAX = Duration.ofSeconds(30 + 15); // contract.md D17, plus the time to answer
    /** The time a service has to store a complete upload. */
    private static final Duration TIME_TO_STORE = Duration.ofSeconds(15);

    private static final Set<Kind> ORDINARY =
            Set.of(Kind.REQUEST, Kind.HEAVY, Kind.USERINFO, Kind.MEDIA, Kind.DOWNLOAD);

    private static final String TIMEOUT = RouteMetadataUtils.RESPONSE_TIMEOUT_ATTR;
    private static final String NO_ADDRESS_YET = "http://service:1";

    @Bean
    static RouteLocator serviceRoutes(ConnectionProperties connections, MediaProperties media) {
        var uploadMax = connections.longestUpload(media).plus(TIME_TO_STORE);
        var routes = List.of(
                route("requests", ORDINARY).build(),
                route("long-polls", Set.of(Kind.LONG_POLL))
                        .metadata(TIMEOUT, LONG_POLL_MAX.toMillis())
                        .build(),
                route("uploads", Set.of(Kind.UPLOAD))
                        .metadata(TIMEOUT, uploadMax.toMillis())
                        .build());
        return () -> Flux.fromIterable(routes);
    }

    private static Route.AsyncBuilder route(String id, Set<Kind> kinds) {
        return Route.async().id(id).uri(NO_ADDRESS_YET).predicate(exchange -> ForwardedRequest.isIn(exchange, kinds));
    }

    @Bean
    static ServiceRouting serviceRouting(
            HttpClient client,
            ObjectProvider<List<HttpHeadersFilter>> filters,
            HttpClientProperties properties,
            CallerSignature signature) {
        return new ServiceRouting(client, filters, properties, signature);
    }

    @Bean
    static NettyWriteResponseFilter answerWriting(ObjectProvider<List<HttpHeadersFilter>> filters) {
        return new NettyWriteResponseFilter(List.of(), filters);
    }

    /** Uses the event loops of the public port, so a request need not change threads on its way to a service. */
    @Bean
    static HttpClientCustomizer loops(ReactorResourceFactory resources) {
        return client -> client.runOn(resources.getLoopResources());
    }
}
