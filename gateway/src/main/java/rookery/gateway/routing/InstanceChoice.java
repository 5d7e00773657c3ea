// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.platform.instance.Instance;
import rookery.platform.instance.Instances;

/**
 * Routes a request to the instance of its key, or to the next instance if the connection is refused. A request that has been
 * sent is not repeated: a request that crashed one instance would crash the next, and a write may already have happened. The
 * client gets 503 and retries with its transaction id. The only exception is a read that a stopping instance has cut off
 * (decision 0020).
 */
@Component
class InstanceChoice implements GlobalFilter, Ordered {
    private static final Logger log = LoggerFactory.getLogger(InstanceChoice.class);
    private static final int ORDER = 10_000; // after the filters that write the answer, before the routing filter

    private final Instances instances;
    private final Suspects suspects = new Suspects();

    InstanceChoice(Instances instances) {
        this.instances = instances;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        var forward = ForwardedRequest.required(exchange);
        var ranked = suspects.last(instances.ranked(forward.instances(), forward.key()));
        return ranked.isEmpty() ? Mono.error(unavailable(forward)) : attempt(exchange, chain, ranked, 0);
    }

    private Mono<Void> attempt(ServerWebExchange exchange, GatewayFilterChain chain, List<Instance> ranked, int index) {
        var forward = ForwardedRequest.required(exchange);
        var instance = ranked.get(index % ranked.size());
        exchange.getAttributes().put(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR, forward.at(instance));
        return chain.filter(exchange).onErrorResume(failure -> {
            if (exchange.getResponse().isCommitted() || failure instanceof ApiException) {
                return Mono.error(failure);
            }
            note(failure, instance);
            boolean again = nothingListens(failure)
                    ? index + 1 < ranked.size()
                    : index == 0 && wasCutByStopping(exchange, failure, instance);
            if (!again) {
                return Mono.error(refusal(forward, failure));
            }
            exchange.getAttributes().remove(ServerWebExchangeUtils.GATEWAY_ALREADY_ROUTED_ATTR);
            return attempt(exchange, chain, ranked, index + 1);
        });
    }

    private boolean wasCutByStopping(ServerWebExchange exchange, Throwable failure, Instance instance) {
        return failure instanceof IOException
                && isRead(exchange)
                && instances.isStopping(ForwardedRequest.required(exchange).instances(), instance);
    }

    private static boolean nothingListens(Throwable failure) {
        return failure instanceof ConnectException || failure instanceof UnknownHostException;
    }

    private static boolean isRead(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        return (request.getMethod().equals(HttpMethod.GET)
                        || request.getMethod().equals(HttpMethod.HEAD))
                && request.getHeaders().getContentLength() <= 0;
    }

    private static Throwable refusal(ForwardedRequest forward, Throwable failure) {
        return failure instanceof IOException || failure instanceof ResponseStatusException
                ? unavailable(forward)
                : failure;
    }

    static ApiException unavailable(ForwardedRequest forward) {
        return ApiException.unavailable(forward.instances() + " is not available, try again in a moment");
    }

    private void note(Throwable failure, Instance instance) {
        if (nothingListens(failure) && !suspects.add(instance)) {
            return; // logged a moment ago
        }
        log.atWarn()
                .addKeyValue("instance", instance.name())
                .addKeyValue("cause", failure.toString())
                .log("an instance did not answer");
    }
}
