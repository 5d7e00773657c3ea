// SPDX-License-Identifier: Apache-2.0
package rookery.admin.canary;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.metrics.DurationBuckets;

/**
 * Sends a message through the gateway at an interval and waits for the message in a long poll, as a client does:
 * {@code canary_delivery_seconds} is the time from the sending to the answer of the poll, {@code canary_failures_total} counts
 * the messages that did not arrive. Other metrics measure only the traffic of users; the canary shows that delivery works when no
 * user is active.
 */
@Component
@ConditionalOnProperty("rookery.admin.canary.url")
class Canary {
    private static final Logger log = LoggerFactory.getLogger(Canary.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CanaryClient client;
    private final Timer delivery;
    private final Counter failures;
    /** The session with its latest sync token; null when the next round has to log in first. */
    private volatile CanaryClient.@Nullable Session session;

    Canary(CanaryClient client, MeterRegistry meters) {
        this.client = client;
        this.delivery = Timer.builder("canary_delivery")
                .description(
                        "from sending a message to the answer of the long poll that waited for it, through the gateway")
                .serviceLevelObjectives(DurationBuckets.all())
                .register(meters);
        this.failures = Counter.builder("canary_failures")
                .description("messages of the canary that could not be sent or did not arrive within 30 s")
                .register(meters);
    }

    @Scheduled(fixedDelayString = "${rookery.admin.canary.interval}")
    Mono<Void> round() {
        return Mono.defer(() -> {
            var last = session;
            return (last == null ? client.enter() : Mono.just(last))
                    .flatMap(this::delivered)
                    .timeout(PATIENCE)
                    .doOnNext(now -> session = now)
                    .onErrorResume(this::failed)
                    .then();
        });
    }

    private Mono<CanaryClient.Session> delivered(CanaryClient.Session from) {
        return Mono.defer(() -> {
            long began = System.nanoTime();
            var id = Long.toString(began);
            return Mono.zip(client.arrival(from, id), client.send(from, id)).map(both -> {
                delivery.record(both.getT1().atNanos() - began, TimeUnit.NANOSECONDS);
                return from.since(both.getT1().since());
            });
        });
    }

    private Mono<CanaryClient.Session> failed(Throwable cause) {
        session = null;
        failures.increment();
        log.atWarn().addKeyValue("cause", cause.toString()).log("the canary's message was not delivered");
        return Mono.empty();
    }
}
