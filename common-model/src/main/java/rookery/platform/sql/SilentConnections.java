// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Closes connections to PostgreSQL that no longer answer. A suspended backend or a lost host answers neither a statement nor its
 * cancellation, and server-side timeouts do not help. Waiting requests get an error at once and can be retried on a new
 * connection. Connections that have been idle as long are closed too, because the cause has most likely affected all of them.
 */
public final class SilentConnections implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(SilentConnections.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration CLOSING_MAX = Duration.ofSeconds(2);

    private final long patienceNanos;
    private final Thread thread;
    private final Map<Connection, Use> uses = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * Settings of connections.
     *
     * @param silenceMax the longest time without any answer; longer than statement_timeout, which the server reports
     * @param logPoolSize the size of the separate pool for appends to a log, which then never wait behind readers; 0 for none
     */
    @ConfigurationProperties("rookery.database")
    public record Properties(
            @DefaultValue("12s") Duration silenceMax,
            @DefaultValue("0") int logPoolSize) {}

    /** The state of one connection; times are {@link System#nanoTime}. */
    static final class Use {
        private boolean waiting;
        private long since = System.nanoTime();

        /** A wait for an answer begins. */
        void waits() {
            set(true);
        }

        /** The wait has ended. */
        void answered() {
            set(false);
        }

        private synchronized void set(boolean waits) {
            waiting = waits;
            since = System.nanoTime();
        }

        synchronized boolean isSilent(long nowNanos, long patienceNanos) {
            return waiting && nowNanos - since > patienceNanos;
        }

        synchronized boolean isIdleSince(long nanos) {
            return !waiting && since - nanos < 0;
        }
    }

    public SilentConnections(Properties properties) {
        this.patienceNanos = properties.silenceMax().toNanos();
        this.thread = Thread.ofPlatform().name("database-watch").daemon().start(this::watch);
    }

    /** Returns the state of a connection from the pool. */
    Use use(Connection pooled) {
        return uses.computeIfAbsent(physical(pooled), _ -> new Use());
    }

    /** The pool returns wrappers, and closing a wrapper only returns the connection to the pool. */
    private static Connection physical(Connection connection) {
        var innermost = connection;
        while (innermost instanceof Wrapped<?> wrapper && wrapper.unwrap() instanceof Connection inner) {
            innermost = inner;
        }
        return innermost;
    }

    /** Runs until interrupted, on its own thread, because the scheduler's threads wait for the database themselves. */
    private void watch() {
        try {
            while (true) {
                Thread.sleep(LOOK);
                closeSilent();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeSilent() {
        var silent = silent(System.nanoTime());
        if (silent.isEmpty()) {
            return;
        }
        log.atWarn()
                .addKeyValue("connections", silent.size())
                .log("the database is silent; its connections are closed");
        Flux.fromIterable(silent)
                .flatMap(connection -> Mono.from(connection.close()).onErrorComplete(), silent.size())
                .then()
                .timeout(CLOSING_MAX, Mono.empty())
                .block();
    }

    @Override
    public void destroy() {
        thread.interrupt();
    }

    private List<Connection> silent(long nowNanos) {
        var silent = new ArrayList<Connection>();
        synchronized (uses) {
            uses.forEach((connection, use) -> {
                if (use.isSilent(nowNanos, patienceNanos)) {
                    silent.add(connection);
                }
            });
            if (!silent.isEmpty()) {
                uses.forEach((connection, use) -> {
                    if (use.isIdleSince(nowNanos - patienceNanos)) {
                        silent.add(connection);
                    }
                });
            }
            uses.keySet().removeAll(silent);
        }
        return silent;
    }
}
