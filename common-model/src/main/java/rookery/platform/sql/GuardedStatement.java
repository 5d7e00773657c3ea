// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * Joins a guard and several writes into one SQL statement, which PostgreSQL runs as one transaction. Each write happens only if the
 * guard is true. The transaction costs one round trip, without BEGIN and COMMIT.
 *
 * <p>All parts see the database as of the start of the statement, and none sees the rows of another. PostgreSQL commits after the
 * last row is sent; the driver completes the result only after the commit, and reports a failed commit as an error.
 */
public final class GuardedStatement {
    static final String CONDITION = " WHERE (SELECT holds FROM guard)";

    /** A named parameter, but no cast. */
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-zA-Z]\\w*)");

    /** The joined texts by the texts of their parts, of which a service has only a few combinations. */
    private static final Map<List<String>, String> JOINED = new ConcurrentHashMap<>();

    private final List<String> texts = new ArrayList<>();
    private final Map<String, Object> values = new LinkedHashMap<>();

    /**
     * Begins a statement.
     *
     * @param guard a query of one row with the boolean column {@code holds}
     */
    public GuardedStatement(BoundStatement guard) {
        add(guard);
    }

    /**
     * Adds a write.
     *
     * @param write an INSERT, UPDATE or DELETE that ends with a condition on {@code (SELECT holds FROM guard)}
     */
    public GuardedStatement add(BoundStatement write) {
        var prefix = prefix(texts.size());
        texts.add(write.sql);
        write.values.forEach((name, value) -> values.put(prefix + name, value));
        return this;
    }

    private static String prefix(int part) {
        return "p" + part + "_";
    }

    /** Executes the statement. False if the guard was false and nothing is written. */
    public Mono<Boolean> execute(DatabaseClient db) {
        return db.sql(JOINED.computeIfAbsent(List.copyOf(texts), GuardedStatement::joined))
                .bindValues(values)
                .mapValue(Boolean.class)
                .one();
    }

    private static String joined(List<String> texts) {
        var joined = new StringBuilder("WITH guard AS MATERIALIZED (");
        for (int part = 0; part < texts.size(); part++) {
            joined.append(part == 0 ? "" : "), w" + part + " AS (");
            joined.append(PARAMETER.matcher(texts.get(part)).replaceAll(":" + prefix(part) + "$1"));
        }
        return joined.append(") SELECT holds FROM guard").toString();
    }
}
