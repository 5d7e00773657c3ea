// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.push.gateway.GatewayAnswer;
import rookery.push.gateway.GatewayAnswer.Refused;
import rookery.push.gateway.GatewayAnswer.Taken;
import rookery.push.gateway.GatewayAnswer.Unreachable;

/** Metrics of deliveries, without tenants and users. */
@Component
class DeliveryMeters {
    private final Map<Outcome, Counter> outcomes = new EnumMap<>(Outcome.class);
    private final Timer taken;
    private final Timer refused;
    private final Timer unreachable;
    private final AtomicLong overdueMillis = new AtomicLong();
    private final AtomicLong depth = new AtomicLong();

    DeliveryMeters(MeterRegistry meters) {
        for (var outcome : Outcome.values()) {
            outcomes.put(
                    outcome,
                    Counter.builder("push.attempts")
                            .tag("outcome", outcome.word())
                            .description("units that were attempted or dropped, by what they are afterwards")
                            .register(meters));
        }
        this.taken = timer(meters, "taken");
        this.refused = timer(meters, "refused");
        this.unreachable = timer(meters, "unreachable");
        Gauge.builder("push.queue.depth", depth, AtomicLong::get)
                .description(
                        "units that wait for their delivery, of all instances together; 100000 means at least that many")
                .register(meters);
        Gauge.builder("push.queue.overdue", overdueMillis, millis -> millis.get() / 1000.0)
                .baseUnit("seconds")
                .description("how long the unit that should have been attempted first is waiting")
                .register(meters);
    }

    private static Timer timer(MeterRegistry meters, String answer) {
        return Timer.builder("push.gateway.requests")
                .tag("answer", answer)
                .description("requests to push gateways")
                .publishPercentileHistogram()
                .register(meters);
    }

    void ended(Outcome outcome) {
        Objects.requireNonNull(outcomes.get(outcome)).increment();
    }

    void overdue(long millis) {
        overdueMillis.set(millis);
    }

    void depth(long units) {
        depth.set(units);
    }

    Mono<GatewayAnswer> timed(Mono<GatewayAnswer> request) {
        return request.elapsed().map(timed -> {
            timer(timed.getT2()).record(timed.getT1(), TimeUnit.MILLISECONDS);
            return timed.getT2();
        });
    }

    private Timer timer(GatewayAnswer answer) {
        return switch (answer) {
            case Taken _ -> taken;
            case Refused _ -> refused;
            case Unreachable _ -> unreachable;
        };
    }
}
