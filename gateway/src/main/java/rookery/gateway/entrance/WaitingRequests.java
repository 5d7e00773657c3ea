// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.gateway.routing.Destination.Kind;
import rookery.model.error.ApiException;
import rookery.platform.tenant.TenantPlaces;

/**
 * Bounds the requests of this gateway that wait for the answer of a service (contract.md 2.6). Under overload the excess is
 * refused with 503 within milliseconds, the tenant's with most waiting requests first; without the bound, the waiting requests would use up the descriptors of the process. A
 * long poll is never refused here: ParkedPolls and the bound on connections apply to polls. A request is counted from the time
 * when its body is complete, so slow senders take no place, until the service's answer begins, so slow readers take none either.
 */
@Component
class WaitingRequests {
    private static final int RETRY_SECONDS = 2;

    private final TenantPlaces places;
    private final Counter refused;

    WaitingRequests(WaitingProperties properties, MeterRegistry meters) {
        this.places = new TenantPlaces(properties.most());
        this.refused = Counter.builder("gateway_waiting_refused")
                .description("requests that were refused because too many waited for a service")
                .register(meters);
        Gauge.builder("gateway_waiting_requests", places, TenantPlaces::taken)
                .description("requests that wait for the answer of a service, long polls and files apart")
                .register(meters);
    }

    /** ApiException (503) if no place is free: for a request on which no work was done yet. */
    void requirePlace(int tenant, Kind kind) {
        if (isCounted(kind) && !places.hasPlace(tenant)) {
            throw refusal();
        }
    }

    /**
     * The request, counted from its subscription until its response is committed, fails or is cancelled; 503 if no place is free.
     */
    Mono<Void> within(ServerWebExchange exchange, int tenant, Kind kind, Mono<Void> request) {
        return isCounted(kind) ? Mono.defer(() -> counted(exchange, tenant, request)) : request;
    }

    private Mono<Void> counted(ServerWebExchange exchange, int tenant, Mono<Void> request) {
        if (!places.take(tenant)) {
            return Mono.error(refusal());
        }
        var waits = new AtomicBoolean(true);
        Runnable end = () -> {
            if (waits.getAndSet(false)) {
                places.giveBack(tenant);
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
