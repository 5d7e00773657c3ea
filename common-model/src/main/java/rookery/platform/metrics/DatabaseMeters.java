// SPDX-License-Identifier: Apache-2.0
package rookery.platform.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import rookery.platform.sql.ObservedConnections;
import rookery.platform.sql.QueryTimes;
import rookery.platform.sql.SilentConnections;

/**
 * Measures a service's connections to PostgreSQL (contract.md 4): {@code db_pool_in_use}, {@code db_pool_wait_seconds}, the time
 * to acquire a connection, and {@code db_query_seconds} by the first word of the statement.
 */
final class DatabaseMeters implements QueryTimes {
    private static final String OTHER = "other";
    private static final Set<String> OPERATIONS = Set.of("select", "insert", "update", "delete", "with", OTHER);

    private final Timer wait;
    private final Map<String, Timer> queries = new HashMap<>();

    private DatabaseMeters(MeterRegistry meters) {
        this.wait = Timer.builder("db_pool_wait")
                .description("time to acquire a connection to the database")
                .serviceLevelObjectives(DurationBuckets.all())
                .register(meters);
        for (String operation : OPERATIONS) {
            queries.put(
                    operation,
                    Timer.builder("db_query")
                            .description("time from a statement to its last row, by the first word of the statement")
                            .tag("op", operation)
                            .serviceLevelObjectives(DurationBuckets.all())
                            .register(meters));
        }
    }

    /** Wraps the pools so that every connection and statement is measured, and silent connections are closed. */
    static ConnectionFactory measured(
            ConnectionPool pool, ConnectionPool logPool, MeterRegistry meters, SilentConnections silent) {
        var pools = new HashSet<>(List.of(pool, logPool));
        Gauge.builder(
                        "db_pool_in_use",
                        pools,
                        all -> all.stream().mapToInt(DatabaseMeters::inUse).sum())
                .description("connections to the database that are in use")
                .strongReference(true)
                .register(meters);
        return new ObservedConnections(pool, logPool, new DatabaseMeters(meters), silent);
    }

    private static int inUse(ConnectionPool pool) {
        return pool.getMetrics().map(metrics -> metrics.acquiredSize()).orElse(0);
    }

    @Override
    public void connected(long waited) {
        wait.record(waited, TimeUnit.NANOSECONDS);
    }

    @Override
    public void ended(String statement, long took) {
        Objects.requireNonNull(queries.get(operation(statement))).record(took, TimeUnit.NANOSECONDS);
    }

    static String operation(String statement) {
        int start = 0;
        while (start < statement.length() && Character.isWhitespace(statement.charAt(start))) {
            start++;
        }
        int end = start;
        while (end < statement.length() && Character.isLetter(statement.charAt(end))) {
            end++;
        }
        String word = statement.substring(start, end).toLowerCase(Locale.ROOT);
        return OPERATIONS.contains(word) ? word : OTHER;
    }
}
