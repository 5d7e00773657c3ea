package rookery.platform.sql;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import rookery.platform.sql.SilentConnections.Use;

/** Times a statement from its sending to its end, which comes after its last row, and says until when there was no answer. */
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
        return Flux.<Result>from(statement.execute())
                .transform(Operators.<Result, Result>lift((_, actual) -> new Execution(actual)));
    }

    /** One operator and not four, because it is in the way of everything. */
    private final class Execution implements CoreSubscriber<Result>, Subscription {
        private final CoreSubscriber<? super Result> actual;
        private final long begun = System.nanoTime();
        private Subscription upstream = Operators.emptySubscription();

        Execution(CoreSubscriber<? super Result> actual) {
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            use.waits();
            actual.onSubscribe(this);
        }

        /** Whoever reads the rows slowly is not the server's fault. */
        @Override
        public void onNext(Result result) {
            use.answered();
            actual.onNext(result);
        }

        @Override
        public void onError(Throwable error) {
            end();
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            end();
            actual.onComplete();
        }

        @Override
        public void request(long number) {
            upstream.request(number);
        }

        @Override
        public void cancel() {
            end();
            upstream.cancel();
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
