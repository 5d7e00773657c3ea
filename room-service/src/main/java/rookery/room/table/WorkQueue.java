// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import rookery.platform.runtime.DueWork;

/**
 * A queue of work in a table with a column {@code due_ms}. A claim is a lease: without a postponement or an end of the work, the
 * row is due again when the lease ends, also after a crash. Concurrent claims skip locked rows.
 *
 * <p>Who inserts a row notes the row in {@code due} at the commit, so this process claims the row at its time. Without a note a
 * claim reads the table every 10 s, for rows that another process has left behind.
 *
 * @param <T> the rows of the queue
 */
public class WorkQueue<T> {
    private static final String CLAIM = """
            UPDATE TABLE q SET due_ms = :due CHANGE
              FROM (SELECT KEY FROM TABLE
                     WHERE due_ms <= :now AND READY ORDER BY due_ms LIMIT :limit FOR UPDATE SKIP LOCKED) k
             WHERE SAME
            RETURNING q.*
            """;

    private final DatabaseClient db;
    private final Clock clock;
    /** Notes of inserted rows. */
    protected final DueWork due;

    private final String claim;
    private final String postpone;
    private final String finish;
    private final Map<String, Function<T, Object>> key;
    private final Function<Readable, T> row;

    /**
     * How a table differs from a queue whose rows are claimed at {@code due_ms} and deleted at the end.
     *
     * @param claimChange a further assignment of a claim to a column of the row {@code q}
     * @param ready a further condition of a claim
     * @param finish the statement that ends the work, without its {@code WHERE}; may use the time {@code :now}
     */
    public record QueueTable(String name, String claimChange, String ready, String finish) {
        public static QueueTable of(String name) {
            return new QueueTable(name, "", "true", "DELETE FROM " + name);
        }
    }

    /** @param key columns of a row's identity and version; a row of another version is not postponed or ended */
    protected WorkQueue(
            DatabaseClient db,
            Clock clock,
            QueueTable table,
            Map<String, Function<T, Object>> key,
            Function<Readable, T> row) {
        this(db, clock, new DueWork(clock), table, key, row);
    }

    /** A queue into whose table another class inserts. */
    protected WorkQueue(
            DatabaseClient db,
            Clock clock,
            DueWork due,
            QueueTable table,
            Map<String, Function<T, Object>> key,
            Function<Readable, T> row) {
        this.db = db;
        this.clock = clock;
        this.due = due;
        this.key = key;
        this.row = row;
        this.claim = CLAIM.replace("TABLE", table.name)
                .replace("CHANGE", table.claimChange)
                .replace("KEY", String.join(", ", key.keySet()))
                .replace("READY", table.ready)
                .replace("SAME", conjunction("q.%1$s = k.%1$s"));
        String where = " WHERE " + conjunction("%1$s = :%1$s");
        this.postpone = "UPDATE " + table.name + " SET due_ms = :due" + where;
        this.finish = table.finish + where;
    }

    private String conjunction(String condition) {
        return key.keySet().stream().map(condition::formatted).collect(Collectors.joining(" AND "));
    }

    public final Mono<List<T>> claim(Duration lease, int limit) {
        return due.look(limit, Mono.defer(() -> claimed(lease, limit)));
    }

    private Mono<List<T>> claimed(Duration lease, int limit) {
        return db.sql(claim)
                .bind("now", clock.millis())
                .bind("due", dueMillis(lease))
                .bind("limit", limit)
                .map(row)
                .all()
                .collectList()
                .doOnNext(rows -> {
                    if (!rows.isEmpty()) {
                        due.note(lease); // due again if the work fails
                    }
                });
    }

    /** Makes the row due again after the delay. */
    public final Mono<Void> postpone(T claimed, Duration delay) {
        return bound(postpone, claimed).bind("due", dueMillis(delay)).then().doOnSuccess(_ -> due.note(delay));
    }

    public final Mono<Void> finish(T claimed) {
        var end = bound(finish, claimed);
        return (finish.contains(":now") ? end.bind("now", clock.millis()) : end).then();
    }

    private long dueMillis(Duration delay) {
        return clock.instant().plus(delay).toEpochMilli();
    }

    protected final DatabaseClient.GenericExecuteSpec bound(String sql, T item) {
        var statement = db.sql(sql);
        for (var column : key.entrySet()) {
            statement = statement.bind(column.getKey(), column.getValue().apply(item));
        }
        return statement;
    }

    /** Logs a failure of scheduled work and completes without a value, because the work is repeated. */
    public static <R> Function<Throwable, Mono<R>> logged(Logger log, String text) {
        return failure -> {
            log.atWarn().addKeyValue("cause", failure.toString()).log(text);
            return Mono.empty();
        };
    }
}
