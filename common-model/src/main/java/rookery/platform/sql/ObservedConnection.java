// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import rookery.platform.sql.SilentConnections.Use;

/** Reports when it waits for the database: for a statement, and for the beginning and end of a transaction. */
final class ObservedConnection implements Connection, Wrapped<Connection> {
    private final Connection connection;
    private final Use use;
    private final QueryTimes times;

    ObservedConnection(Connection connection, Use use, QueryTimes times) {
        this.connection = connection;
        this.use = use;
        this.times = times;
    }

    private Mono<Void> waiting(Publisher<Void> answer) {
        return Mono.from(answer).doFirst(use::waits).doFinally(_ -> use.answered());
    }

    @Override
    public Statement createStatement(String sql) {
        return new ObservedStatement(connection.createStatement(sql), sql, use, times);
    }

    @Override
    public Publisher<Void> beginTransaction() {
        return waiting(connection.beginTransaction());
    }

    @Override
    public Publisher<Void> beginTransaction(TransactionDefinition definition) {
        return waiting(connection.beginTransaction(definition));
    }

    @Override
    public Publisher<Void> commitTransaction() {
        return waiting(connection.commitTransaction());
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
        return waiting(connection.rollbackTransaction());
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
        return waiting(connection.rollbackTransactionToSavepoint(name));
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
        return waiting(connection.createSavepoint(name));
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
        return waiting(connection.releaseSavepoint(name));
    }

    @Override
    public Batch createBatch() {
        return connection.createBatch();
    }

    @Override
    public Publisher<Void> close() {
        return connection.close();
    }

    @Override
    public boolean isAutoCommit() {
        return connection.isAutoCommit();
    }

    @Override
    public ConnectionMetadata getMetadata() {
        return connection.getMetadata();
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
        return connection.getTransactionIsolationLevel();
    }

    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
        return connection.setAutoCommit(autoCommit);
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
        return connection.setLockWaitTimeout(timeout);
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
        return connection.setStatementTimeout(timeout);
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel level) {
        return connection.setTransactionIsolationLevel(level);
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
        return connection.validate(depth);
    }

    @Override
    public Connection unwrap() {
        return connection;
    }
}
