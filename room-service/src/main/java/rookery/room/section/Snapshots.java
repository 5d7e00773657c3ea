// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;

/** Runs reads in one snapshot, so that the rows of many rooms fit the positions read with them. */
@Component
class Snapshots {
    private final TransactionalOperator snapshot;

    Snapshots(ReactiveTransactionManager transactions) {
        var definition = new DefaultTransactionDefinition();
        definition.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        definition.setReadOnly(true);
        this.snapshot = TransactionalOperator.create(transactions, definition);
    }

    <T> Mono<T> of(Mono<T> reads) {
        return snapshot.transactional(reads);
    }
}
