package rookery.platform.ephemeral;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import rookery.model.topic.EphemeralRecord;
import rookery.model.topic.Topics;

/**
 * Reads the whole ephemeral topic: at the start the last two minutes, then every new record. The tail waits for Kafka without a
 * limit, and no other work waits for the tail.
 */
public final class EphemeralTail implements AutoCloseable {
    /** Older records are out of date. */
    public static final Duration REPLAYED = Duration.ofMinutes(2);

    private static final Logger log = LoggerFactory.getLogger(EphemeralTail.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long PAUSE_MILLIS = 200;

    private final java.util.function.Consumer<EphemeralRecord> taker;
    private final ConsumerFactory<String, byte[]> consumers;
    private final Clock clock;
    private final Thread thread;
    /** The next offset by partition, once the partition has been read. */
    private final Map<TopicPartition, Long> next = new HashMap<>();

    private volatile boolean stopped;
    private volatile @Nullable Consumer<String, byte[]> waking;
    private boolean hasComplained;

    /** @param taker called by one thread, in the order of each room */
    public EphemeralTail(
            java.util.function.Consumer<EphemeralRecord> taker,
            ConsumerFactory<String, byte[]> consumers,
            Clock clock) {
        this.taker = taker;
        this.consumers = consumers;
        this.clock = clock;
        this.thread =
                Thread.ofPlatform().name("tail-" + Topics.EPHEMERAL).daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        stopped = true;
        var consumer = waking;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(1));
            thread.interrupt();
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            try (var consumer = consumers.createConsumer()) {
                waking = consumer;
                begin(consumer);
                while (!stopped) {
                    consumer.poll(POLL).forEach(this::take);
                    hasComplained = false;
                }
            } catch (WakeupException _) {
                return; // stopping
            } catch (RuntimeException e) {
                complain(e);
                pause();
            } finally {
                waking = null;
            }
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
    private void complain(RuntimeException cause) {
        if (!hasComplained && !stopped) {
            log.atInfo().addKeyValue("cause", String.valueOf(cause)).log("the ephemeral topic cannot be read for now");
        }
        hasComplained = true;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stopping
        }
    }
}
