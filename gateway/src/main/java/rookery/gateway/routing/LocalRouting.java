// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.gateway.config.HttpClientProperties;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.gateway.routing.Destination.Kind;
import rookery.platform.http.LocalCall;
import rookery.platform.http.LocalServices;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;

/**
 * Answers a request by a call if the instance of its key is a service of this JVM (decision 0027). Files keep their connection
 * to the service: its buffers, and not the memory of this JVM, wait for the slower side.
 */
@Component
public class LocalRouting {
    private static final Logger log = LoggerFactory.getLogger(LocalRouting.class);
    private static final Set<Kind> CALLED = Set.of(Kind.REQUEST, Kind.HEAVY, Kind.USERINFO, Kind.LONG_POLL);

    private final @Nullable LocalServices services;
    private final Instances instances;
    private final Duration patience;

    LocalRouting(ObjectProvider<LocalServices> services, Instances instances, HttpClientProperties http) {
        this.services = services.getIfAvailable();
        this.instances = instances;
        this.patience = http.getResponseTimeout();
    }

    /** The answer of the service in this JVM, or null if the request needs a connection. */
    public @Nullable Mono<Void> answer(ServerWebExchange exchange, ForwardedRequest forward) {
        if (services == null || !CALLED.contains(forward.to().kind())) {
            return null;
        }
        var ranked = instances.ranked(forward.instances(), forward.key());
        var service = ranked.isEmpty() ? null : services.of(ranked.getFirst());
        if (service == null) {
            return null;
        }
        var instance = ranked.getFirst();
        return service.answer(call(exchange, forward, instance))
                .onErrorMap(TimeoutException.class, failure -> unavailable(forward, instance, failure))
                .onErrorMap(ConnectException.class, failure -> unavailable(forward, instance, failure));
    }

    private LocalCall call(ServerWebExchange exchange, ForwardedRequest forward, Instance instance) {
        var request = exchange.getRequest();
        return new LocalCall(
                exchange,
                URI.create(forward.at(instance).toASCIIString()),
                PassedHeaders.toService(request.getHeaders(), forward),
                forward.caller().get(),
                headers -> PassedHeaders.toClient(headers, request),
                forward.to().kind() == Kind.LONG_POLL ? RoutingConfiguration.LONG_POLL_MAX : patience);
    }

    private static RuntimeException unavailable(ForwardedRequest forward, Instance instance, Throwable failure) {
        log.atWarn()
                .addKeyValue("instance", instance.name())
                .addKeyValue("cause", failure.toString())
                .log("an instance did not answer");
        return InstanceChoice.unavailable(forward);
    }
}
