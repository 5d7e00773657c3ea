// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;
import rookery.model.topic.LogRecord;
import rookery.platform.log.text.TopicSerde;

/** Kafka in memory, with one topic and one consumer at a time. */
final class MemoryBroker implements ConsumerFactory<String, byte[]> {
    private final String topic;
    private final int shards;
    private volatile @Nullable MockConsumer<String, byte[]> consumer;
    /** Ends the wait of a poll. */
    private final Semaphore news = new Semaphore(0);

    private final AtomicInteger consumers = new AtomicInteger();
    private long offset;

    MemoryBroker(String topic, int shards) {
        this.topic = topic;
        this.shards = shards;
    }

    /** The number of consumers up to now. */
    int consumers() {
        return consumers.get();
    }

    boolean isAssigned(int shard) {
        var current = consumer;
        return current != null && !current.closed() && current.assignment().contains(new TopicPartition(topic, shard));
    }

    @Override
    public Map<String, Object> getConfigurationProperties() {
        return Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, this);
    }

    @Override
    public Consumer<String, byte[]> createConsumer(
            @Nullable String group, @Nullable String prefix, @Nullable String suffix, @Nullable Properties more) {
        var created = new MockConsumer<String, byte[]>("latest") {
            @Override
            @SuppressWarnings("UnsynchronizedOverridesSynchronized") // a wait under the lock would block publish
            public ConsumerRecords<String, byte[]> poll(Duration timeout) {
                try {
                    if (news.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                        news.drainPermits();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return super.poll(timeout);
            }

            @Override
            @SuppressWarnings("UnsynchronizedOverridesSynchronized") // as above
            public void wakeup() {
                super.wakeup();
                news.release();
            }
        };
        var ends = new HashMap<TopicPartition, Long>();
        for (int shard = 0; shard < shards; shard++) {
            ends.put(new TopicPartition(topic, shard), 0L);
        }
        created.updateEndOffsets(ends);
        offset = 0;
        consumer = created;
        consumers.incrementAndGet();
        return created;
    }

    @Override
    public boolean isAutoCommit() {
        return false;
    }

    void publish(LogRecord entry) {
        var sent = TopicSerde.toTopic(topic, entry);
        publish(entry.shard(), new RecordHeaders(sent.headers()), sent.value());
    }

    /** Publishes entries so that one poll returns all of them. */
    void publish(List<LogRecord> entries) {
        var current = Objects.requireNonNull(consumer);
        synchronized (current) { // a poll waits
            entries.forEach(this::publish);
        }
    }

    /** Without a consumer the record is lost, because consumers begin at the end of the topic. */
    void publish(int shard, RecordHeaders headers, byte[] value) {
        var current = consumer;
        if (current == null || current.closed()) {
            return;
        }
        try {
            current.addRecord(new ConsumerRecord<>(
                    topic,
                    shard,
                    offset++,
                    0,
                    TimestampType.CREATE_TIME,
                    0,
                    value.length,
                    null,
                    value,
                    headers,
                    Optional.empty()));
            news.release();
        } catch (IllegalStateException e) {
            if (!current.closed()) {
                throw e;
            }
        }
    }
}
