// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcTimeoutException;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * A pool whose connections and statements are timed and watched for silence. Plain delegation, because every statement of every
 * service passes through: the dynamic proxies of r2dbc-proxy took a fifth of a service's CPU.
 */
public final class ObservedConnections implements ConnectionFactory {
    private static final String FOR_LOG = ObservedConnections.class.getName() + ".forLog";

    /**
     * The most attempts to acquire a live connection: a dead connection is detected only when acquired, and a pool may have
     * that many.
     */
    private static final int DEAD_MAX = 25;

    private final ConnectionFactory pool;
    private final ConnectionFactory logPool;
    private final QueryTimes times;
    private final SilentConnections silent;

    /**
     * @param logPool for transactions that append to a log, so that readers never take their connections; may be the same pool
     */
    public ObservedConnections(
            ConnectionFactory pool, ConnectionFactory logPool, QueryTimes times, SilentConnections silent) {
        this.pool = pool;
        this.logPool = logPool;
        this.times = times;
        this.silent = silent;
    }

    /** Marks the Reactor context of a transaction that appends to a log. */
    public static Context forLog(Context context) {
        return context.put(FOR_LOG, true);
    }

    @Override
    public Mono<Connection> create() {
        return Mono.deferContextual(context -> {
            long begun = System.nanoTime();
            return connection(context.hasKey(FOR_LOG) ? logPool : pool, DEAD_MAX)
                    .map(connection -> {
                        times.connected(System.nanoTime() - begun);
                        return new ObservedConnection(connection, silent.use(connection), times);
                    });
        });
    }

    /**
     * Acquires a connection. A timeout (spring.r2dbc.pool.max-acquire-time) is an error at once; the pool's own acquire-retry
     * would wait again.
     */
    private static Mono<Connection> connection(ConnectionFactory pool, int furtherAttempts) {
        return Mono.<Connection>from(pool.create())
                .onErrorResume(
                        failure -> furtherAttempts > 0 && !(failure instanceof R2dbcTimeoutException),
                        _ -> connection(pool, furtherAttempts - 1));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
        return pool.getMetadata();
    }
}
