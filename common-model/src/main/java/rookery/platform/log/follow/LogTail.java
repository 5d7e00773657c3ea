// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.kafka.core.ConsumerFactory;
import reactor.core.publisher.Mono;
import rookery.model.id.Shards;
import rookery.model.token.Positions;
import rookery.model.topic.LogRecord;
import rookery.platform.kafka.ConsumerThread;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.Head;
import rookery.platform.log.text.TopicSerde;

/**
 * Follows a log from Kafka and the log's owner, with every entry once and in order.
 *
 * <p>Records at or below the position are dropped, the next record is applied, and later records wait. Two instances may publish
 * the batches of one shard out of order, so a hole waits a few milliseconds before the tail reads it from the owner. Once a
 * second, and after {@link #expect}, the tail compares its positions with the owner's heads to find entries that were never
 * published; while Kafka is away, a few times a second.
 */
public final class LogTail implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogTail.class);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration SHORT_POLL = Duration.ofMillis(2);
    private static final long HOLE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CHECK_WITHOUT_KAFKA_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long KAFKA_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Longer than the owner's timeout, during which the tail does not poll Kafka. */
    private static final long KAFKA_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(11);

    private final String topic;
    private final LogOwner owner;
    private final LogFollower follower;
    /** The shards that this instance must follow, checked once a second. */
    private final Supplier<Set<Integer>> assignment;
    /** The tails of the followed shards. */
    private final Map<Integer, ShardTail> shards = new TreeMap<>();

    private final AtomicReference<@Nullable Positions> expected = new AtomicReference<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final ConsumerThread thread;
    private final AtomicLong repairs = new AtomicLong();
    private final AtomicLong restarts = new AtomicLong();
    private volatile @Nullable Positions lastHeads;
    private volatile EarlierEpochs earlier = EarlierEpochs.NONE;
    private volatile long kafkaAnsweredNanos = System.nanoTime();
    /** The last time at which the positions had reached the owner's heads. */
    private volatile long caughtUpNanos = System.nanoTime();

    private long nextKafkaLook = System.nanoTime();
    private double kafkaAnswers;
    private volatile long epoch;
    private volatile int followed;
    private long nextCheck;
    /** Whether the last missing entries came from the owner, and no record from Kafka since. */
    private boolean withoutKafka;

    private boolean reassigned;

    private @Nullable String complaint;

    /** Creates a tail of all shards. */
    public LogTail(String topic, LogOwner owner, LogFollower follower, ConsumerFactory<String, byte[]> consumers) {
        this(topic, owner, follower, consumers, () -> Shards.ALL);
    }

    /** @param assignment the shards that this instance must follow, of the shards that the service's instances share */
    public LogTail(
            String topic,
            LogOwner owner,
            LogFollower follower,
            ConsumerFactory<String, byte[]> consumers,
            Supplier<Set<Integer>> assignment) {
        this.topic = topic;
        this.owner = owner;
        this.follower = follower;
        this.assignment = assignment;
        this.thread = new ConsumerThread("tail-" + topic, consumers, this::run, this::restart);
    }

    public void start() {
        thread.start();
    }

    private boolean hasBegun() {
        return begun.getCount() == 0;
    }

    /** Completes once the follower has begun, an error before: the service is not ready until then. */
    public Mono<Void> checkBegun() {
        return Mono.defer(() -> hasBegun() ? Mono.empty() : Mono.error(new IllegalStateException("not begun")));
    }

    /**
     * Completes while Kafka answers, an error after a silence of seconds. Kafka answers several times a second even without new
     * records. Without Kafka all entries arrive, only later.
     */
    public Mono<Void> checkKafka() {
        return Mono.defer(() -> System.nanoTime() - kafkaAnsweredNanos < KAFKA_SILENCE_NANOS
                ? Mono.empty()
                : Mono.error(new IllegalStateException("Kafka does not answer")));
    }

    /** The number of reads from the owner because records were missing. */
    public long repairs() {
        return repairs.get();
    }

    /** The number of restarts after a failure, a new epoch or a restore. */
    public long restarts() {
        return restarts.get();
    }

    /** The heads of the last check, about once a second; null before the first check. */
    public @Nullable Positions lastHeads() {
        return lastHeads;
    }

    /** The valid parts of earlier epochs, as of the last start in this epoch. */
    public EarlierEpochs earlier() {
        return earlier;
    }

    /** Measures from outside the tail's thread, so that the value grows while that thread is blocked. */
    public void bindTo(MeterRegistry meters) {
        Gauge.builder("log_behind", this, tail -> (System.nanoTime() - tail.caughtUpNanos) / 1e9)
                .description("time since everything that the log's owner had was followed; looked at once a second")
                .baseUnit("seconds")
                .tag("log", topic)
                .register(meters);
        Gauge.builder("log_shards", this, tail -> tail.followed)
                .description("shards that this instance follows; all instances of a service together follow each once")
                .tag("log", topic)
                .register(meters);
        Gauge.builder("log_epoch", this, tail -> tail.epoch)
                .description(
                        "epoch of the log that is followed; it differs between instances until all know of a restore")
                .tag("log", topic)
                .register(meters);
    }

    /**
     * Announces positions that the log has reached: the tail reads up to them, from the owner if Kafka does not deliver at once.
     */
    public void expect(Positions positions) {
        expected.accumulateAndGet(positions, (a, b) -> a == null || b == null ? b : a.max(b));
        thread.wakeUp();
    }

    @Override
    public void close() {
        thread.close();
    }

    private void run(Consumer<String, byte[]> consumer) {
        var assigned = assignment.get();
        var partitions =
                assigned.stream().map(shard -> new TopicPartition(topic, shard)).toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        begin(assigned);
        follow(consumer);
    }

    private void restart(Throwable failure) {
        restarts.incrementAndGet();
        complain("following starts again", failure);
    }

    private void begin(Set<Integer> assigned) {
        var log = owner.stateNow();
        earlier = log.earlier();
        var begin = follower.begin(log);
        epoch = begin.epoch();
        shards.clear();
        reassigned = false;
        var source = new ShardTail.Source(topic, epoch, owner, follower, System::nanoTime);
        for (int shard : assigned) {
            var from = new Head(shard, epoch, begin.positions().at(shard), begin.numberAt(shard));
            shards.put(shard, new ShardTail(source, from));
        }
        followed = shards.size();
        nextCheck = System.nanoTime(); // finds entries published before the consumer was assigned
        begun.countDown();
    }

    /** Runs until the tail stops or its assignment changes. */
    private void follow(Consumer<String, byte[]> consumer) {
        while (!thread.isStopped() && !reassigned) {
            receive(consumer, hasHoles() ? SHORT_POLL : POLL);
            lookAtKafka(consumer);
            try {
                askOwner(consumer);
            } catch (OwnerAwayException e) {
                complain("the log's owner is away", e);
                nextCheck = System.nanoTime() + CHECK_WITHOUT_KAFKA_NANOS;
            }
        }
    }

    /** The consumer counts the responses to its fetches, empty ones included. */
    private void lookAtKafka(Consumer<String, byte[]> consumer) {
        if (System.nanoTime() - nextKafkaLook < 0) {
            return;
        }
        nextKafkaLook = System.nanoTime() + KAFKA_LOOK_NANOS;
        consumer.metrics().forEach((name, metric) -> {
            if (name.name().equals("fetch-total")
                    && name.tags().size() == 1
                    && metric.metricValue() instanceof Double answers
                    && answers != kafkaAnswers) {
                kafkaAnswers = answers;
                kafkaAnsweredNanos = System.nanoTime();
            }
        });
    }

    private void askOwner(Consumer<String, byte[]> consumer) {
        fillHoles();
        var target = expected.getAndSet(null);
        if (target != null) {
            catchUp(consumer, target);
        }
        if (System.nanoTime() - nextCheck >= 0) {
            check(consumer);
        }
    }

    private void receive(Consumer<String, byte[]> consumer, Duration patience) {
        try {
            for (var record : consumer.poll(patience)) {
                try {
                    receive(TopicSerde.fromTopic(record, follower::wants));
                    withoutKafka = false;
                } catch (IllegalArgumentException | NullPointerException e) {
                    log.atError()
                            .addKeyValue("topic", topic)
                            .addKeyValue("offset", record.offset())
                            .log("a record has an unknown format");
                }
            }
        } catch (WakeupException _) {
            return; // a call of expect or close
        } finally {
            for (var shard : shards.values()) {
                shard.passOn();
            }
        }
    }

    private void receive(LogRecord record) {
        if (record.epoch() > epoch) {
            throw new IllegalStateException("the epoch of " + topic + " was raised to " + record.epoch());
        }
        if (record.epoch() == epoch) {
            var shard = shards.get(record.shard());
            if (shard != null) {
                shard.offer(record);
            }
        }
    }

    private boolean hasHoles() {
        return shards.values().stream().anyMatch(ShardTail::hasHole);
    }

    private void fillHoles() {
        for (var shard : shards.values()) {
            if (shard.isDoubtful()) {
                repairs.incrementAndGet();
                shard.verify();
            } else if (shard.hasHoleSince(System.nanoTime() - HOLE_NANOS)) {
                repairs.incrementAndGet();
                shard.readTo(shard.firstEarly() - 1, thread::isStopped);
            }
        }
    }

    private void check(Consumer<String, byte[]> consumer) {
        var heads = owner.stateNow().heads();
        lastHeads = heads.positions();
        if (heads.epoch() != epoch) {
            throw new IllegalStateException("the log of " + topic + " goes on in another epoch");
        }
        shards.values().stream().filter(shard -> shard.contradicts(heads)).forEach(ShardTail::verify);
        catchUp(consumer, heads.positions());
        if (shards.values().stream()
                .allMatch(shard -> shard.pos() >= heads.positions().at(shard.shard()))) {
            caughtUpNanos = System.nanoTime();
        }
        complaint = null;
        reassigned = !assignment.get().equals(shards.keySet());
        nextCheck = System.nanoTime() + (withoutKafka ? CHECK_WITHOUT_KAFKA_NANOS : CHECK_NANOS);
    }

    /** Recent commits are usually on their way through Kafka, so they get a moment before the tail asks the owner. */
    private void catchUp(Consumer<String, byte[]> consumer, Positions target) {
        long patience = System.nanoTime() + HOLE_NANOS;
        while (!withoutKafka && !hasReached(target) && System.nanoTime() - patience < 0) {
            receive(consumer, SHORT_POLL);
        }
        for (var shard : shards.values()) {
            if (shard.pos() < target.at(shard.shard()) && !shard.isPaused(System.nanoTime())) {
                withoutKafka = true;
                repairs.incrementAndGet();
                shard.readTo(target.at(shard.shard()), thread::isStopped);
            }
        }
    }

    private boolean hasReached(Positions target) {
        long now = System.nanoTime();
        return shards.values().stream()
                .allMatch(shard -> shard.pos() >= target.at(shard.shard()) || shard.isPaused(now));
    }

    /** Logs each kind of failure once until the next success, because failures repeat several times a second. */
    private void complain(String trouble, Throwable cause) {
        if (!trouble.equals(complaint)) {
            var level = hasBegun() ? Level.WARN : Level.INFO; // at startup, owners are often not up yet
            log.atLevel(level)
                    .addKeyValue("topic", topic)
                    .addKeyValue("cause", String.valueOf(cause))
                    .log(trouble);
        }
        complaint = trouble;
    }
}
