// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Attempts to acquire a connection from a real pool with a failing database. */
class ObservedConnectionsTest {
    private static final Duration WAIT = Duration.ofMillis(20);

    private final AtomicInteger attempts = new AtomicInteger();
    private final SilentConnections silent =
            new SilentConnections(new SilentConnections.Properties(Duration.ofSeconds(12), 0));

    @AfterEach
    void end() {
        silent.destroy();
    }

    @Test
    void whoHasWaitedLongEnoughDoesNotWaitAgain() {
        var pool = pool(Mono.never(), WAIT);

        assertThatThrownBy(() -> counted(pool).create().block()).isInstanceOf(R2dbcTimeoutException.class);

        assertThat(attempts).hasValue(1);
        pool.dispose();
    }

    @Test
    void afterConnectionsThatHaveDiedOthersAreAskedFor() {
        var pool = pool(Mono.error(new R2dbcNonTransientResourceException("it is dead")), Duration.ofMinutes(1));

        assertThatThrownBy(() -> counted(pool).create().block()).isInstanceOf(R2dbcNonTransientResourceException.class);

        assertThat(attempts).hasValue(26);
        pool.dispose();
    }

    private static ConnectionPool pool(Mono<Connection> connecting, Duration wait) {
        return new ConnectionPool(ConnectionPoolConfiguration.builder(factory(connecting))
                .initialSize(0)
                .maxAcquireTime(wait)
                .acquireRetry(0)
                .build());
    }

    private ObservedConnections counted(ConnectionPool pool) {
        var counted = factory(Mono.defer(() -> {
            attempts.incrementAndGet();
            return pool.create();
        }));
        return new ObservedConnections(counted, counted, new UnobservedTimes(), silent);
    }

    private static ConnectionFactory factory(Mono<Connection> connecting) {
        return new ConnectionFactory() {
            @Override
            public Mono<Connection> create() {
                return connecting;
            }

            @Override
            public ConnectionFactoryMetadata getMetadata() {
                return () -> "failing";
            }
        };
    }

    private static final class UnobservedTimes implements QueryTimes {
        @Override
        public void connected(long waited) {}

        @Override
        public void ended(String statement, long took) {}
    }
}
