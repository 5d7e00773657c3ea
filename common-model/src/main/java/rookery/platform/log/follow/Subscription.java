// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The records of a {@link TopicFeed} that wait for one tail. */
final class Subscription implements AutoCloseable {
    /** The limit for records that wait for a slow tail. */
    static final long WAITING_BYTES_MAX = 8 << 20;

    private static final int RECORD_OVERHEAD_BYTES = 500;

    private final TopicFeed feed;
    private final Set<Integer> shards;
    private List<ConsumerRecord<String, byte[]>> waiting = new ArrayList<>();
    private long waitingBytes;
    private boolean isWoken;

    Subscription(TopicFeed feed, Set<Integer> shards) {
        this.feed = feed;
        this.shards = Set.copyOf(shards);
    }

    Set<Integer> shards() {
        return shards;
    }

    SharedHeads heads() {
        return feed.heads();
    }

    /** See {@link TopicFeed#answeredNanos}. */
    long kafkaAnsweredNanos() {
        return feed.answeredNanos();
    }

    /** Returns the records that wait; if there are none, waits for records, {@link #wakeUp} or the end of the patience. */
    synchronized List<ConsumerRecord<String, byte[]>> poll(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (waiting.isEmpty() && !isWoken && end - System.nanoTime() > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stopping
        }
        isWoken = false;
        var taken = waiting;
        waiting = new ArrayList<>();
        waitingBytes = 0;
        return taken;
    }

    synchronized void wakeUp() {
        isWoken = true;
        notifyAll();
    }

    synchronized void offer(Map<Integer, List<ConsumerRecord<String, byte[]>>> byShard) {
        byShard.forEach((shard, records) -> {
            if (shards.contains(shard)) {
                records.forEach(this::add);
            }
        });
        if (!waiting.isEmpty()) {
            notifyAll();
        }
    }

    private void add(ConsumerRecord<String, byte[]> record) {
        int size = RECORD_OVERHEAD_BYTES + record.value().length;
        if (waitingBytes + size <= WAITING_BYTES_MAX) {
            waitingBytes += size;
            waiting.add(record);
        }
    }

    @Override
    public void close() {
        feed.remove(this);
    }
}
