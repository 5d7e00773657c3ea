// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
 * published; while Kafka does not answer, a few times a second ({@link HeadsChecks}).
 */
public final class LogTail implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogTail.class);

    private static final Duration SHORT_POLL = Duration.ofMillis(2);
    /** Below the limit of a shard's early records. */
    private static final int PASSED_BYTES = 1 << 20;

    private static final long HOLE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);
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
    private final ConsumerThread<Subscription> thread;
    private final HeadsChecks checks = new HeadsChecks(System::nanoTime);
    private final AtomicLong repairs = new AtomicLong();
    private final AtomicLong restarts = new AtomicLong();
    private volatile @Nullable Positions lastHeads;
    private volatile EarlierEpochs earlier = EarlierEpochs.NONE;
    private volatile long kafkaAnsweredNanos = System.nanoTime();
    /** The last time at which the positions had reached the owner's heads. */
    private volatile long caughtUpNanos = System.nanoTime();

    /** The last time at which the follower was called for records. */
    private long passedNanos;

    private volatile long epoch;
    private volatile int followed;
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
        var feed = new ConsumerThread.Source<Subscription>(
                () -> TopicFeed.subscribe(topic, assignment.get(), consumers),
                Subscription::wakeUp,
                Subscription::close);
        this.thread = new ConsumerThread<>("tail-" + topic, feed, this::run, this::restart);
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
     * Completes while Kafka answers, an error after a silence of seconds. Kafka answers within {@code fetch.max.wait.ms} even
     * without new records. Without Kafka all entries arrive, only later.
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

    private void run(Subscription records) {
        begin(records.shards());
        follow(records);
    }

    private void restart(Throwable failure) {
        restarts.incrementAndGet();
        complain("following starts again", failure);
    }

    private void begin(Set<Integer> assigned) {
        follower.beforeBegin();
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
        passedNanos = System.nanoTime() - follower.gathering().toNanos();
        checks.begin(); // finds entries published before the consumer was assigned
        begun.countDown();
    }

    /** Runs until the tail stops or its assignment changes. */
    private void follow(Subscription records) {
        while (!thread.isStopped() && !reassigned) {
            gather(records, hasHoles() ? SHORT_POLL : checks.untilDue());
            kafkaAnsweredNanos = records.kafkaAnsweredNanos();
            try {
                askOwner(records);
            } catch (OwnerAwayException e) {
                complain("the log's owner is away", e);
                checks.failed();
            }
        }
    }

    private void askOwner(Subscription records) {
        fillHoles();
        var target = expected.getAndSet(null);
        if (target != null) {
            catchUp(records, target);
        }
        if (checks.isDue()) {
            check(records);
        }
    }

    private void receive(Subscription records, Duration patience) {
        receive(records.poll(patience));
        passOn();
    }

    /** Receives more records after the first, until the follower was not called for its time of gathering. */
    private void gather(Subscription records, Duration patience) {
        int bytes = receive(records.poll(patience));
        long untilNanos = passedNanos + follower.gathering().toNanos();
        while (bytes > 0 && bytes < PASSED_BYTES && mayGather(untilNanos)) {
            bytes += receive(records.poll(Duration.ofNanos(untilNanos - System.nanoTime())));
        }
        passOn();
    }

    private boolean mayGather(long untilNanos) {
        return System.nanoTime() - untilNanos < 0 && expected.get() == null && !thread.isStopped();
    }

    /** Returns the bytes of the records, 0 if there are none. */
    private int receive(List<ConsumerRecord<String, byte[]>> records) {
        int bytes = 0;
        for (var record : records) {
            bytes += record.value().length;
            if (bytes > PASSED_BYTES) {
                passOn();
                bytes = 0;
            }
            try {
                receive(TopicSerde.fromTopic(record, follower::wants));
            } catch (IllegalArgumentException | NullPointerException e) {
                log.atError()
                        .addKeyValue("topic", topic)
                        .addKeyValue("offset", record.offset())
                        .log("a record has an unknown format");
            }
        }
        return bytes;
    }

    private void passOn() {
        if (!follower.gathering().isZero()) {
            prepare();
        }
        shards.values().forEach(ShardTail::passOn);
    }

    private void prepare() {
        var ready = new ArrayList<Stretch>();
        for (var shard : shards.values()) {
            var stretch = shard.ready();
            if (stretch != null) {
                ready.add(stretch);
            }
        }
        if (ready.size() > 1) {
            follower.prepare(ready);
        }
        if (!ready.isEmpty()) {
            passedNanos = System.nanoTime();
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

    private void check(Subscription records) {
        var question = records.heads().askedSince(checks.dueNanos(), owner);
        var heads = LogOwner.now(question.state()).heads();
        lastHeads = heads.positions();
        if (heads.epoch() != epoch) {
            throw new IllegalStateException("the log of " + topic + " goes on in another epoch");
        }
        shards.values().stream()
                .filter(shard -> shard.contradicts(heads, question.askedNanos()))
                .forEach(ShardTail::verify);
        catchUp(records, heads.positions());
        if (shards.values().stream()
                .allMatch(shard -> shard.pos() >= heads.positions().at(shard.shard()))) {
            caughtUpNanos = System.nanoTime();
        }
        complaint = null;
        reassigned = !assignment.get().equals(shards.keySet());
        checks.done(question.askedNanos(), kafkaAnsweredNanos);
    }

    /** Recent commits are usually on their way through Kafka, so they get a moment before the tail asks the owner. */
    private void catchUp(Subscription records, Positions target) {
        long patience = System.nanoTime() + HOLE_NANOS;
        while (checks.doesKafkaAnswer(kafkaAnsweredNanos) && !hasReached(target) && System.nanoTime() - patience < 0) {
            receive(records, SHORT_POLL);
        }
        for (var shard : shards.values()) {
            if (shard.pos() < target.at(shard.shard()) && !shard.isPaused(System.nanoTime())) {
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
