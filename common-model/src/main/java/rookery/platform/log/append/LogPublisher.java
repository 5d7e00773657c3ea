// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.ProducerListener;
import rookery.model.topic.LogRecord;
import rookery.platform.log.text.TopicSerde;

/**
 * Publishes committed entries on the log's topic, from its own thread, because {@code send} can block and no append may wait
 * for Kafka.
 *
 * <p>Publishing is best effort: when the queue is full or Kafka is away, entries are dropped, and every follower detects the hole
 * and reads it from the owner.
 */
public final class LogPublisher implements Consumer<List<LogRecord>>, DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(LogPublisher.class);
    private static final int WAITING_MAX = 10_000;

    private final String topic;
    private final KafkaTemplate<String, byte[]> kafka;
    private final BlockingQueue<LogRecord> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Counter dropped;
    private final MeterProvider<Counter> persisted;
    private final Thread sender;
    private volatile boolean stopped;

    public LogPublisher(String topic, KafkaTemplate<String, byte[]> kafka, MeterRegistry meters) {
        this.topic = topic;
        this.kafka = kafka;
        kafka.setProducerListener(new ProducerListener<>() {}); // the default listener logs every failed record
        this.dropped = Counter.builder("log_announcements_dropped")
                .description("entries whose announcement was dropped; followers read them from the owner")
                .tag("topic", topic)
                .register(meters);
        this.persisted = Counter.builder("events_persisted")
                .description("entries that were committed to a log, by their kind")
                .withRegistry(meters);
        this.sender = Thread.ofPlatform().name("publish-" + topic).daemon().start(this::run);
    }

    @Override
    public void accept(List<LogRecord> entries) {
        for (var entry : entries) {
            persisted.withTag("kind", entry.kind()).increment();
            if (!waiting.offer(entry)) {
                dropped.increment();
            }
        }
    }

    private void run() {
        while (!stopped) {
            try {
                send(waiting.take());
            } catch (InterruptedException e) {
                return; // stopping
            } catch (RuntimeException e) {
                dropped.increment(waiting.size() + 1.0);
                waiting.clear(); // each would block as long, one after the other
                log.atWarn()
                        .addKeyValue("topic", topic)
                        .addKeyValue("cause", e.getMessage())
                        .log("kafka takes no entries");
            }
        }
    }

    private void send(LogRecord entry) {
        var _ = kafka.send(TopicSerde.toTopic(topic, entry)).whenComplete((_, failure) -> {
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
