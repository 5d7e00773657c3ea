// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.gateway.routing.Destination.Kind;
import rookery.model.error.ApiException;

/**
 * Bounds the requests of this gateway that wait for the answer of a service (contract.md 2.6). Under overload the excess is
 * refused with 503 within milliseconds; without the bound, the waiting requests would use up the descriptors of the process. A
 * long poll is never refused here: ParkedPolls and the bound on connections apply to polls. A request is counted from the time
 * when its body is complete, so slow senders take no place, until the service's answer begins, so slow readers take none either.
 */
@Component
class WaitingRequests {
    private static final int RETRY_SECONDS = 2;

    private final AtomicInteger waiting = new AtomicInteger();
    private final int most;
    private final Counter refused;

    WaitingRequests(WaitingProperties properties, MeterRegistry meters) {
        this.most = properties.most();
        this.refused = Counter.builder("gateway_waiting_refused")
                .description("requests that were refused because too many waited for a service")
                .register(meters);
        Gauge.builder("gateway_waiting_requests", waiting, AtomicInteger::get)
                .description("requests that wait for the answer of a service, long polls and files apart")
                .register(meters);
    }

    /** ApiException (503) if no place is free: for a request on which no work was done yet. */
    void requirePlace(Kind kind) {
        if (isCounted(kind) && waiting.get() >= most) {
            throw refusal();
        }
    }

    /**
     * The request, counted from its subscription until its response is committed, fails or is cancelled; 503 if no place is free.
     */
    Mono<Void> within(ServerWebExchange exchange, Kind kind, Mono<Void> request) {
        return isCounted(kind) ? Mono.defer(() -> counted(exchange, request)) : request;
    }

    private Mono<Void> counted(ServerWebExchange exchange, Mono<Void> request) {
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            return Mono.error(refusal());
        }
        var waits = new AtomicBoolean(true);
        Runnable end = () -> {
            if (waits.getAndSet(false)) {
                waiting.decrementAndGet();
            }
        };
        exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(end));
        return request.doFinally(_ -> end.run());
    }

    private static boolean isCounted(Kind kind) {
        return switch (kind) {
            case REQUEST, HEAVY, MEDIA, USERINFO -> true;
            case LONG_POLL, DOWNLOAD, UPLOAD -> false;
        };
    }

    private ApiException refusal() {
        refused.increment();
        return ApiException.unavailable("too many requests wait for an answer, try again in a moment")
                .withRetryAfter(RETRY_SECONDS);
    }
}
