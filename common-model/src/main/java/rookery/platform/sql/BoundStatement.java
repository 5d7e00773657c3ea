// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;

/** A statement with the values of its parameters, to be executed alone or as a part of a {@link GuardedStatement}. */
public final class BoundStatement {
    final String sql;
    final Map<String, Object> values = new LinkedHashMap<>();

    public BoundStatement(String sql) {
        this.sql = sql;
    }

    public BoundStatement bind(String name, Object value) {
        values.put(name, value);
        return this;
    }

    /** The statement in the place of a word of another one, which gets its values. */
    public BoundStatement within(String outer, String word) {
        var whole = new BoundStatement(outer.replace(word, sql));
        whole.values.putAll(values);
        return whole;
    }

    /** The statement, an INSERT … SELECT without a condition, as a write of a {@link GuardedStatement}. */
    public BoundStatement guarded() {
        var guarded = new BoundStatement(sql.stripTrailing() + GuardedStatement.CONDITION);
        guarded.values.putAll(values);
        return guarded;
    }

    /** The statement alone, to be executed. */
    public GenericExecuteSpec in(DatabaseClient db) {
        return db.sql(sql).bindValues(values);
    }

    public Mono<Void> execute(DatabaseClient db) {
        return in(db).then();
    }
}
