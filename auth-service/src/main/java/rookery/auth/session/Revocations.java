// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import rookery.auth.lease.GatewayNotices;
import rookery.auth.session.Sessions.OpenedSession;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.redis.RedisProperties;

/**
 * Announces revoked tokens to every gateway, after the commit and before the answer (design.md 6).
 *
 * <p>Gateways cache a resolved token in Redis under {@code tok:<tenant>:<sha256 hex>} for at most ten seconds, unless the
 * tombstone {@code gone:<tenant>:<sha256 hex>} exists. If Redis is unreachable, the answer waits until every cache entry
 * has expired. Gateways with a lease keep sessions in memory; {@link GatewayNotices} tells these.
 */
@Component
public class Revocations implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(Revocations.class);
    private static final Duration RETRY_AFTER = Duration.ofMillis(200);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private final GatewayNotices notices;
    private final String script = script();
    private final Duration cacheLife;
    private final String tombstoneMillis;
    private final ClientResources resources;
    private final RedisClient client;
    private final Mono<StatefulRedisConnection<String, String>> connection;

    Revocations(GatewayNotices notices, RedisProperties redis, SessionProperties sessions) {
        this.notices = notices;
        this.cacheLife = sessions.cacheLife();
        this.tombstoneMillis =
                Long.toString(cacheLife.plus(cacheLife.dividedBy(2)).toMillis());
        this.resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build();
        this.client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(
                        SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).build())
                .timeoutOptions(TimeoutOptions.enabled(redis.timeout()))
                .build());
        var uri = RedisURI.create(redis.url());
        // created on first use and kept: the service starts without Redis, and the connection reconnects by itself
        this.connection = Mono.fromCompletionStage(() -> client.connectAsync(StringCodec.UTF8, uri))
                .cacheInvalidateIf(_ -> false);
    }

    /** Completes when no gateway accepts the tokens that the new session replaced. */
    public Mono<Session> announce(TenantId tenant, OpenedSession opened) {
        return opened.revoked().isEmpty()
                ? Mono.just(opened.session())
                : announce(tenant, opened.session().user(), opened.revoked()).thenReturn(opened.session());
    }

    /**
     * Completes when every gateway resolves the user's tokens again. Without tokens too: the request may repeat another request that
     * had no answer.
     */
    Mono<Void> announce(TenantId tenant, UserId user, List<TokenHash> revoked) {
        return Mono.when(tombstones(tenant, revoked), notices.tell(tenant, user));
    }

    /** Completes at the latest after the lifetime of a cache entry. */
    private Mono<Void> tombstones(TenantId tenant, List<TokenHash> revoked) {
        if (revoked.isEmpty()) {
            return Mono.empty();
        }
        return run(keys(tenant, revoked))
                .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, RETRY_AFTER))
                .timeout(cacheLife, Mono.fromRunnable(this::waitedItOut))
                .then();
    }

    private Mono<Long> run(String[] keys) {
        return connection.flatMap(redis -> redis.reactive()
                .<Long>eval(script, ScriptOutputType.INTEGER, keys, tombstoneMillis)
                .single());
    }

    private void waitedItOut() {
        log.atWarn()
                .addKeyValue("waited", cacheLife)
                .log("a revocation did not reach redis, its answer waited for the gateways' caches to expire");
    }

    private static String[] keys(TenantId tenant, List<TokenHash> revoked) {
        var keys = new ArrayList<String>();
        for (var token : revoked) {
            String of = tenant.value() + ":" + token.hex();
            keys.add("gone:" + of);
            keys.add("tok:" + of);
        }
        return keys.toArray(String[]::new);
    }

    private static String script() {
        try {
            return new ClassPathResource("revoke.lua", Revocations.class).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void destroy() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        var _ = resources.shutdown(0, 1, java.util.concurrent.TimeUnit.SECONDS);
    }
}
