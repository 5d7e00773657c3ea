// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import org.reactivestreams.Publisher;
import reactor.core.observability.DefaultSignalListener;
import reactor.core.publisher.Flux;
import rookery.platform.sql.SilentConnections.Use;

/** Times a statement from the start to the end, after its last row, and reports while it waits for an answer. */
final class ObservedStatement implements Statement {
    private final Statement statement;
    private final String sql;
    private final Use use;
    private final QueryTimes times;

    ObservedStatement(Statement statement, String sql, Use use, QueryTimes times) {
        this.statement = statement;
        this.sql = sql;
        this.use = use;
        this.times = times;
    }

    @Override
    public Publisher<? extends Result> execute() {
        return Flux.<Result>from(statement.execute()).tap(Execution::new);
    }

    /** A single operator instead of four, because every statement passes through. */
    private final class Execution extends DefaultSignalListener<Result> {
        private final long begun = System.nanoTime();

        @Override
        public void doOnSubscription() {
            use.waits();
        }

        /** A slow reader of rows is not the server's fault. */
        @Override
        public void doOnNext(Result result) {
            use.answered();
        }

        @Override
        public void doOnComplete() {
            end();
        }

        @Override
        public void doOnError(Throwable error) {
            end();
        }

        @Override
        public void doOnCancel() {
            end();
        }

        private void end() {
            use.answered();
            times.ended(sql, System.nanoTime() - begun);
        }
    }

    @Override
    public Statement add() {
        statement.add();
        return this;
    }

    @Override
    public Statement bind(int index, Object value) {
        statement.bind(index, value);
        return this;
    }

    @Override
    public Statement bind(String name, Object value) {
        statement.bind(name, value);
        return this;
    }

    @Override
    public Statement bindNull(int index, Class<?> type) {
        statement.bindNull(index, type);
        return this;
    }

    @Override
    public Statement bindNull(String name, Class<?> type) {
        statement.bindNull(name, type);
        return this;
    }

    @Override
    public Statement returnGeneratedValues(String... columns) {
        statement.returnGeneratedValues(columns);
        return this;
    }

    @Override
    public Statement fetchSize(int rows) {
        statement.fetchSize(rows);
        return this;
    }
}
