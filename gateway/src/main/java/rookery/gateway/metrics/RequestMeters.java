// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.http.HttpRequest;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import rookery.platform.metrics.DurationBuckets;

/**
 * Measures every request of the public port until its answer is written (contract.md 4): {@code http_requests_total} by method,
 * route and status, {@code http_request_duration_seconds} by method and route, and {@code http_in_flight}.
 *
 * <p>A route is the path template from the answering service; {@code unmatched} is a request without handler, such as a request
 * refused by the rate limiter. A client that disconnected before the answer has the status 499.
 */
@Component
public class RequestMeters implements WebHttpHandlerBuilderCustomizer {
    private static final String ROUTE = RequestMeters.class.getName() + ".route";
    private static final String UNMATCHED = "unmatched";
    private static final int CLIENT_GONE = 499;
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

    private final MeterRegistry meters;
    private final AtomicInteger inFlight = new AtomicInteger();
    /** Bounded by the numbers of routes, methods and statuses; clients cannot add entries. */
    private final Map<RouteStatus, Counter> counters = new ConcurrentHashMap<>();

    private final Map<Route, Timer> timers = new ConcurrentHashMap<>();

    RequestMeters(MeterRegistry meters) {
        this.meters = meters;
        Gauge.builder("http_in_flight", inFlight, AtomicInteger::get)
                .description("requests that wait for their answer, parked polls included")
                .register(meters);
    }

    private record Route(String method, String template) {}

    private record RouteStatus(Route route, int status) {}

    /** Sets the route under which the request is counted. */
    public static void route(HttpRequest request, String template) {
        request.getAttributes().put(ROUTE, template);
    }

    @Override
    public void customize(WebHttpHandlerBuilder builder) {
        builder.httpHandlerDecorator(handler -> (request, response) -> measured(handler, request, response));
    }

    private Mono<Void> measured(HttpHandler handler, ServerHttpRequest request, ServerHttpResponse response) {
        return Mono.defer(() -> {
            long began = System.nanoTime();
            inFlight.incrementAndGet();
            return handler.handle(request, response).doFinally(end -> ended(request, response, end, began));
        });
    }

    private void ended(ServerHttpRequest request, ServerHttpResponse response, SignalType end, long began) {
        inFlight.decrementAndGet();
        var template = request.getAttributes().getOrDefault(ROUTE, UNMATCHED).toString();
        var method = request.getMethod().name();
        var route = new Route(METHODS.contains(method) ? method : "OTHER", template);
        var status = end == SignalType.CANCEL ? null : response.getStatusCode();
        counters.computeIfAbsent(new RouteStatus(route, status == null ? CLIENT_GONE : status.value()), this::counter)
                .increment();
        timers.computeIfAbsent(route, this::timer).record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    }

    private Counter counter(RouteStatus answered) {
        return Counter.builder("http_requests")
                .description("requests by the template of their path and the status of their answer")
                .tags("method", answered.route.method, "route", answered.route.template)
                .tag("status", Integer.toString(answered.status))
                .register(meters);
    }

    private Timer timer(Route route) {
        return Timer.builder("http_request_duration")
                .description("time from a request to the end of its answer")
                .tags("method", route.method, "route", route.template)
                .serviceLevelObjectives(DurationBuckets.all())
                .register(meters);
    }
}
