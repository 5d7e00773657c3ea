// SPDX-License-Identifier: Apache-2.0
package rookery.platform.ephemeral;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.core.KafkaTemplate;
import rookery.model.topic.EphemeralRecord;
import rookery.model.topic.Topics;

/**
 * Publishes typing and presence from its own thread, because {@code send} can block and no request may wait for Kafka. While
 * Kafka is away, records are dropped and only counted.
 */
public final class EphemeralPublisher implements DisposableBean {
    private static final int WAITING_MAX = 1_000;
    private static final Duration STALE = Duration.ofSeconds(5);

    private final KafkaTemplate<String, byte[]> kafka;
    private final Clock clock;
    private final BlockingQueue<EphemeralRecord> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Counter dropped;
    private final Thread sender;
    private volatile boolean stopped;

    public EphemeralPublisher(KafkaTemplate<String, byte[]> kafka, Clock clock, MeterRegistry meters) {
        this.kafka = kafka;
        this.clock = clock;
        this.dropped = Counter.builder("ephemeral_dropped")
                .description("typing and presence records that were dropped")
                .register(meters);
        this.sender =
                Thread.ofPlatform().name("publish-" + Topics.EPHEMERAL).daemon().start(this::run);
    }

    /** Never blocks and never fails. */
    public void publish(EphemeralRecord record) {
        if (!waiting.offer(record)) {
            dropped.increment();
        }
    }

    private void run() {
        while (!stopped) {
            try {
                send(waiting.take());
            } catch (InterruptedException e) {
                return; // stopping
            } catch (RuntimeException e) {
                dropped.increment(); // LogPublisher logs that Kafka is away
            }
        }
    }

    private void send(EphemeralRecord record) {
        if (clock.millis() - record.ts() > STALE.toMillis()) {
            dropped.increment(); // a record from before Kafka's return is out of date
            return;
        }
        var _ = kafka.send(EphemeralSerde.toTopic(record)).whenComplete((_, failure) -> {
            if (failure != null) {
                dropped.increment();
            }
        });
    }

    @Override
    public void destroy() {
        stopped = true;
        sender.interrupt();
    }
}
