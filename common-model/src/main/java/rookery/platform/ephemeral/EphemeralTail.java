// SPDX-License-Identifier: Apache-2.0
package rookery.platform.ephemeral;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import rookery.model.topic.EphemeralRecord;
import rookery.model.topic.Topics;
import rookery.platform.kafka.ConsumerThread;

/**
 * Reads the whole ephemeral topic: at the start the last two minutes, then every new record. The tail waits for Kafka without a
 * limit, and no other work waits for the tail.
 */
public final class EphemeralTail implements AutoCloseable {
    /** Older records are out of date. */
    public static final Duration REPLAYED = Duration.ofMinutes(2);

    private static final Logger log = LoggerFactory.getLogger(EphemeralTail.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final java.util.function.Consumer<EphemeralRecord> taker;
    private final Clock clock;
    private final ConsumerThread<Consumer<String, byte[]>> thread;
    /** The next offset by partition, once the partition has been read. */
    private final Map<TopicPartition, Long> next = new HashMap<>();

    private boolean hasComplained;

    /** @param taker called by one thread, in the order of each room */
    public EphemeralTail(
            java.util.function.Consumer<EphemeralRecord> taker,
            ConsumerFactory<String, byte[]> consumers,
            Clock clock) {
        this.taker = taker;
        this.clock = clock;
        this.thread = new ConsumerThread<>(
                "tail-" + Topics.EPHEMERAL, ConsumerThread.Source.of(consumers), this::run, this::complain);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.close();
    }

    private void run(Consumer<String, byte[]> consumer) {
        begin(consumer);
        while (!thread.isStopped()) {
            consumer.poll(POLL).forEach(this::take);
            hasComplained = false;
        }
    }

    private void begin(Consumer<String, byte[]> consumer) {
        var infos = consumer.partitionsFor(Topics.EPHEMERAL, PATIENCE);
        if (infos == null || infos.isEmpty()) {
            throw new IllegalStateException("there is no topic " + Topics.EPHEMERAL);
        }
        var partitions = infos.stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        long from = clock.instant().minus(REPLAYED).toEpochMilli();
        var times = new HashMap<TopicPartition, Long>();
        partitions.forEach(partition -> times.put(partition, from));
        var starts = consumer.offsetsForTimes(times, PATIENCE);
        for (var partition : partitions) {
            var start = starts.get(partition);
            var nextOffset = next.get(partition);
            if (nextOffset != null) {
                consumer.seek(partition, nextOffset);
            } else if (start != null) {
                consumer.seek(partition, start.offset());
            } else {
                consumer.seekToEnd(List.of(partition));
            }
            next.put(
                    partition,
                    consumer.position(partition, PATIENCE)); // resolved now, because the end of the partition moves
        }
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        next.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
        try {
            var read = EphemeralSerde.fromTopic(record);
            if (read != null) {
                taker.accept(read);
            }
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("offset", record.offset())
                    .setCause(e)
                    .log("an ephemeral record has an unknown format");
        }
    }

    /** Logs the first failure until the next success. */
    private void complain(Throwable cause) {
        if (!hasComplained) {
            log.atInfo().addKeyValue("cause", String.valueOf(cause)).log("the ephemeral topic cannot be read for now");
        }
        hasComplained = true;
    }
}
