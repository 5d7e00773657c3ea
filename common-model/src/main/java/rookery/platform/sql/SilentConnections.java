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
 * Closes connections to PostgreSQL that have fallen silent: a backend that is stopped, or a host that is gone, answers neither the
 * statement nor its cancellation, and its limits on time are its own. Whoever waits gets an error at once and may try again over a new
 * connection. The other connections of that time are closed with it as far as they are not in use: what stopped one backend has most
 * likely stopped all.
 */
public final class SilentConnections implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(SilentConnections.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration CLOSING_MAX = Duration.ofSeconds(2);

    private final long patienceNanos;
    private final Thread thread;
    private final Map<Connection, Use> uses = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * How connections are kept.
     *
     * @param silenceMax how long a connection may take for any answer; longer than the statement_timeout, of which the server tells
     * @param logPoolSize connections of their own for those who append to a log, who then never wait behind readers; 0 for none
     */
    @ConfigurationProperties("rookery.database")
    public record Properties(
            @DefaultValue("12s") Duration silenceMax,
            @DefaultValue("0") int logPoolSize) {}

    /** What is known of one connection; times are of {@link System#nanoTime}. */
    static final class Use {
        private boolean waiting;
        private long since = System.nanoTime();

        /** From now on for an answer. */
        void waits() {
            set(true);
        }

        /** Nobody waits for one any more. */
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

    /** What is known of a connection that was taken from the pool. */
    Use use(Connection pooled) {
        return uses.computeIfAbsent(physical(pooled), _ -> new Use());
    }

    /** The pool hands out wrappers; closed, those only come back to it. */
    private static Connection physical(Connection connection) {
        var innermost = connection;
        while (innermost instanceof Wrapped<?> wrapper && wrapper.unwrap() instanceof Connection inner) {
            innermost = inner;
        }
        return innermost;
    }

    /** Until it is interrupted. On a thread of its own: those of the scheduler wait for the database themselves. */
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
