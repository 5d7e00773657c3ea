// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
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

/** The room log or the user log, as followed by this node. */
public final class FollowedLog {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String topic;
    private final LogOwner owner;
    private final Progress progress;
    private final LogTail tail;

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

    /** Metrics of the positions in each shard, the distance from the end, and the repairs of gaps in Kafka's topic. */
    void bindTo(MeterRegistry meters) {
        tail.bindTo(meters);
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            int number = shard;
            var tags = Tags.of("log", topic, "shard", Integer.toString(shard));
            Gauge.builder("sync_log_position", this, log -> log.position(number))
                    .description("the node's position in the log")
                    .tags(tags)
                    .register(meters);
            Gauge.builder("sync_log_lag", this, log -> log.lag(number))
                    .description(
                            "entries between the node's position and the end of the log, which is read every second")
                    .tags(tags)
                    .register(meters);
        }
        FunctionCounter.builder("sync_log_repairs", tail, LogTail::repairs)
                .description("reads of entries from the log's owner after gaps in Kafka")
                .tag("log", topic)
                .register(meters);
        FunctionCounter.builder("sync_log_restarts", tail, LogTail::restarts)
                .description("restarts of following, after a failure or a restore")
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

    void start() {
        tail.start();
    }

    void stop() {
        tail.close();
    }

    /** Completes if this node has read the log up to the end at the start of the node. */
    Mono<Void> begun() {
        return Mono.defer(
                () -> progress.isFilled() ? Mono.empty() : Mono.error(new IllegalStateException("not caught up yet")));
    }

    Mono<Void> kafka() {
        return tail.checkKafka();
    }

    /** This node's positions; 503 before the first position is known. */
    public Heads now() {
        return progress.now();
    }

    /** The positions up to which tokens of earlier epochs are valid. */
    public EarlierEpochs earlier() {
        return tail.earlier();
    }

    /** The end of the log, read from the owner. */
    public Mono<Heads> heads() {
        return owner.heads().onErrorMap(_ -> away());
    }

    /** Completes when this node has followed the log up to its end at the time of the call. */
    public Mono<Void> caughtUp() {
        return heads().flatMap(this::reaches);
    }

    /** Completes when this node has reached the positions; 503 after a timeout. */
    public Mono<Void> reaches(Heads target) {
        return Mono.defer(() -> progress.hasReached(target) ? Mono.empty() : awaited(target));
    }

    private Mono<Void> awaited(Heads target) {
        tail.expect(target.positions());
        return progress.reaches(target)
                .timeout(PATIENCE)
                .onErrorMap(TimeoutException.class, _ -> away())
                .publishOn(Schedulers.parallel()); // frees the thread of the tail
    }

    private static ApiException away() {
        return ApiException.unavailable("this part of the server is behind, try again in a moment");
    }
}
