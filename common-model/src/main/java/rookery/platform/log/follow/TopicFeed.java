// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import rookery.platform.kafka.ConsumerThread;

/**
 * One Kafka consumer for all tails of a log in this process: services that share a process would otherwise fetch and verify each
 * record several times. The consumer is made by the factory of the first tail, reads the shards of all tails, and begins at the
 * end of the topic.
 *
 * <p>No tail waits for another: a tail that does not take its records loses the newest ones, and reads them from the owner.
 */
final class TopicFeed {
    private static final Logger log = LoggerFactory.getLogger(TopicFeed.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Map<Key, TopicFeed> OPEN = new HashMap<>();

    private final Key key;
    private final ConsumerThread<Consumer<String, byte[]>> thread;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private final SharedHeads heads = new SharedHeads();
    /** The shards of all tails, as of the last subscription. */
    private volatile Set<Integer> shards = Set.of();

    private volatile long answeredNanos = System.nanoTime();
    private boolean hasComplained;

    /** Two installations in one process have two brokers. */
    private record Key(String topic, Object broker) {}

    private TopicFeed(Key key, ConsumerFactory<String, byte[]> consumers) {
        this.key = key;
        this.thread = new ConsumerThread<>(
                "feed-" + key.topic, ConsumerThread.Source.of(consumers), this::read, this::complain);
    }

    /** Subscribes to the records of these shards that are published from now on. */
    static Subscription subscribe(String topic, Set<Integer> shards, ConsumerFactory<String, byte[]> consumers) {
        var broker = consumers.getConfigurationProperties().get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG);
        synchronized (OPEN) {
            var feed = OPEN.computeIfAbsent(
                    new Key(topic, Objects.requireNonNull(broker)), key -> new TopicFeed(key, consumers));
            return feed.add(shards);
        }
    }

    private Subscription add(Set<Integer> added) {
        var subscription = new Subscription(this, added);
        subscriptions.add(subscription);
        shards = subscriptions.stream().flatMap(each -> each.shards().stream()).collect(Collectors.toUnmodifiableSet());
        if (subscriptions.size() == 1) {
            thread.start();
        } else {
            thread.wakeUp();
        }
        return subscription;
    }

    void remove(Subscription subscription) {
        synchronized (OPEN) {
            subscriptions.remove(subscription);
            if (!subscriptions.isEmpty() || !OPEN.remove(key, this)) {
                return;
            }
        }
        thread.close();
    }

    SharedHeads heads() {
        return heads;
    }

    /** When Kafka last answered a fetch. Kafka answers within {@code fetch.max.wait.ms}, also without new records. */
    long answeredNanos() {
        return answeredNanos;
    }

    /** Runs until the feed stops or other shards are subscribed to. */
    private void read(Consumer<String, byte[]> consumer) {
        var reading = shards;
        var partitions = reading.stream()
                .map(shard -> new TopicPartition(key.topic, shard))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        var answers = new FetchAnswers(consumer);
        while (!thread.isStopped() && reading.equals(shards)) {
            try {
                pass(consumer.poll(POLL));
            } catch (WakeupException _) {
                continue; // a tail came, or the last one went
            }
            if (answers.areMore()) {
                answeredNanos = System.nanoTime();
                hasComplained = false;
            }
        }
    }

    private void pass(Iterable<ConsumerRecord<String, byte[]>> polled) {
        var byShard = new HashMap<Integer, List<ConsumerRecord<String, byte[]>>>();
        for (var record : polled) {
            byShard.computeIfAbsent(record.partition(), _ -> new ArrayList<>()).add(record);
        }
        if (!byShard.isEmpty()) {
            subscriptions.forEach(subscription -> subscription.offer(byShard));
        }
    }

    private void complain(Throwable failure) {
        if (!hasComplained) {
            log.atWarn()
                    .addKeyValue("topic", key.topic)
                    .addKeyValue("cause", String.valueOf(failure))
                    .log("a topic cannot be read; its entries are read from the log's owner");
        }
        hasComplained = true;
    }

    /** The consumer's count of answers to its fetches, empty ones included. */
    private static final class FetchAnswers {
        private final Consumer<String, byte[]> consumer;
        private @Nullable Metric count;
        private double before;

        FetchAnswers(Consumer<String, byte[]> consumer) {
            this.consumer = consumer;
        }

        boolean areMore() {
            if (count == null) {
                count = found();
            }
            double now = count != null && count.metricValue() instanceof Double answers ? answers : 0;
            boolean more = now > before;
            before = now;
            return more;
        }

        private @Nullable Metric found() {
            for (var metric : consumer.metrics().entrySet()) {
                var name = metric.getKey();
                if (name.name().equals("fetch-total") && name.tags().size() == 1) { // the other counts are of one topic
                    return metric.getValue();
                }
            }
            return null;
        }
    }
}
