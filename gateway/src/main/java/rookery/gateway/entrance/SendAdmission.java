// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import rookery.gateway.routing.Destination.Service;
import rookery.model.error.ApiException;

/**
 * Refuses new sends with 503, before any work is done on them, while accepted sends wait longer than the target (decision 0029).
 * Polls and all other requests are not affected.
 */
@Component
class SendAdmission {
    private static final int RETRY_SECONDS = 2;
    private static final int OK = 200;
    /** So few waiting sends are no overload: a service that starts is slow, too. */
    private static final int LEAST = 64;

    private static final String SEND = "/send/";

    private final SendQueue queue;
    private final Counter refused;

    SendAdmission(WaitingProperties properties, MeterRegistry meters) {
        int most = Math.max(1, properties.most() / 2); // the other half is for other requests
        queue = new SendQueue(Math.min(most, LEAST), most, properties.target().toNanos(), System::nanoTime);
        refused = Counter.builder("gateway_sends_refused")
                .description("sends that were refused because accepted sends waited too long")
                .register(meters);
        Gauge.builder("gateway_sends_limit", queue, SendQueue::limit)
                .description("how many sends may wait for an answer")
                .register(meters);
    }

    /** The request; a send takes a place until its end, or fails with 503. */
    Mono<Void> within(ServerWebExchange exchange, Service service, RequestFacts facts, Mono<Void> request) {
        boolean isSend = exchange.getRequest().getMethod().equals(HttpMethod.PUT)
                && service.key() != null
                && service.path().contains(SEND);
        return isSend ? Mono.defer(() -> send(exchange, facts, request)) : request;
    }

    private Mono<Void> send(ServerWebExchange exchange, RequestFacts facts, Mono<Void> request) {
        int tenant = facts.tenantNumber();
        var client = client(facts);
        if (!queue.enter(tenant, client)) {
            refused.increment();
            return Mono.error(ApiException.unavailable("too many messages are on their way, try again in a moment")
                    .withRetryAfter(RETRY_SECONDS));
        }
        long enteredAt = System.nanoTime();
        return request.doFinally(end -> {
            if (end == SignalType.ON_COMPLETE && isOk(exchange)) {
                queue.leave(tenant, client, enteredAt);
            } else {
                queue.leave(tenant, client);
            }
        });
    }

    private static boolean isOk(ServerWebExchange exchange) {
        var status = exchange.getResponse().getStatusCode();
        return status != null && status.value() == OK;
    }

    private static Object client(RequestFacts facts) {
        return facts.tokenHash() == null ? facts.address().counted() : facts.tokenHash();
    }
}
