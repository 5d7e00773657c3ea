package rookery.sync.inbox;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.ConsumerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.model.error.ApiException;
import rookery.model.id.Shards;
import rookery.platform.log.append.EarlierEpochs;
import rookery.platform.log.append.Heads;
import rookery.platform.log.follow.LogFollower;
import rookery.platform.log.follow.LogOwner;
import rookery.platform.log.follow.LogTail;

/** One of the two logs, as this node follows it. */
public final class FollowedLog implements SmartLifecycle {
    /** Begins before the web server and ends after it, but before the HTTP client through which the owner is asked. */
    static final int PHASE = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String topic;
    private final LogOwner owner;
    private final Progress progress;
    private final LogTail tail;
    private volatile boolean running;

    FollowedLog(
            String topic,
            LogOwner owner,
            LogFollower follower,
            Progress progress,
            ConsumerFactory<String, byte[]> consumers) {
        this.topic = topic;
        this.owner = owner;
        this.progress = progress;
        this.tail = new LogTail(topic, owner, follower, consumers);
    }

    /** Where this node stands in each shard, how far that is from the end, and what Kafka did not bring. */
    void bindTo(MeterRegistry meters) {
        tail.bindTo(meters);
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            int number = shard;
            var tags = Tags.of("log", topic, "shard", Integer.toString(shard));
            Gauge.builder("sync_log_position", this, log -> log.position(number))
                    .description("up to where this node has followed the log")
                    .tags(tags)
                    .register(meters);
            Gauge.builder("sync_log_lag", this, log -> log.lag(number))
                    .description("entries that the owner had when it was last asked, and this node has not")
                    .tags(tags)
                    .register(meters);
        }
        FunctionCounter.builder("sync_log_repairs", tail, LogTail::repairs)
                .description("times that entries were read from the log's owner because Kafka did not bring them")
                .tag("log", topic)
                .register(meters);
        FunctionCounter.builder("sync_log_restarts", tail, LogTail::restarts)
                .description("times that following began anew, after a failure or a restore")
                .tag("log", topic)
                .register(meters);
    }

    private double position(int shard) {
        var now = progress.nowOrNull();
        return now == null ? Double.NaN : now.positions().at(shard);
    }

    private double lag(int shard) {
        var now = progress.nowOrNull();
        var heads = tail.lastHeads();
        return now == null || heads == null
                ? Double.NaN
                : Math.max(0, heads.at(shard) - now.positions().at(shard));
    }

    @Override
    public void start() {
        running = true;
        tail.start();
    }

    @Override
    public void stop() {
        running = false;
        tail.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Completes if everything that was there when this node began can be read here. */
    Mono<Void> begun() {
        return Mono.defer(
                () -> progress.isFilled() ? Mono.empty() : Mono.error(new IllegalStateException("not caught up yet")));
    }

    /** Completes while Kafka answers. */
    Mono<Void> kafka() {
        return tail.checkKafka();
    }

    /** Where this node stands; 503 before it has begun. */
    public Heads now() {
        return progress.now();
    }

    /** How far what was told in earlier epochs holds. */
    public EarlierEpochs earlier() {
        return tail.earlier();
    }

    /** Where the log ends, as its owner says. */
    public Mono<Heads> heads() {
        return owner.heads().onErrorMap(_ -> away());
    }

    /** Completes once this node has everything that was committed when it was asked. */
    public Mono<Void> caughtUp() {
        return heads().flatMap(this::reaches);
    }

    /** Completes once this node stands there; 503 if that takes too long. */
    public Mono<Void> reaches(Heads wanted) {
        return Mono.defer(() -> {
                    tail.expect(wanted.positions());
                    return progress.reaches(wanted);
                })
                .timeout(PATIENCE)
                .onErrorMap(TimeoutException.class, _ -> away())
                .publishOn(Schedulers.parallel()); // the tail's own thread goes on
    }

    private static ApiException away() {
        return ApiException.unavailable("this part of the server is behind, try again in a moment");
    }
}
