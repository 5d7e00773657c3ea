// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;
import rookery.platform.redis.RedisProperties;

/**
 * The gateway's connection to Redis. A question fails if the connection breaks or Redis is silent for
 * {@code rookery.redis.timeout}; the caller then has to continue without Redis, because Redis is never a reason to refuse a
 * request. Slow answers are awaited: without Redis each request asks auth-service, which is more expensive on a busy machine
 * (decision 0021).
 */
@Component
public class RedisLink implements InitializingBean, DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);
    private static final Duration RECONNECT = Duration.ofMillis(500);
    private static final Duration START_PATIENCE = Duration.ofSeconds(2);
    private static final int QUEUE_MAX = 10_000;

    private final RedisURI uri;
    private final Duration round;
    private final OpenQuestions open = new OpenQuestions();
    private final ClientResources resources;
    private final RedisClient client;
    private final Presence presence = new Presence();
    private final ScheduledExecutorService connector = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("redis-connector").daemon().factory());
    private volatile @Nullable StatefulRedisConnection<String, String> connection;
    /** The channel of the latest connection; its loop reads the answers. */
    private volatile @Nullable Channel channel;

    public RedisLink(RedisProperties properties) {
        uri = RedisURI.create(properties.url());
        round = properties.timeout().dividedBy(OpenQuestions.ROUNDS);
        resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.constant(RECONNECT))
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel opened) {
                        channel = opened;
                    }
                })
                .build();
        client = RedisClient.create(resources, uri);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                // After a disconnect the pending requests have continued without Redis: their commands must not be
                // replayed.
                .replayFilter(_ -> true)
                .requestQueueSize(QUEUE_MAX)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofSeconds(1))
                        .keepAlive(true)
                        .build())
                .build());
    }

    /**
     * Sends the question, and once more after loading the scripts if Redis answers NOSCRIPT. The result completes on a thread of
     * the connection.
     */
    public <T> CompletableFuture<T> ask(Supplier<Batch<T>> question, List<LuaScript> scripts) {
        var redis = connection;
        if (redis == null || !presence.mayAsk(nowMs())) {
            return CompletableFuture.failedFuture(new AwayException());
        }
        var answer = once(redis, question)
                .exceptionallyCompose(failure -> isNoScript(failure)
                        ? loaded(redis, scripts).thenCompose(_ -> once(redis, question))
                        : CompletableFuture.failedFuture(failure));
        return open.bounded(answer).whenComplete((_, failure) -> note(failure));
    }

    /** Whether Redis is connected and answers. */
    public boolean isPresent() {
        return connection != null && !presence.isAway();
    }

    /** A section of Redis's INFO; fails while Redis is unavailable. */
    CompletableFuture<String> info(String section) {
        var redis = connection;
        return redis == null
                ? CompletableFuture.failedFuture(new AwayException())
                : redis.async().info(section).toCompletableFuture();
    }

    private static <T> CompletableFuture<T> once(
            StatefulRedisConnection<String, String> redis, Supplier<Batch<T>> question) {
        var batch = question.get();
        try {
            redis.dispatch(batch.commands());
        } catch (RedisException e) { // the queue is full
            return CompletableFuture.failedFuture(e);
        }
        return CompletableFuture.allOf(batch.commands().toArray(CompletableFuture[]::new))
                .thenApply(_ -> batch.answer().get());
    }

    private static CompletableFuture<Void> loaded(
            StatefulRedisConnection<String, String> redis, List<LuaScript> scripts) {
        return CompletableFuture.allOf(scripts.stream()
                .map(script -> redis.async().scriptLoad(script.text).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    private static boolean isNoScript(Throwable failure) {
        return (failure instanceof CompletionException ? failure.getCause() : failure)
                instanceof RedisNoScriptException;
    }

    private void note(@Nullable Throwable failure) {
        if (failure == null) {
            if (presence.answered()) {
                log.atWarn().log("redis is back, all gateways count together again");
            }
        } else if (presence.failed(nowMs())) {
            log.atWarn()
                    .addKeyValue("cause", failure.toString())
                    .log("redis is away, requests are counted by this process alone");
        }
    }

    /**
     * Ends the round on the loop that reads the answers, or immediately without an open connection, because no answer
     * will arrive.
     */
    private void beginRound() {
        if (!open.beginRound()) {
            return;
        }
        var reading = channel;
        if (reading == null || !reading.isActive()) {
            open.endRound();
            return;
        }
        try {
            reading.eventLoop().execute(open::endRound);
        } catch (RejectedExecutionException e) { // the loop has shut down
            open.endRound();
        }
    }

    /** Waits up to two seconds for the first connection, so that a ready gateway counts together with the others. */
    @Override
    public void afterPropertiesSet() throws InterruptedException {
        var _ = connector.scheduleWithFixedDelay(
                this::beginRound, round.toMillis(), round.toMillis(), TimeUnit.MILLISECONDS);
        try {
            connect().get(START_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.atWarn().addKeyValue("cause", e.toString()).log("redis is not there yet, starting without it");
        }
    }

    private CompletableFuture<?> connect() {
        return client.connectAsync(StringCodec.UTF8, uri).toCompletableFuture().whenComplete((opened, failure) -> {
            if (failure == null) {
                connection = opened;
            } else if (!connector.isShutdown()) {
                var _ = connector.schedule(this::connectAgain, RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
            }
        });
    }

    private void connectAgain() {
        var _ = connect();
    }

    private static long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    public void destroy() {
        connector.shutdownNow();
        client.shutdown(0, 1, TimeUnit.SECONDS);
        var _ = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }

    /** The question was not sent to Redis. */
    static final class AwayException extends RuntimeException {
        AwayException() {
            super("redis is away", null, false, false);
        }
    }
}
