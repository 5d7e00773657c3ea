package rookery.auth.accountdata;

import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;
import rookery.auth.accountdata.AccountData.AccountDataRow;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.log.append.Head;

/** A user's account data with the log position of the same REPEATABLE READ snapshot, for followers of the user log. */
@Component
class AccountDataSnapshots {
    private final AccountData data;
    private final TransactionalOperator oneMoment;

    AccountDataSnapshots(AccountData data, ReactiveTransactionManager transactions) {
        this.data = data;
        var definition = new DefaultTransactionDefinition();
        definition.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        definition.setReadOnly(true);
        this.oneMoment = TransactionalOperator.create(transactions, definition);
    }

    /** The rows that were set after the position; 0 for all. */
    Mono<Snapshot> after(TenantId tenant, UserId user, long after) {
        return data.head(user)
                .flatMap(head -> data.changedAfter(tenant, user, after).map(changed -> new Snapshot(head, changed)))
                .as(oneMoment::transactional);
    }

    record Snapshot(Head head, List<AccountDataRow> changed) {}
}
